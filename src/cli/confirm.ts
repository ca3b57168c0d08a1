import type {AnyInput, Operation} from '../contract/operation.ts'
import type {Hint} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {shellQuoted} from '../errors/suggested-command.ts'
import type {BuiltRequest} from '../http/index.ts'
import {isLoopback} from '../network/check-url.ts'
import {bodyFields} from '../output/changes.ts'
import type {Styled} from '../output/styled.ts'
import {type Demand, decideDemand, resourceOf} from '../profiles/index.ts'
import type {Target} from '../profiles/target.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {MASK} from '../sensitive/secret.ts'
import {actionOf} from './action-words.ts'
import {isHeldBack} from './caller.ts'
import {type Place, placeText, placeWords} from './chosen-service.ts'
import type {Context} from './context.ts'
import {typesName} from './typed-name.ts'

interface RequestQuestion {
  readonly target: Target
  readonly request: Pick<BuiltRequest, 'operation' | 'input' | 'url'>
  /** What the gate demands. */
  readonly demands: readonly Demand[]
  /** `--confirm`. */
  readonly confirm?: readonly string[] | undefined
  /** It was sent before, with a key that the service honours. */
  readonly isRepeat?: boolean
  /** What else to show, line by line. */
  readonly notes?: readonly string[]
}

/**
 * Asks for what the gate demands before a request is sent, in the contract's words.
 *
 * @throws Failure CONFIRMATION_REQUIRED or CONFIRMATION_DECLINED; nothing was sent then.
 */
export async function confirmRequest(context: Context, question: RequestQuestion): Promise<void> {
  const {target, request, demands, confirm: names, isRepeat = false, notes = []} = question
  if (demands.length === 0) {
    // It may be the one sign of a zero too many, so `--quiet` doesn't hide it.
    for (const note of notes) context.printer.warn(note, {code: 'LARGE_CHANGE'})
    return
  }
  const {operation, input, url} = request
  const action = actionOf(operation, input)
  await confirm(context, {
    // A group of operations may have a base URL of its own.
    place: {...target, baseUrl: url},
    action: isRepeat ? `send again, with the same key: ${action}` : action,
    consequence: isRepeat ? REPEATED : consequenceOf(operation),
    details: await membersOf(operation, input),
    notes,
    demands,
    confirm: names,
  })
  const stray = names?.find(name => !mayBeConfirmed(question, name))
  if (stray === undefined) return
  throw new Failure('CONFIRMATION_DECLINED', {
    message: `--confirm names ${maskText(stray)}, and this request would ${action}.`,
    effect: 'none',
  })
}

const REPEATED = 'It takes effect once: if it already did, the service only repeats its response.'

/** A value of `--confirm` must belong to this request, even with `--yes`: another id is a mistake. */
function mayBeConfirmed(
  {request: {operation, input}, target, demands}: RequestQuestion,
  name: string,
): boolean {
  return (
    demands.some(demand => demand.name === name) ||
    name === (resourceOf(operation, input) ?? target.name) ||
    // Of a path without a contract any segment may be the id.
    (operation.topic === 'api' && [operation.path, ...operation.path.split('/')].includes(name)) ||
    operation.irreversible.some(({values}) => values.includes(name))
  )
}

export const consequenceOf = ({consequence, effect}: Operation): string =>
  consequence ??
  (effect === 'destroy' ? "This can't be undone." : 'The contract does not say what effect it has.')

/** More would push the question off the screen. */
const MOST_FIELDS = 24

/** What the body has, value by value. */
async function membersOf(operation: Operation, {body}: AnyInput): Promise<readonly string[]> {
  if (!isObject(body)) return []
  const sensitive = new Set(operation.sensitive.request.map(pointer => pointer.split('/')[1] ?? ''))
  const hidden = [...sensitive].filter(name => Object.hasOwn(body, name)).map(name => [name, MASK])
  const fields = await bodyFields(operation.id, body)
  const open = fields
    .filter(({field}) => !sensitive.has(field))
    .map(({name, text}) => [name, shownText(text)])
  const all = [...open, ...hidden]
  const shown = all.length > MOST_FIELDS + 1 ? all.slice(0, MOST_FIELDS) : all
  const width = Math.max(0, ...shown.map(([name = '']) => name.length))
  const more = all.length - shown.length
  return [
    ...shown.map(([name = '', text = '']) => `  ${name.padEnd(width)}  ${text}`),
    ...(more > 0 ? [`  and ${more} more values; --dry-run shows them`] : []),
  ]
}

/** Only free text is searched for card numbers: references look like some. */
const shownText = (text: string): string => (/\s/.test(text) ? maskText(text) : text)

export const WITHOUT_TLS = 'calls would travel there without TLS'

/**
 * Calls this machine without asking. Any other host must be typed again.
 *
 * @throws Failure CONFIRMATION_REQUIRED or CONFIRMATION_DECLINED
 */
export async function confirmHost(
  context: Context,
  {hostname}: URL,
  {confirm: given, why}: {confirm: string | undefined; why: string},
): Promise<void> {
  if (isLoopback(hostname)) return
  await confirm(context, {
    place: {at: hostname},
    action: 'send calls to another machine than this',
    consequence: `${why[0]?.toUpperCase()}${why.slice(1)}.`,
    demands: [{name: hostname, yes: false}],
    confirm: given === undefined ? [] : [given],
  })
}

/** Everything a person needs to know before agreeing. */
interface Question {
  readonly place: Place
  /** What is about to happen, with the object: `delete price list 5002`. */
  readonly action: string
  /** The consequence, in a sentence or two. */
  readonly consequence: string
  /** Details, line by line. */
  readonly details?: readonly Styled[]
  /** What to show besides, also where nothing is asked. */
  readonly notes?: readonly string[]
  /** What has to be agreed to; a plain yes by default. */
  readonly demands?: readonly Demand[]
  /** `--confirm`. */
  readonly confirm?: readonly string[] | undefined
  /** The hint if there is no terminal, where more is needed than the flags of the demands. */
  readonly otherwise?: Hint
}

const PLAIN_YES: readonly Demand[] = [{yes: true}]

/**
 * The one way to ask before something happens. Every question names the place, the action and the consequence. It
 * doesn't ask about what `--yes` and `--confirm` already cover.
 *
 * @throws Failure CONFIRMATION_REQUIRED or GATE_REFUSED without a terminal, CONFIRMATION_DECLINED
 */
export async function confirm(context: Context, question: Question): Promise<void> {
  const {place, demands: needed = PLAIN_YES, confirm: confirmed = [], notes = []} = question
  const {interactive, caller} = context
  const isHeld = 'name' in place && isHeldBack(caller, place)
  const demands = isHeld ? byHand(place.name, needed) : needed
  const said = isHeld
    ? {interactive, yes: false, confirm: []}
    : {interactive, yes: context.flags.yes ?? false, confirm: confirmed}
  const open = demands.filter(demand => decideDemand(demand, said) === 'refuse')
  const barred = open.find(({refusal}) => refusal !== undefined)
  if (barred !== undefined) throw refusedAlone(question, barred)
  if (open.length > 0) throw confirmationRequired(question, open)
  const toAsk = new Set(demands.filter(demand => decideDemand(demand, said) === 'ask'))
  if (toAsk.size > 0) {
    const {action, consequence, details = []} = question
    if ('name' in place) context.service.wasNamed()
    context.printer.question([placeWords(place), `: ${action}. ${consequence}`].flat(), ...details, ...notes)
  } else {
    // It may be the one sign of a zero too many, so `--quiet` doesn't hide it.
    for (const note of notes) context.printer.warn(note, {code: 'LARGE_CHANGE'})
  }
  let asked = 0
  for (const demand of demands) {
    if (demand.warning !== undefined) context.printer.warn(demand.warning, {code: 'HAZARD'})
    const number = toAsk.size > 1 ? `Question ${toAsk.has(demand) ? ++asked : asked} of ${toAsk.size}. ` : ''
    if (toAsk.has(demand) && !(await agrees(context, demand, number))) {
      throw new Failure('CONFIRMATION_DECLINED', {message: 'Not confirmed.', effect: 'none'})
    }
  }
}

/** What an agent can't agree to: a person types a name, and no flag stands for it. */
function byHand(profile: string, demands: readonly Demand[]): readonly Demand[] {
  const refusal = `The person who looks after the profile ${profile} can do this in a terminal.`
  const held = demands.map(demand => ({refusal, ...demand, yes: false}))
  return held.some(({name}) => name !== undefined) ? held : [...held, {name: profile, yes: false, refusal}]
}

/** @param number which question it is, if there are several: a second one must not come unannounced */
async function agrees({prompter}: Context, {name, warning}: Demand, number: string): Promise<boolean> {
  if (name === undefined)
    return prompter.yes(`${number}${warning === undefined ? 'Continue?' : 'Continue anyway?'}`)
  return typesName(prompter, name, number)
}

function refusedAlone({place, action, consequence}: Question, {warning, refusal}: Demand): Failure {
  return new Failure('GATE_REFUSED', {
    message: `${placeText(place)}: ${action}. ${warning ?? consequence} A person must agree to that, and there is no terminal.`,
    hint: refusal,
    effect: 'none',
  })
}

function confirmationRequired(
  {place, action, consequence, otherwise}: Question,
  open: readonly Demand[],
): Failure {
  const warnings = open.flatMap(({warning}) => (warning === undefined ? [] : [` ${warning}`])).join('')
  const named = open.filter(({yes}) => !yes)
  const instead = open.flatMap(demand => demand.instead ?? [])
  const hint = instead.length > 0 ? instead.join(' ') : (otherwise ?? wayOut(open, named))
  return new Failure('CONFIRMATION_REQUIRED', {
    message: `${placeText(place)}: ${action}. ${consequence}${warnings} Confirmation is needed, but there is no terminal.`,
    hint,
    effect: 'none',
  })
}

/** The flags that agree to what is open. */
function wayOut(open: readonly Demand[], named: readonly Demand[]): string {
  const names = named.map(demand => confirmFlag(demand)).join(' ')
  if (named.length === open.length) {
    return `Add ${names}; --yes does not cover ${named.length === 1 ? 'it' : 'them'}.`
  }
  if (named.length > 0) return `Add ${names} --yes; --yes alone does not cover it.`
  return 'Add --yes.'
}

const confirmFlag = ({name = ''}: Demand): string =>
  `--confirm ${/^[\w.:/-]+$/.test(name) ? name : shellQuoted(name)}`
