import {unknownCountries} from '../../contract/explain-errors.ts'
import type {AnyInput} from '../../contract/operation.ts'
import {operations} from '../../contract/operations.gen.ts'
import {requestSchema, schemaAt} from '../../contract/schema.ts'
import type {OperationId} from '../../contract/types.ts'
import {checkInput} from '../../contract/validate.ts'
import type {Dialect} from '../../dialect/index.ts'
import {tryInput, unreadableInput} from '../../input/read-input.ts'
import type {DecimalSigns} from '../../money/decimal-sign.ts'
import {holdsCardNumber} from '../../sensitive/card-number.ts'
import {pathSteps, readData, setField, typeAt, typedValue} from '../body.ts'
import {checkPath} from '../check-input.ts'
import {failureFrom} from '../failure-from.ts'
import type {Surroundings} from '../surroundings.ts'
import type {LocalClock} from '../typed-date.ts'
import {typedField} from '../typed-numbers.ts'

/** An answer is visible on the screen, and an id becomes part of a URL. */
export const isAnswer = (text: string): true | string => {
  if (holdsCardNumber(text)) return 'That looks like a card number: cards get --pan-stdin takes one unseen.'
  return text.trim() !== '' || 'Enter a value.'
}

/** What a check that throws says about an answer. */
export async function saidBy(check: () => unknown): Promise<true | string> {
  try {
    await check()
    return true
  } catch (error) {
    return failureFrom(error).message
  }
}

/** What the contract says about one field of a body, whatever the others will be. */
export async function checkField(
  id: OperationId,
  path: string,
  text: string,
  signs: DecimalSigns,
  clock: LocalClock,
): Promise<true | string> {
  const params: readonly string[] = operations[id].pathParams
  // The commands of several operations call it by one name, wherever each has it.
  if (params.includes(path)) return checkParameter(id, path, text, undefined)
  const schema = await requestSchema(id)
  const field = schema && schemaAt(schema, `/${pathSteps(path).join('/')}`)
  // One item of a list, or the whole list as JSON.
  if (field?.items !== undefined && !/^(\[|null$)/.test(text))
    return checkField(id, `${path}[0]`, text, signs, clock)
  const body: Record<string, unknown> = {}
  const type = typeAt(schema, path)
  const unread = await saidBy(() =>
    setField(body, path, typedValue(schema, path, typedField(type, path, text, signs, clock), type)),
  )
  if (unread !== true) return unread
  const pointer = pathSteps(path)
    .map(step => `/${step}`)
    .join('')
  return problemAt(id, {path: {}, query: {}, body}, pointer)
}

/** What the contract, or the dialect of the service, says about a path parameter; nothing if the operation has none of this name. */
export async function checkParameter(
  id: OperationId,
  name: string,
  text: string,
  dialect: Dialect | undefined,
): Promise<true | string> {
  const params: readonly string[] = operations[id].pathParams
  if (!params.includes(name)) return true
  const said = await saidBy(() => checkPath(operations[id], {[name]: text}, dialect))
  return said === true ? true : said.replace(/\.?$/, '.')
}

/** Whether a file that the command reads can be opened; what is in it is for the command to say. */
export const checkFile = (path: string, {signal}: Surroundings): Promise<true | string> =>
  saidBy(async () => {
    await tryInput(path, signal).catch((error: unknown) => {
      throw unreadableInput(path, error)
    })
  })

/** What is wrong with a file that is sent as the body. */
export async function checkBodyFile(
  id: OperationId | undefined,
  path: string,
  surroundings: Surroundings,
): Promise<true | string> {
  let body: unknown
  const unread = await saidBy(async () => {
    body = await readData(`@${path}`, surroundings)
  })
  return unread !== true || id === undefined ? unread : problemAt(id, {path: {}, query: {}, body}, '')
}

/** @param pointer where it is in the body, or `path:` and a parameter; what is wrong elsewhere doesn't count. */
async function problemAt(id: OperationId, input: AnyInput, pointer: string): Promise<true | string> {
  const found = [...(await checkInput(id, input)), ...unknownCountries(input.body)].find(
    each => each.pointer === pointer || each.pointer.startsWith(`${pointer}/`),
  )
  if (found === undefined) return true
  const {message, suggestion} = found
  return `${message}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`
}
