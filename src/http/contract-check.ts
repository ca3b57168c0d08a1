import type {Operation} from '../contract/operation.ts'
import type {Shape} from '../contract/shape.ts'
import type {OperationId} from '../contract/types.ts'
import type {ReplyCheck} from './send-types.ts'

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
export async function replyShape({id}: Operation): Promise<Shape | undefined> {
  const {replyShapes} = await contract()
  return Object.hasOwn(replyShapes, id) ? replyShapes[id] : undefined
}

/**
 * An answer without card numbers and secrets in text and members that the contract doesn't know; nothing it types is
 * changed. Where it describes no answer, names and looks decide.
 */
export async function readableReply(operation: Operation, body: unknown): Promise<unknown> {
  if (operation.form?.handsOut) return body
  const {maskExceptSensitive} = await contract()
  return maskExceptSensitive((await replyShape(operation)) ?? 'unknown', body)
}
