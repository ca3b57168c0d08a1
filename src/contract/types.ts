import type {operations} from './operations.gen.ts'
import type {operations as Described, webhooks} from './types.gen.ts'

/** Every operation that can be sent, including extensions and the sandbox's controls. */
export type OperationId = keyof typeof operations

type Parameters<Id extends OperationId> = Described[Id]['parameters']

/** Nothing, if the contract has no parameter there. */
type Place<Held> = [Held] extends [never] ? Record<never, never> : Exclude<Held, undefined>

type JsonBody<Held> = Held extends {content: infer Content} ? Content[keyof Content] : never

/** The input of an operation: path parameters, query and body, as the contract types them. */
export type Input<Id extends OperationId> = {
  readonly path: Parameters<Id> extends {path: infer Path} ? Place<Path> : Record<never, never>
  readonly query: Parameters<Id> extends {query?: infer Query} ? Place<Query> : Record<never, never>
} & (Described[Id] extends {requestBody: infer Body}
  ? {readonly body: JsonBody<Body>}
  : Described[Id] extends {requestBody?: infer Body}
    ? [Exclude<Body, undefined>] extends [never]
      ? {readonly body?: undefined}
      : {readonly body?: JsonBody<Exclude<Body, undefined>>}
    : {readonly body?: undefined})

type Success = 200 | 201 | 202 | 204
type Responses<Id extends OperationId> = Described[Id]['responses']

/** The body of a successful response. */
export type ResponseBody<Id extends OperationId> = {
  [Status in keyof Responses<Id> & Success]: JsonBody<Responses<Id>[Status]>
}[keyof Responses<Id> & Success]

export type WebhookId = keyof webhooks
type Called<Id extends WebhookId> = webhooks[Id] extends {post: infer Post} ? Post : never

/** The body of a call that the service sends to an endpoint. */
export type WebhookBody<Id extends WebhookId> =
  Called<Id> extends {requestBody: infer Body} ? JsonBody<Body> : never

/** The body of the endpoint's answer. */
export type WebhookAnswer<Id extends WebhookId> =
  Called<Id> extends {responses: {200: infer Answer}} ? JsonBody<Answer> : never

declare const operation: unique symbol

/**
 * A response of a service to one of these operations, as it came: what it has is not known, only what the contract says
 * about it.
 */
export interface ResponseTo<Id extends OperationId> {
  readonly [operation]: Id
}

declare const listing: unique symbol

/** An item of the lists that these operations respond with, as it came. */
export interface ItemOf<Id extends OperationId> {
  readonly [listing]: Id
}
