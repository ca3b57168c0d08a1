export {type Asked, type Decision, decide} from './decide.ts'
export {amountText, type Sums, sumsOf} from './exact-sums.ts'
export {type FoundPolicy, findPolicy, type PolicyPlace, policyPlace} from './find-policy.ts'
export {
  CALLERS,
  type Policy,
  type PolicyEffect,
  type Rule,
} from './policy-file.ts'
export {readPolicy} from './read-policy.ts'
