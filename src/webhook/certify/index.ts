/** What `webhook certify` checks of an endpoint. No printing. */

export {behaviourChecks} from './behaviour.ts'
export type {
  Certificate,
  CertificateResult,
  CertifiedCheck,
  CheckState,
  Counts,
  Machine,
  ProbedHolds,
  Used,
} from './certificate.ts'
export {digestOf, resultOf} from './certificate.ts'
export {type Certified, type CertifyEvent, certify, REQUIREMENTS} from './certify.ts'
export type {BehaviourCheck} from './check.ts'
export {ENOUGH_CALLS} from './deadline-checks.ts'
export {longChecks} from './long-checks.ts'
export {openProbe} from './probe.ts'
export {openProbeProcess} from './probe-process.ts'
export {PROOFS, proofsInWords} from './proofs.ts'
export {openRestart} from './restart.ts'
