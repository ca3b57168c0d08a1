import type {Operation} from '../contract/operation.ts'
import {unproven} from '../contract/prove-reply.ts'
import type {Shape} from '../contract/shape.ts'
import type {OperationId} from '../contract/types.ts'
import type {ReplyDifference} from '../contract/validate.ts'
import type {WireReply} from './attempt.ts'
import type {BuiltRequest} from './build-request.ts'
import type {ReplyBody} from './reply-body.ts'
import type {ReplyCheck} from './send-types.ts'

/** A 2xx, read: what it says, or why it proves nothing. */
export type ReadReply =
  | {readonly proven: true; readonly value: unknown; readonly differences: readonly ReplyDifference[]}
  | {
      readonly proven: false
      /** A clause about the body: "it is an HTML page, perhaps from a proxy or a login page". */
      readonly why: string
      /** What came, where it is JSON: it may hold an id that somebody needs. */
      readonly value?: unknown
    }

/**
 * Reads a 2xx leniently: what a command needs must be there, all else is taken as it came. What differs from the
 * contract is listed, and nothing is refused for it.
 *
 * @param pause is awaited between the steps, so that timers and signals act; what it throws ends the reading.
 */
export async function readReply(
  {operation}: BuiltRequest,
  {status, headers}: WireReply,
  body: ReplyBody,
  check: ReplyCheck,
  pause: () => Promise<void>,
): Promise<ReadReply> {
  const read = readValue(body, operation.success.length === 0)
  if ('wrong' in read) return {proven: false, why: read.wrong}
  const shape = operation.form ? operation.form.replyShape : await replyShape(operation)
  const isEmptyList =
    status === 204 && read.value === undefined && typeof shape === 'object' && 'items' in shape
  const value = isEmptyList ? [] : read.value
  const isProblem = /^\s*application\/problem\+/i.test(headers['content-type'] ?? '')
  const why = isProblem ? 'it describes a problem' : unproven(operation, shape, value)
  await pause()
  const readable = await readableReply(operation, value)
  await pause()
  if (why !== undefined) return {proven: false, why, ...(value === undefined ? {} : {value: readable})}
  return {proven: true, value: readable, differences: await check(operation, status, value)}
}

/** The value in the body of a 2xx, or what is wrong with it. */
function readValue(body: ReplyBody, textAllowed: boolean): {value: unknown} | {wrong: string} {
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

/** The contract's part that looks at answers. Loaded with the first one. */
async function load() {
  const [{operations}, {replyDifferences}, {replyShapes}, {maskExceptSensitive}] = await Promise.all([
    import('../contract/operations.gen.ts'),
    import('../contract/validate.ts'),
    import('../contract/reply-shapes.gen.ts'),
    import('../contract/mask-by-shape.ts'),
  ])
  return {operations, replyDifferences, replyShapes, maskExceptSensitive}
}

let loading: ReturnType<typeof load> | undefined
const contract = () => (loading ??= load())

/** How a success differs from the contract; an operation that it doesn't know differs in nothing. */
export const contractCheck: ReplyCheck = async ({id, form}, status, body) => {
  if (form) return form.checkReply(status, body)
  const {operations, replyDifferences} = await contract()
  return Object.hasOwn(operations, id) ? replyDifferences(id as OperationId, status, body) : []
}

/** The contract's shape of a success, undefined where it describes none. */
async function replyShape({id}: Operation): Promise<Shape | undefined> {
  const {replyShapes} = await contract()
  return Object.hasOwn(replyShapes, id) ? replyShapes[id] : undefined
}

/**
 * An answer without card numbers and secrets in text and members that the contract doesn't know; nothing it types is
 * changed. Where it describes no answer, names and looks decide.
 */
async function readableReply(operation: Operation, body: unknown): Promise<unknown> {
  if (operation.form?.handsOut) return body
  const {maskExceptSensitive} = await contract()
  return maskExceptSensitive((await replyShape(operation)) ?? 'unknown', body)
}
