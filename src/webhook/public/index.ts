/**
 * `cardctl/webhook`: for tests of an endpoint that decides about authorisations. Builds calls as the service sends them,
 * and judges answers as the service does.
 *
 * @example
 * const call = scenarioCall('fuel', {amount: '80', currency: 'EUR'})
 * const answer = await decide(call)                   // your code
 * const {outcome, faults} = await judgeAnswer(call, answer)
 *
 * @module
 */
export type {Violation} from '../../contract/violation.ts'
export {Failure} from '../../errors/failure.ts'
export {type AuthAnswer, approve, approvePart, decline} from './answers.ts'
export {type AuthCall, type CallSettings, scenarioCall, scenarioNames} from './calls.ts'
export {checkCall, type Judgement, judgeAnswer} from './judge.ts'
export {
  checkSignature,
  type SignatureFault,
  type SignatureSettings,
  type SignedCall,
  signCall,
} from './signatures.ts'
