import type {AnyInput, Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {alarm, type Span, strong} from '../output/styled.ts'
import type {Target} from '../profiles/target.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {MASK} from '../sensitive/secret.ts'
import {isObject, membersAt} from './body.ts'
import type {Context} from './context.ts'

export interface Question {
  readonly target: Target
  readonly operation: Operation
  readonly input: AnyInput
  readonly url: string
  /** `--confirm`. */
  readonly confirm?: string | undefined
}

/**
 * Asks whatever must be asked before a request leaves: irreversible values by name, hazards in the contract's words,
 * live profiles and destruction by typing the id.
 *
 * @throws Failure CONFIRMATION_REQUIRED or CONFIRMATION_DECLINED; nothing was sent then.
 */
export async function confirm(context: Context, question: Question): Promise<void> {
  await confirmIrreversible(context, question)
  await confirmHazards(context, question)
  const {target, operation} = question
  const isLive = target.kind === 'live' && operation.effect !== 'read'
  if (!isLive && operation.effect !== 'destroy') return
  const name = nameOfTarget(operation, question.input)
  if (context.flags.yes || question.confirm === name) return
  if (!context.interactive) {
    throw new Failure('CONFIRMATION_REQUIRED', {
      message: `${operation.summary} on profile ${target.name} must be confirmed, and there is no terminal to ask on.`,
      hint:
        operation.effect === 'destroy'
          ? `Add --yes or --confirm ${name.includes(' ') ? `"${name}"` : name}.`
          : 'Add --yes.',
      effect: 'none',
    })
  }
  showRequest(context, question)
  const typed = await context.prompter.text(`Type ${name} to go on:`)
  if (typed.trim() !== name) declined()
}

async function confirmIrreversible(context: Context, {operation, input, confirm}: Question): Promise<void> {
  for (const {pointer, values, warning} of operation.irreversible) {
    const value = membersAt(input, pointer).find(found => typeof found === 'string' && values.includes(found))
    if (typeof value !== 'string' || confirm === value) continue
    if (!context.interactive) {
      throw new Failure('CONFIRMATION_REQUIRED', {
        message: `${value} cannot be undone: ${warning}`,
        hint: `Add --confirm ${value}; --yes does not cover it.`,
        effect: 'none',
      })
    }
    context.printer.warn(`${value} cannot be undone: ${warning}`)
    if ((await context.prompter.text(`Type ${value} to go on:`)).trim() !== value) declined()
  }
}

async function confirmHazards(context: Context, {operation, input}: Question): Promise<void> {
  const warnings = operation.hazards
    .filter(({pointer, value}) => membersAt(input, pointer).some(found => found === value))
    .map(({warning}) => warning)
  for (const warning of new Set(warnings)) {
    context.printer.warn(warning)
    if (context.flags.yes) continue
    if (!context.interactive) {
      throw new Failure('CONFIRMATION_REQUIRED', {
        message: warning,
        hint: 'Add --yes if that is what you want.',
        effect: 'none',
      })
    }
    if (!(await context.prompter.yes('Is that what you want?'))) declined()
  }
}

/** How questions name a profile: a live one is told from every other by a look. */
export const nameOf = ({kind, name}: Target): readonly Span[] =>
  kind === 'live' ? [alarm('LIVE'), strong(` ${name}`)] : [strong(name)]

function showRequest(context: Context, {target, operation, input, url}: Question): void {
  const title = [...nameOf(target), `  ${operation.method} ${url}`]
  const members = isObject(input.body) ? Object.entries(input.body) : []
  const width = Math.max(0, ...members.map(([name]) => name.length))
  const sensitive = new Set(operation.sensitive.request.map(pointer => pointer.split('/')[1]))
  const lines = members.map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `  ${name.padEnd(width)}  ${sensitive.has(name) ? MASK : shownText(text)}`
  })
  context.printer.note(title, ...lines)
}

/** Only what people write is searched for card numbers: references look like some. */
const shownText = (text: string): string => (/\s/.test(text) ? maskText(text) : text)

/** What a person types to confirm: the id that the path ends with, else the profile's name. */
function nameOfTarget(operation: Operation, input: AnyInput): string {
  const last = operation.pathParams.at(-1)
  return (last === undefined ? undefined : input.path[last]) ?? operation.id
}

function declined(): never {
  throw new Failure('CONFIRMATION_DECLINED', {message: 'Not confirmed.', effect: 'none'})
}
