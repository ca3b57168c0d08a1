import {isObject} from '../errors/is-object.ts'

/** By the status that they set. */
const BY_STATUS: Readonly<Record<string, string>> = {
  ACCOUNT_BLOCKED: 'accounts:block',
  ACCOUNT_OK: 'accounts:unblock',
  ACCOUNT_TO_CLOSE: 'accounts:close',
}

/** The operations of which a plainer command sends a part of the fields. */
export const hasPlainCommand = (operation: string): boolean => /^accounts\.patch[A-Z]/.test(operation)

/** The id of the plainer command that sends just these fields: `accounts:block` for a status alone. */
export function plainCommandOf(operation: string, sent: unknown): string | undefined {
  if (!hasPlainCommand(operation) || !isObject(sent)) return undefined
  const {status, reason: _, multiCurr: __, ...others} = sent
  const [only, ...more] = Object.keys(others)
  if (only === undefined) return typeof status === 'string' ? BY_STATUS[status] : undefined
  return status === undefined && only === 'creditLimit' && more.length === 0 ? 'accounts:limit' : undefined
}
