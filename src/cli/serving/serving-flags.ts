import * as Flags from '@oclif/core/flags'
import {integerFlag} from '../flags.ts'

/** Flags of every command that puts a server on a port. */
export const servingFlags = {
  host: Flags.string({default: '127.0.0.1', summary: 'Address to listen on.'}),
  port: integerFlag({
    default: 0,
    min: 0,
    max: 65_535,
    summary: 'Port to listen on (default a free one).',
  }),
  auth: Flags.string({
    helpValue: 'basic:REF|bearer:REF',
    summary:
      'Require credentials. REF is env:NAME, file:PATH or cmd:COMMAND and leads to user:password or the token.',
  }),
  tls: Flags.boolean({
    summary: 'Serve https, with a certificate made for this run; the first line names its file.',
  }),
  'parent-pid': integerFlag({
    min: 1,
    max: 2 ** 31 - 1,
    helpValue: 'N',
    summary: 'Stop when the process N ends, for example that of a test run.',
  }),
  'i-know-this-is-exposed': Flags.boolean({
    summary: 'Let other machines connect without credentials.',
  }),
}

/** For a server with a certificate of its own. */
export const certificateFlags = {
  'tls-cert': Flags.string({
    helpValue: 'FILE',
    summary: 'Certificate to serve https with, and its chain, PEM.',
    dependsOn: ['tls-key'],
  }),
  'tls-key': Flags.string({
    helpValue: 'FILE',
    summary: 'Private key of the certificate, PEM.',
    dependsOn: ['tls-cert'],
  }),
  'client-ca': Flags.string({
    helpValue: 'FILE',
    summary: 'Accept only callers with a certificate of these authorities (mTLS), PEM.',
  }),
}
