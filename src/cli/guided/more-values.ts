import type {Given} from '../needs.ts'
import type {Answer} from './answered-line.ts'
import {type Asker, fieldName} from './ask-value.ts'

/** What many commands have; offered last, in this order. */
const COMMON = [
  ...['note', 'ticket', 'all', 'limit', 'page-size', 'watch', 'show-change', 'dry-run', 'propose'],
  ...['plan', 'audit-user', 'output', 'profile', 'clock-is-right'],
]

/** Alone, these are no reason to ask. */
const EVERYWHERE = ['--watch', '--dry-run', '--audit-user', '--output', '--profile', '--clock-is-right']

/** For scripts, or set by other answers: never offered. */
const NEVER = [
  ...['field', 'raw-field', 'data', 'skeleton', 'idempotency-key', 'no-check-input', 'strict', 'curl'],
  ...['confirm', 'confirm-count', 'confirm-total', 'api-version', 'allow-v2', 'json', 'interactive'],
]

/** The first field that the contract requires and the line doesn't set, unless it gives a body. */
export async function missingField(asker: Asker, given: Given): Promise<string | undefined> {
  if (given.has('--data') || given.has('--skeleton')) return undefined
  const set = new Set(fieldsSetBy(given))
  const field = (await asker.fields(given)).find(({path, required}) => required && !set.has(path))
  return field && fieldName(field.path)
}

/** Offers the values that aren't needed: those of the command first, then fields of the body, then what all commands have. */
export async function askForMore(asker: Asker, given: Given): Promise<Answer> {
  const set = new Set(fieldsSetBy(given))
  const fields = (await asker.fields(given)).filter(({path, required}) => !required && !set.has(path))
  const names = [
    ...ownNames(asker, given),
    ...fields.map(({path}) => fieldName(path)),
    ...commonNames(asker, given),
  ]
  const isWorthIt = names.some(name => !EVERYWHERE.includes(name))
  return isWorthIt ? asker.several('What else? (Enter for nothing)', names, given) : {}
}

function ownNames(asker: Asker, given: Given): readonly string[] {
  const {args, flags} = asker.command
  // Nothing here knows the fields of an imported operation, so they are typed as path=value.
  const takesUnknownFields = asker.command.claims.length === 0
  const isOwn = (name: string): boolean => {
    const {helpGroup, hidden} = flags[name] ?? {}
    if (name === 'field') return takesUnknownFields
    return helpGroup !== 'GLOBAL' && !hidden && ![...COMMON, ...NEVER].includes(name)
  }
  const names = [
    ...Object.keys(args),
    ...Object.keys(flags)
      .filter(isOwn)
      .map(name => `--${name}`),
  ]
  return names.filter(name => fits(asker, name, given))
}

const commonNames = (asker: Asker, given: Given): readonly string[] =>
  COMMON.filter(name => name in asker.command.flags)
    .map(name => `--${name}`)
    .filter(name => fits(asker, name, given))

/** Whether a value can still be given: it isn't, and goes with what is. */
function fits(asker: Asker, name: string, given: Given): boolean {
  if (given.has(name)) return false
  const {dependsOn = []} = asker.definition(name)
  if (dependsOn.some(other => !given.has(`--${String(other)}`))) return false
  if (isAnswered(asker, name, given) || isForAnother(asker, name, given)) return false
  return asker.conflictIn([name, ...given.keys()]) === undefined
}

/** Whether it is another way to say what was said: an id was given, so no card number is needed. */
const isAnswered = ({command: {guide}}: Asker, name: string, given: Given): boolean =>
  (guide.needs ?? []).some(
    ({anyOf, several}) => !several && anyOf.includes(name) && anyOf.some(other => given.has(other)),
  ) ||
  // Asked for before, or known.
  guide.unlessKnown?.anyOf.includes(name) === true ||
  guide.unlessKnown?.or?.includes(name) === true

/** Whether it goes with another choice than was made: only one of the wallets has a provider. */
function isForAnother({command: {guide}}: Asker, name: string, given: Given): boolean {
  const uses = (guide.needs ?? []).filter(({anyOf}) => anyOf.includes(name))
  return uses.length > 0 && uses.every(({when}) => when?.(given) === false)
}

/** The paths that `-F` and `-f` of a line set. */
const fieldsSetBy = (given: Given): readonly string[] =>
  [given.get('--field') ?? [], given.get('--raw-field') ?? []]
    .flat()
    // Of a list the first item is enough.
    .map(text => (String(text).split('=', 1)[0] ?? '').replace(/\[\d+\].*$/, ''))
