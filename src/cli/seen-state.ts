import {isDeepStrictEqual} from 'node:util'
import type {AnyInput, Operation} from '../contract/operation.ts'
import {touchedBy} from '../contract/resource.ts'
import {isObject} from '../errors/is-object.ts'
import type {Journal, RequestRecord} from '../journal/index.ts'
import {fieldAt, flatten} from '../output/fields.ts'
import {MASK} from '../sensitive/secret.ts'
import type {Client} from './client/client.ts'
import type {RowSender} from './client/rows.ts'
import {formerValues, isOfSameTopic} from './former-values.ts'
import {hadNoEffect} from './later-changes.ts'
import type {Turns} from './pace.ts'

/** Dotted field → value. */
export type Fields = Readonly<Record<string, unknown>>

/** What a request sets; nothing for one without a body. */
export const fieldsSetBy = ({body}: AnyInput): Fields => (isObject(body) ? flatten(body) : {})

/**
 * Of what the service returned, the fields that a request sets; for a request without a body, such as a deletion, all.
 * What is masked can't be compared, so it is left out.
 */
export function fieldsSeen(state: unknown, input: AnyInput): Fields {
  const names = Object.keys(fieldsSetBy(input))
  const found =
    names.length === 0
      ? Object.entries(isObject(state) ? flatten(state) : {})
      : names.map(name => [name, fieldAt(state, name)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && !holdsMask(value)))
}

const holdsMask = (value: unknown): boolean => JSON.stringify(value)?.includes(MASK) ?? false

/** Whether a request would leave everything as it was seen. */
export function changesNothing(input: AnyInput, before: Fields): boolean {
  const set = fieldsSetBy(input)
  return Object.keys(set).length > 0 && isDeepStrictEqual({...set}, pickedFrom(before, Object.keys(set)))
}

const pickedFrom = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap(name => (Object.hasOwn(fields, name) ? [[name, fields[name]]] : [])))

/** Reads what a request changes, as the service has it now. */
export type ReadState = (input: AnyInput) => Promise<unknown>

/** Undefined if the contract has no operation that reads what this one changes. */
export async function stateReader(
  client: Client,
  {form}: Operation,
  turns: Pick<Turns, 'admit'>,
): Promise<ReadState | undefined> {
  const operation = await form?.readBack?.()
  if (operation === undefined) return undefined
  let sender: Promise<RowSender> | undefined
  return async ({path}) => {
    sender ??= client.rows(operation)
    const request = (await sender).build({path, query: {}})
    return (await request.send(turns.admit)).body
  }
}

/** What cardctl sent last for the fields of a request, and the newest write of the same resource. */
export function lastSent(
  journal: Journal,
  operation: Operation,
  input: AnyInput,
): {readonly before: Fields; readonly last: string | undefined} {
  const resources = touchedBy(operation, input)
  const names = isObject(input.body) ? Object.keys(input.body) : []
  const {known} = formerValues(journal, {operation: operation.id, resources}, names)
  const values = Object.fromEntries([...known].map(([name, {value}]) => [name, value]))
  const set = fieldsSetBy(input)
  const before = Object.entries(flatten(values)).filter(
    ([name, value]) => Object.hasOwn(set, name) && !holdsMask(value),
  )
  return {before: Object.fromEntries(before), last: newestWrite(journal, operation, input)?.id}
}

/** The newest request of the journal that changed the same resource, or may have. @param job whose requests don't count */
export function newestWrite(
  journal: Journal,
  operation: Operation,
  input: AnyInput,
  job?: string,
): RequestRecord | undefined {
  const [owner] = touchedBy(operation, input)
  if (owner === undefined) return undefined
  for (const one of journal.requests.iterate({resources: [owner]})) {
    if (one.effectMark !== 'write' && one.effectMark !== 'destroy') continue
    if (hadNoEffect(one) || (job !== undefined && one.job === job)) continue
    if (isOfSameTopic(one, operation)) return one
  }
  return undefined
}
