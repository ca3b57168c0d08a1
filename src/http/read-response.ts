import type {Operation} from '../contract/operation.ts'
import {unproven} from '../contract/prove-response.ts'
import type {Shape} from '../contract/shape.ts'
import type {OperationId} from '../contract/types.ts'
import type {BodyDifference} from '../contract/validate.ts'
import type {WireResponse} from './attempt.ts'
import type {BuiltRequest} from './build-request.ts'
import type {ReceivedBody} from './response-body.ts'
import type {ResponseCheck} from './send-types.ts'

/** A 2xx: its content, or why it proves nothing. */
export type ReadResponse =
  | {readonly proven: true; readonly value: unknown; readonly differences: readonly BodyDifference[]}
  | {
      readonly proven: false
      /** A clause about the body: "it is an HTML page, perhaps from a proxy or a login page". */
      readonly why: string
      /** The content, if it is JSON: it may hold an id that the user needs. */
      readonly value?: unknown
    }

/**
 * Reads a 2xx leniently: what a command needs must be there, everything else is taken as it is. Differences from the
 * contract are listed but not refused.
 *
 * @param pause is awaited between the steps, so that timers and signals act; if it throws, reading ends.
 */
export async function readResponse(
  {operation}: BuiltRequest,
  {status, headers}: WireResponse,
  body: ReceivedBody,
  check: ResponseCheck,
  pause: () => Promise<void>,
): Promise<ReadResponse> {
  const read = readValue(body, operation.success.length === 0)
  if ('wrong' in read) return {proven: false, why: read.wrong}
  const shape = operation.form ? operation.form.responseShape : await responseShape(operation)
  const isEmptyList =
    status === 204 && read.value === undefined && typeof shape === 'object' && 'items' in shape
  const value = isEmptyList ? [] : read.value
  const isProblem = /^\s*application\/problem\+/i.test(headers['content-type'] ?? '')
  const why = isProblem ? 'it describes a problem' : unproven(operation, shape, value)
  await pause()
  const readable = await readableResponse(operation, value)
  await pause()
  if (why !== undefined) return {proven: false, why, ...(value === undefined ? {} : {value: readable})}
  return {proven: true, value: readable, differences: await check(operation, status, value)}
}

/** The value in the body of a 2xx, or what is wrong with it. */
function readValue(body: ReceivedBody, textAllowed: boolean): {value: unknown} | {wrong: string} {
  switch (body.kind) {
    case 'empty':
      return {value: undefined}
    case 'json':
      return {value: body.value}
    case 'text':
      return textAllowed ? {value: body.text} : {wrong: 'it is not JSON'}
    case 'html':
      return {wrong: 'it is an HTML page, perhaps from a proxy or a login page'}
    case 'unreadable':
      return {wrong: body.why}
  }
}

/** The part of the contract that reads responses. Loaded with the first response. */
async function load() {
  const [{operations}, {responseDifferences}, {responseShapes}, {maskExceptSensitive}] = await Promise.all([
    import('../contract/operations.gen.ts'),
    import('../contract/validate.ts'),
    import('../contract/response-shapes.gen.ts'),
    import('../contract/mask-by-shape.ts'),
  ])
  return {operations, responseDifferences, responseShapes, maskExceptSensitive}
}

let loading: ReturnType<typeof load> | undefined
const contract = () => (loading ??= load())

/** How a success differs from the contract; empty for an operation that the contract doesn't describe. */
export const contractCheck: ResponseCheck = async ({id, form}, status, body) => {
  if (form) return form.checkResponse(status, body)
  const {operations, responseDifferences} = await contract()
  return Object.hasOwn(operations, id) ? responseDifferences(id as OperationId, status, body) : []
}

/** The contract's shape of a success, undefined if there is none. */
async function responseShape({id}: Operation): Promise<Shape | undefined> {
  const {responseShapes} = await contract()
  return Object.hasOwn(responseShapes, id) ? responseShapes[id] : undefined
}

/**
 * A response without card numbers and secrets in free text and in fields that the contract doesn't describe. Described
 * values stay unchanged. If the contract describes no response, names and appearance decide.
 */
async function readableResponse(operation: Operation, body: unknown): Promise<unknown> {
  if (operation.form?.handsOut) return body
  const {maskExceptSensitive} = await contract()
  return maskExceptSensitive((await responseShape(operation)) ?? 'unknown', body)
}
