import type {OperationId} from '../contract/types.ts'
import type {ReplyCheck} from './send-types.ts'

let check: ReplyCheck | undefined

/** The contract's own check of an answer; an operation that it doesn't know passes. Loaded with the first answer. */
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
