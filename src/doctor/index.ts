export {certificateFinding, ownCertificates} from './certificates.ts'
export {type Area, type Check, examine, firstProblem, type Step} from './examine.ts'
export {broken, doubtful, type Finding, fine} from './finding.ts'
export {folder} from './folders.ts'
export {diskSpace, memory, runtime, terminalFinding} from './machine.ts'
export {
  connectionFinding,
  type NetworkOptions,
  type NetworkPath as Way,
  nameFinding,
  proxyFinding,
} from './network-path.ts'
export {clockFinding, latencyFinding, quotaFinding, type Seen} from './responses.ts'
