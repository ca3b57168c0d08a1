/** The listener for calls of the service: server, deadline, deciders. No printing. */
export type {WebhookAuth} from './credentials.ts'
export {approveAll, type Decider, declineAll, firstOf} from './decide.ts'
export {type Choice, createDesk, type Desk, type Question} from './desk.ts'
export type {AuthEvent, LateEvent, RejectedEvent, WarmUpEvent, WebhookEvent} from './events.ts'
export type {Exchange, Pending, Recorder, Step} from './exchange.ts'
export {forwardTo} from './forward.ts'
export {declineCode} from './response-codes.ts'
export {serveWebhook, type WebhookOptions, type WebhookServer} from './server.ts'
