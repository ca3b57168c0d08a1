import type {Context} from '../../../cli/context.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {fieldSchemas, requestSchema} from '../../../contract/schema.ts'
import type {OperationId} from '../../../contract/types.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import type {SuggestedCommand} from '../../../errors/suggested-command.ts'
import type {Target} from '../../../profiles/target.ts'
import {accountTypes, choosePatch} from './account-type.ts'

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

/** Whether the service may have refused a change because the account is of another type. Nothing was changed then. */
export const isOtherType = (error: unknown): error is Failure =>
  error instanceof Failure && error.details.status === 409 && error.details.effect === 'none'

/** Who may be asked for another type. */
interface Asking extends Pick<Context, 'interactive' | 'printer' | 'prompter'> {}

/**
 * Asks for another type after a refusal that may be about it. The service tells no type, and nothing is sent under one
 * that nobody chose.
 *
 * @param tried the types under which it was sent.
 * @param types those that have the fields.
 * @returns undefined where nobody is asked, or who is asked gives up.
 */
export async function askOtherType(
  {interactive, printer, prompter}: Asking,
  id: string,
  error: unknown,
  {tried, types}: {readonly tried: readonly string[]; readonly types: readonly string[]},
): Promise<string | undefined> {
  const known = tried.map(type => type.toLowerCase())
  const left = types.filter(type => !known.includes(type.toLowerCase()))
  if (!interactive || !isOtherType(error) || left.length === 0) return undefined
  printer.warn(error.message)
  const choices = [...left.map(value => ({value, name: value})), {value: '', name: 'none of these: stop'}]
  const chosen = await prompter.choose(`Is account ${id} of another type?`, choices)
  return chosen === '' ? undefined : chosen
}

/** The same error, with the other types that the account may have, and the line that tries the next: no read of the service tells which it is. */
export async function withOtherTypes(
  error: unknown,
  operation: OperationId,
  fields: readonly string[],
  dialect: Target['dialect'],
  again?: (type: string) => SuggestedCommand,
): Promise<unknown> {
  if (!(error instanceof Failure) || operation === 'accounts.patch.v3') return error
  const isContract = error.code === 'CONTRACT_VIOLATION'
  // A 409 also says that the account is closed, for example: then the type isn't the cause.
  if (!isContract && !(isOtherType(error) && /\btype\b/i.test(error.message))) return error
  const fitting = await typesWith(fields, dialect)
  const others = fitting.filter(type => choosePatch('', {type}).operation !== operation)
  // The type has the field: another one would refuse the value, too, unless it lists other values.
  if (isContract && others.length < fitting.length && !/must be one of/.test(error.message)) return error
  const single = others.filter(type => !type.includes('_'))
  const names = [...single, ...(others.length > single.length ? ['MULTICURR_<currency>_<country>'] : [])]
  if (names.length === 0) return error
  const [next] = single
  if (again !== undefined && next !== undefined && !isContract) {
    const rest = names.filter(name => name !== next).map(name => `--type ${name}`)
    const also = rest.length === 0 ? '' : `. Or ${rest.join(', ')}`
    return error.with({
      hint: advice`${error.advice} If the account is of another type: ${again(next)}${also}`,
    })
  }
  const list = names.map(name => `--type ${name}`).join(', ')
  return error.with({hint: `${error.hint} If the account is of another type, pass that: ${list}.`})
}
