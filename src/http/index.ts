export type {BuiltRequest} from './build-request.ts'
export {dispatcherFor, type PlainReply, type PlainRequest} from './in-process.ts'
export {networkFault} from './network-fault.ts'
export {type PanBody, panBody} from './pan-body.ts'
export {wayTo} from './proxy.ts'
export type {
  Preview,
  ReplyCheck,
  RequestParts,
  Sender,
  SendOptions,
  ServiceResponse,
  Surroundings,
} from './send-types.ts'
export {createSender} from './sender.ts'
export {settlesEarlierTries} from './verdict.ts'
