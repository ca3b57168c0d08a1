import {getCACertificates} from 'node:tls'
import type {TargetTls} from '../profiles/target.ts'

/** Whom requests of a target trust; Node's own list where this is undefined. */
export const authoritiesOf = ({ca}: TargetTls): string[] | undefined =>
  // Node takes `ca` instead of its own list, NODE_EXTRA_CA_CERTS included; a private CA comes beside them.
  ca === undefined ? undefined : [...getCACertificates('default'), ca]
