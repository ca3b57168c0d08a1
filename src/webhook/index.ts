/** The listener for the service's calls, and the sender of such calls. No printing. */

export {type CallCredentials, credentialHeaders} from '../network/call-credentials.ts'
export {approveAll, type Decider, declineAll, firstDecision, killDecider} from './decide.ts'
export type {Recorder} from './earlier-decisions.ts'
export {parseAddress} from './endpoint.ts'
export type {
  AuthEvent,
  Exchange,
  LateEvent,
  Pending,
  RejectedEvent,
  Step,
  WarmUpEvent,
  WebhookEvent,
} from './exchange.ts'
export {decideByCommand} from './exec.ts'
export {decideByProcess} from './exec-process.ts'
export {forwardTo} from './forward.ts'
export {createInspector, type Inspector, type InspectorOptions, pageAt} from './page/inspector.ts'
export type {ForwardTarget} from './page/replay-elsewhere.ts'
export {type Choice, createPendingCalls, type PendingCalls, type Question} from './pending-calls.ts'
export type {ReceivedCall} from './received-call.ts'
export {kindOf, withId} from './received-call.ts'
export type {Change, PlainDecision} from './recording/changed-decision.ts'
export {type Durability, openRecorder, type ServerRecorder} from './recording/open-recorder.ts'
export type {RecordingTrouble} from './recording/recorder.ts'
export {
  type ExchangeFilter,
  exchangeMatcher,
  openRecording,
  type Recording,
  recordingFile,
} from './recording/recording.ts'
export {type Replayable, type Replayed, replay, replayable} from './recording/replay.ts'
export {declineCode} from './response-codes.ts'
export {parseSearch} from './search.ts'
export type {Share} from './send/bench.ts'
export {runBench, type Tally} from './send/bench.ts'
export type {Verdict} from './send/caller.ts'
export {type Caller, type CallerOptions, openCaller} from './send/caller.ts'
export type {Bin} from './send/latencies.ts'
export {type CardFacts, madeUpCards, scenarioCall, someCard} from './send/scenario-call.ts'
export {serveWebhook, type WebhookOptions, type WebhookServer} from './server.ts'
export {canSend, countedViolations, type Translator} from './translator.ts'
