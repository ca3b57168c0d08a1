import type {Given} from '../needs.ts'
import type {Answer} from './answered-line.ts'
import {type Asker, fieldName} from './ask-value.ts'

/** What every command has; offered last, in this order. */
const COMMON = ['show-change', 'dry-run', 'note', 'ticket', 'audit-user', 'output', 'profile']

/** For scripts, or set by other answers: never offered. */
const NEVER = [
  ...['field', 'raw-field', 'data', 'skeleton', 'idempotency-key', 'no-check-input', 'strict', 'curl'],
  ...['confirm', 'confirm-count', 'confirm-total', 'api-version', 'allow-v2', 'json', 'interactive'],
]

/** The fields that the contract requires, unless a body was given. */
export async function askForRequiredFields(asker: Asker, given: Given): Promise<Answer> {
  if (given.has('--data') || given.has('--skeleton')) return {}
  const set = new Set(fieldsSetBy(given))
  const flags: string[] = []
  for (const {path, required} of await asker.fields(given)) {
    if (required && !set.has(path)) flags.push(...((await asker.value(fieldName(path), given)).flags ?? []))
  }
  return {flags}
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
  return names.length === 0 ? {} : asker.several('What else? (Enter for nothing)', names, given)
}

function ownNames(asker: Asker, given: Given): readonly string[] {
  const {args, flags} = asker.command
  const isOwn = (name: string): boolean => {
    const {helpGroup, hidden} = flags[name] ?? {}
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
  return asker.conflictIn([name, ...given.keys()]) === undefined
}

/** The paths that `-F` and `-f` of a line set. */
const fieldsSetBy = (given: Given): readonly string[] =>
  [given.get('--field') ?? [], given.get('--raw-field') ?? []]
    .flat()
    .map(text => String(text).split('=', 1)[0] ?? '')
