/** What `webhook certify` checks of an endpoint. No printing. */

export type {
  Certificate,
  CertificateResult,
  CertifiedCheck,
  CheckState,
  Counts,
  Machine,
  ProbedHolds,
} from './certificate.ts'
export {digestOf, resultOf} from './certificate.ts'
export {type Certified, type CertifyEvent, certify} from './certify.ts'
export {openProbe} from './probe.ts'
export {openRestart} from './restart.ts'
