import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import type {ServiceResponse} from '../../../http/index.ts'
import type {Target} from '../../../profiles/target.ts'
import {BY_TYPE, choosePatch} from '../../accounts/shared/account-type.ts'

/** A write that is undone: an account is blocked, and unblocked. */
export interface PlannedWrite {
  readonly account: string
  readonly type: string
  readonly operation: Operation
  readonly path: Record<string, string>
}

/** @throws Failure USAGE without a dialect that maps it; GATE_REFUSED on a profile that is neither test nor sandbox */
export function planWrite(
  {name, kind, dialect}: Target,
  account: string | undefined,
  type: string | undefined,
): PlannedWrite | undefined {
  if (account === undefined) return undefined
  if (kind !== 'test' && kind !== 'sandbox')
    throw new Failure('GATE_REFUSED', {
      message: `Profile ${name} is live: --with-write changes an account, if only for a moment.`,
      hint: 'Check the dialect with a test or sandbox profile.',
      effect: 'none',
    })
  const mapped = (id: string): boolean =>
    dialect?.requests(id).some(({input}) => input.some(({ours}) => ours === '/status')) === true
  const chosen = type ?? Object.entries(BY_TYPE).find(([, id]) => mapped(id))?.[0]
  if (chosen !== undefined) {
    const {operation, path} = choosePatch(account, {type: chosen})
    if (mapped(operation)) return {account, type: chosen, operation: operations[operation], path: {...path}}
  }
  throw new Failure('USAGE', {
    message:
      dialect === undefined
        ? `The profile ${name} has no dialect to check with a write.`
        : `The dialect ${dialect.name} does not map the status of ${type === undefined ? 'accounts' : `accounts of type ${type}`}.`,
    effect: 'none',
  })
}

/** What came of it: the response to the write, or why it can't be used, and the failure to end with. */
type Proven = ({readonly response: ServiceResponse} | {readonly refused: Failure}) & {
  readonly failure: Failure | undefined
}

const call = ({operation, path}: PlannedWrite, status: string) => ({
  operation,
  input: {path, query: {}, body: {status}} satisfies AnyInput,
})

/** Nothing is changed that could not be changed back. @throws Failure for what would be refused before it is sent */
export async function proveUndoable(client: Client, write: PlannedWrite): Promise<void> {
  for (const status of [BLOCKED, OK]) await client.prepare(call(write, status))
}

const [BLOCKED, OK] = ['ACCOUNT_BLOCKED', 'ACCOUNT_OK']

export async function checkedByWrite(context: Context, client: Client, write: PlannedWrite): Promise<Proven> {
  const {account, type} = write
  const back = context.commandLine('accounts', 'unblock', {value: account}, '--type', {value: type})
  const stays = (now: string, {code, message, details}: Failure): Failure =>
    new Failure(code, {
      ...details,
      message: `Account ${account} ${now}: ${message}`,
      effect: 'unknown',
      hint: advice`Look at the account, and unblock it if it is blocked: ${back}`,
    })
  let proven: {readonly response: ServiceResponse} | {readonly refused: Failure}
  try {
    proven = {response: (await client.request(call(write, BLOCKED), {isReported: true})).response}
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const {effect, status = 0} = error.details
    proven = {refused: error}
    if (effect === 'none') return {...proven, failure: error}
    // While it may still take effect, it could undo the undoing. A success that says nothing has taken it.
    if (status < 200 || status > 299 || status === 202)
      return {...proven, failure: stays('may be blocked, and was not unblocked', error)}
  }
  try {
    await client.request(call(write, OK), {isReported: true})
    return {...proven, failure: undefined}
  } catch (error) {
    if (!(error instanceof Failure)) {
      context.printer.warn(
        `Account ${account} was blocked, and may still be. Look at it, and unblock it: ${back}`,
      )
      throw error
    }
    const now =
      error.details.effect === 'none' && 'response' in proven ? 'is blocked now' : 'may still be blocked'
    return {...proven, failure: stays(`${now}; it could not be unblocked again`, error)}
  }
}
