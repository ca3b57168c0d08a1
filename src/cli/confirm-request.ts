import type {AnyInput, Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import type {BuiltRequest} from '../http/index.ts'
import {type Demand, resourceOf} from '../profiles/index.ts'
import type {Target} from '../profiles/target.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {MASK} from '../sensitive/secret.ts'
import {confirm} from './confirm.ts'
import type {Context} from './context.ts'

export interface RequestQuestion {
  readonly target: Target
  readonly request: Pick<BuiltRequest, 'operation' | 'input' | 'url'>
  /** What the gate demands. */
  readonly demands: readonly Demand[]
  /** `--confirm`. */
  readonly confirm?: readonly string[] | undefined
}

/**
 * Asks what the gate demands before a request leaves, in the contract's words.
 *
 * @throws Failure CONFIRMATION_REQUIRED or CONFIRMATION_DECLINED; nothing was sent then.
 */
export async function confirmRequest(context: Context, question: RequestQuestion): Promise<void> {
  const {target, request, demands, confirm: names} = question
  if (demands.length === 0) return
  const {operation, input, url} = request
  const action = actionOf(operation, input)
  await confirm(context, {
    // A group of operations may have an address of its own.
    place: {...target, baseUrl: url},
    action,
    consequence: consequenceOf(operation),
    details: membersOf(operation, input),
    demands,
    confirm: names,
  })
  const stray = names?.find(name => !mayBeConfirmed(question, name))
  if (stray === undefined) return
  throw new Failure('CONFIRMATION_DECLINED', {
    message: `--confirm names ${maskText(stray)}, and this request would ${action}.`,
    hint: 'Nothing was sent.',
    effect: 'none',
  })
}

/** Whatever stands behind `--confirm` must be of this request: another id is a slip, `--yes` or not. */
function mayBeConfirmed(
  {request: {operation, input}, target, demands}: RequestQuestion,
  name: string,
): boolean {
  return (
    demands.some(demand => demand.name === name) ||
    name === (resourceOf(operation, input) ?? target.name) ||
    operation.irreversible.some(({values}) => values.includes(name))
  )
}

/** The contract's words, with the ids of this request. */
export function actionOf({action, summary}: Operation, {path}: AnyInput): string {
  return action === undefined
    ? `send ${summary}`
    : action.replaceAll(/\{(\w+)\}/g, (braces, name: string) => path[name] ?? braces)
}

export const consequenceOf = ({consequence, effect}: Operation): string =>
  consequence ??
  (effect === 'destroy' ? "This can't be undone." : 'The contract does not say what comes of it.')

/** What the body holds, member by member. */
function membersOf(operation: Operation, {body}: AnyInput): readonly string[] {
  const members = isObject(body) ? Object.entries(body) : []
  const width = Math.max(0, ...members.map(([name]) => name.length))
  const sensitive = new Set(operation.sensitive.request.map(pointer => pointer.split('/')[1]))
  return members.map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `  ${name.padEnd(width)}  ${sensitive.has(name) ? MASK : shownText(text)}`
  })
}

/** Only what people write is searched for card numbers: references look like some. */
const shownText = (text: string): string => (/\s/.test(text) ? maskText(text) : text)
