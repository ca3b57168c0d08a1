export {type Asked, type Decision, dayLimit, decide} from './decide.ts'
export {amountText, type Sums, sumsOf} from './exact-sums.ts'
export {type FoundPolicy, findPolicy, type PolicyPlace, policyPlace} from './find-policy.ts'
export {isGatePort} from './gate-port.ts'
export {
  CALLERS,
  type CallerKind,
  type GateCaller,
  type Policy,
  type PolicyEffect,
  type PolicyFile,
  type Rule,
  socketOf,
  UNSTATED,
} from './policy-file.ts'
export {readPolicy} from './read-policy.ts'
