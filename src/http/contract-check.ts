import type {OperationId} from '../contract/types.ts'
import type {ReplyCheck} from './send-types.ts'

/** The contract's own check of an answer; an operation that it doesn't know passes. Loaded with the first answer. */
export const contractCheck: ReplyCheck = async (operation, status, body) => {
  const [{operations}, {checkReply}] = await Promise.all([
    import('../contract/operations.gen.ts'),
    import('../contract/validate.ts'),
  ])
  if (!Object.hasOwn(operations, operation.id)) return []
  return checkReply(operation.id as OperationId, status, body)
}
