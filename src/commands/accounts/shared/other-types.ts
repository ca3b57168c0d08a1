import type {Context} from '../../../cli/context.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {fieldSchemas, requestSchema} from '../../../contract/schema.ts'
import type {OperationId} from '../../../contract/types.ts'
import {type Advice, advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import type {SuggestedCommand} from '../../../errors/suggested-command.ts'
import type {Target} from '../../../profiles/target.ts'
import {
  type AccountType,
  accountTypes,
  BY_TYPE,
  choosePatch,
  type KnownType,
  knownType,
  multicurrencySegments,
  typeWords,
} from './account-type.ts'

/** The types of accounts that have all these fields, as far as the service of the profile has such accounts. */
export async function typesWith(
  fields: readonly string[],
  dialect: Target['dialect'],
): Promise<readonly string[]> {
  const types: string[] = []
  for (const type of accountTypes()) {
    const {operation} = choosePatch('', {type})
    if (dialect?.refusal(operations[operation]) !== undefined) continue
    const schema = await requestSchema(operation)
    const known = Object.keys(schema === undefined ? {} : fieldSchemas(schema))
    if (fields.every(field => known.includes(field))) types.push(type)
  }
  return types
}

/** The reasons of services for which no other type helps. */
const OTHER_REASON = /\b(?:closed|closing|final)\b/i

/** Whether the service may have refused a change because the account is of another type. Nothing was changed then. */
export const isOtherType = (error: unknown): error is Failure =>
  error instanceof Failure &&
  error.details.status === 409 &&
  error.details.effect === 'none' &&
  (/\btype\b/i.test(error.message) || !OTHER_REASON.test(error.message))

/** "A debit account has no credit limit." Undefined if the type has them all. The fields are named in words. */
export async function lackOf(choice: AccountType, fields: readonly string[]): Promise<string | undefined> {
  const schema = await requestSchema(choosePatch('', choice).operation)
  const known = Object.keys(schema === undefined ? {} : fieldSchemas(schema))
  const lacks = fields.find(field => !known.includes(field))
  if (lacks === undefined) return undefined
  const words = lacks.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return `A ${(choice.segment ?? choice.type ?? '').toLowerCase()} account has no ${words}.`
}

const isSegment = (type: string): boolean => multicurrencySegments().some(one => one === type)

/** The answer that leads to the question which segment it is. */
const MULTICURRENCY = 'multicurrency'

/** `--type` among questions: four types, and only then which of many segments. */
export const segmentsGrouped = {
  '--type': {name: MULTICURRENCY, asks: 'Segment of the account', has: isSegment},
}

/** What was sent, and under which types. */
interface Tried {
  readonly tried: readonly string[]
  /** Types that have the fields. */
  readonly types: readonly string[]
  readonly fields: readonly string[]
}

/**
 * Asks for another type after a refusal that may be about it, the one of this journal first. No read of the service
 * tells the type, and nothing is sent under one that nobody chose. A type that has no such field can be chosen too:
 * whoever finds that it is a debit account learns that it has no credit limit.
 *
 * @returns undefined where nobody is asked, who is asked gives up, or this journal has a type without such a field.
 */
export async function askOtherType(
  context: Context,
  id: string,
  error: unknown,
  {tried, types, fields}: Tried,
): Promise<string | undefined> {
  const known = tried.map(type => type.toLowerCase())
  const isLeft = (type: string): boolean => !known.includes(type.toLowerCase())
  const left = types.filter(isLeft)
  if (!context.interactive || !isOtherType(error) || left.length === 0) return undefined
  const here = await knownType(context, id)
  // Said at the end, with what there is in its place.
  if (here !== undefined && (await lackOf(here, fields)) !== undefined) return undefined
  context.printer.warn(error.message)
  return askType(context, id, `Is account ${id} of another type?`, {
    types: left,
    tried: known,
    fields,
    here,
    mayStop: true,
  })
}

interface Offered {
  /** Types that have the fields. */
  readonly types: readonly string[]
  /** In small letters. */
  readonly tried?: readonly string[]
  readonly fields: readonly string[]
  /** What this journal has. */
  readonly here?: KnownType | undefined
  readonly mayStop?: boolean
}

/** Asks for a type, and only then which of many segments. Types without the fields can be chosen: who does learns why not. */
export async function askType(
  {prompter}: Context,
  id: string,
  question: string,
  {types, tried = [], fields, here, mayStop = false}: Offered,
): Promise<string | undefined> {
  const single = types.filter(type => !isSegment(type))
  const segments = types.filter(isSegment)
  const first = here !== undefined && types.includes(here.type) ? here : undefined
  const named = (value: string, name = value) => ({value, name})
  const others = Object.keys(BY_TYPE).filter(type => !types.includes(type) && !tried.includes(type))
  const lacks = await Promise.all(others.map(async type => ({type, lack: await lackOf({type}, fields)})))
  const choices = [
    ...(first === undefined ? [] : [named(first.type, `${first.type}: as in request ${first.from}`)]),
    ...single.filter(type => type !== first?.type).map(type => named(type)),
    ...(segments.length === 0 ? [] : [named(MULTICURRENCY, `${MULTICURRENCY}: its segment is asked next`)]),
    ...lacks.flatMap(({type, lack}) => (lack === undefined ? [] : [named(type, `${type}: ${plain(lack)}`)])),
    ...(mayStop ? [named('', 'none of these: stop')] : []),
  ]
  const chosen = await prompter.choose(question, choices)
  if (chosen !== MULTICURRENCY) return chosen === '' ? undefined : chosen
  return prompter.search(`Segment of account ${id}`, typed =>
    segments.filter(name => name.includes((typed ?? '').toUpperCase())).map(name => ({value: name, name})),
  )
}

/** "A debit account has no credit limit." without what stands before it in a list. */
const plain = (lack: string): string => lack.replace(/^.* has /, 'has ').replace(/\.$/, '')

/** What an account has in place of a credit limit. */
export const limitsInstead = (context: Context, id: string, {type, segment}: AccountType): Advice =>
  advice`It has limits of a day, a week or a month; a file of them to fill in: ${context.typedLine(['accounts', 'patch', id, ...(segment === undefined ? ['--type', type ?? ''] : ['--segment', segment]), '--skeleton'])}`

/**
 * The same error, with the type that this journal has of the account, or else the other types that it may have, and the
 * line that tries the next: no read of the service tells which it is.
 */
export async function withOtherTypes(
  context: Context,
  id: string,
  error: unknown,
  {operation, fields, again}: Refused,
): Promise<unknown> {
  if (!(error instanceof Failure) || operation === 'accounts.patch.v3') return error
  const isContract = error.code === 'CONTRACT_VIOLATION'
  // A 409 also says that the account is closed, for example: then the type isn't the cause.
  if (!isContract && !(isOtherType(error) && /\btype\b/i.test(error.message))) return error
  const here = await knownType(context, id)
  const lack = here && (await lackOf(here, fields))
  if (here !== undefined && lack !== undefined)
    return error.with({hint: advice`${typeWords(id, here)} ${lack} ${limitsInstead(context, id, here)}`})
  const fitting = await typesWith(fields, await context.service.dialect())
  const others = fitting.filter(type => choosePatch('', {type}).operation !== operation)
  // The type has the field: another one would refuse the value, too, unless it lists other values.
  if (isContract && others.length < fitting.length && !/must be one of/.test(error.message)) return error
  const single = others.filter(type => !isSegment(type))
  const names = [...single, ...(others.length > single.length ? ['MULTICURR_<currency>_<country>'] : [])]
  if (names.length === 0) return error
  const next = here === undefined ? single[0] : here.type
  if (again !== undefined && next !== undefined && !isContract) {
    if (here !== undefined)
      return error.with({hint: advice`${typeWords(id, here)} Send it as that: ${again(next)}`})
    const rest = names.filter(name => name !== next).map(name => `--type ${name}`)
    const also = rest.length === 0 ? '' : `. Or ${rest.join(', ')}`
    const lacking = Object.keys(BY_TYPE).filter(type => !fitting.includes(type))
    const lacks = await Promise.all(lacking.map(async type => lackOf({type}, fields)))
    return error.with({
      hint: advice`${lacks
        .flatMap(one => one ?? [])
        .map(one => `${one} `)
        .join('')}If the account is of another type: ${again(next)}${also}`,
    })
  }
  const list = names.map(name => `--type ${name}`).join(', ')
  return error.with({hint: `${error.hint} If the account is of another type, pass that: ${list}.`})
}

/** A refused change, and the line that sends it under another type. */
interface Refused {
  readonly operation: OperationId
  readonly fields: readonly string[]
  readonly again?: (type: string) => SuggestedCommand
}
