import type {Operation} from '../contract/operation.ts'
import type {OperationId} from '../contract/types.ts'
import type {ReplyCheck} from './send-types.ts'

// Loaded with the first answer.
let check: ReplyCheck | undefined
let read: ((id: string, body: unknown) => unknown) | undefined

/** The contract's own check of an answer; an operation that it doesn't know passes. */
export const contractCheck: ReplyCheck = async (operation, status, body) => {
  check ??= await load()
  return check(operation, status, body)
}

async function load(): Promise<ReplyCheck> {
  const [{operations}, {checkReply}] = await Promise.all([
    import('../contract/operations.gen.ts'),
    import('../contract/validate.ts'),
  ])
  return async ({id}, status, body) =>
    Object.hasOwn(operations, id) ? checkReply(id as OperationId, status, body) : []
}

/**
 * An answer without card numbers and secrets in text and members that the contract doesn't know; nothing it types is
 * changed. Where it describes no answer, names and looks decide.
 */
export async function readableReply({id}: Operation, body: unknown): Promise<unknown> {
  read ??= await loadReading()
  return read(id, body)
}

async function loadReading(): Promise<NonNullable<typeof read>> {
  const [{replyShapes}, {readable}] = await Promise.all([
    import('../contract/reply-shapes.gen.ts'),
    import('../contract/seen-as.ts'),
  ])
  return (id, body) =>
    readable((Object.hasOwn(replyShapes, id) ? replyShapes[id] : undefined) ?? 'unknown', body)
}
