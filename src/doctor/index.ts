export {clockFinding, latencyFinding, quotaFinding, type Seen} from './answers.ts'
export {certificateFinding, ownCertificates} from './certificates.ts'
export {AREAS, type Area, asFinding, type Check, examine, firstProblem, type Step} from './examine.ts'
export {broken, doubtful, type Finding, fine} from './finding.ts'
export {folder} from './folders.ts'
export {diskSpace, memory, runtime, terminalFinding} from './machine.ts'
export {
  connectionFinding,
  type NetworkOptions,
  nameFinding,
  proxyFinding,
  type Way,
} from './way.ts'
