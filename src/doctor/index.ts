export {clockFinding, latencyFinding, quotaFinding, type Seen} from './answers.ts'
export {diskSpace} from './disk-space.ts'
export {AREAS, type Area, asFinding, type Check, examine, firstProblem, type Step} from './examine.ts'
export {broken, doubtful, type Finding, fine} from './finding.ts'
export {folder} from './folders.ts'
export {ownCertificates} from './own-certificates.ts'
export {memory, runtime} from './runtime.ts'
export {certificateFinding} from './server-certificate.ts'
export {terminalFinding} from './terminal.ts'
export {
  connectionFinding,
  type NetworkOptions,
  nameFinding,
  proxyFinding,
  type Way,
} from './way.ts'
