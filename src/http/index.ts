export {routeTo} from './connections.ts'
export {envelopeHint} from './failures.ts'
export {dispatcherFor, type PlainRequest, type PlainResponse} from './in-process.ts'
export {networkFault} from './network-fault.ts'
export {type PanBody, panBody} from './pan-body.ts'
export {settlesEarlierAttempts} from './retry-rules.ts'
export type {
  BuiltRequest,
  Preview,
  ReceivedHead,
  ReceivedPage,
  RequestParts,
  ResponseCheck,
  Sender,
  SendOptions,
  ServiceResponse,
  Surroundings,
} from './send-types.ts'
export {PROPOSAL_HEADER} from './send-types.ts'
export {createSender} from './sender.ts'
