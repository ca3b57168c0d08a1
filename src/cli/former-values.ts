import {amountsIn, type FoundAmount} from '../contract/marked-values.ts'
import type {AnyInput, Operation} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {touchedBy} from '../contract/resource.ts'
import {isObject} from '../errors/is-object.ts'
import type {Journal, RequestRecord} from '../journal/index.ts'
import {decimalText} from '../money/amount.ts'
import {shownNumber} from '../money/decimal-sign.ts'

/** A value that cardctl sent for a field before. Like everything that the journal shows, it may be masked or shortened. */
interface FormerValue {
  readonly value: unknown
  /** The request that sent it. */
  readonly from: RequestRecord
}

/** What the journal knows about fields of a resource at the time of a request. */
interface FormerValues {
  readonly known: ReadonlyMap<string, FormerValue>
  /** Fields without a certain former value, each with the request that makes it uncertain. */
  readonly uncertain: ReadonlyMap<string, RequestRecord>
}

/** Number of earlier requests of one resource that are looked through. */
const FARTHEST = 1000

/** The contract's operation of a request; undefined for a path that the contract doesn't describe. */
export const operationOf = ({operation}: Pick<RequestRecord, 'operation'>): Operation | undefined =>
  (operations as Readonly<Record<string, Operation>>)[operation]

/** Whether an operation sets named fields and leaves the others as they are. */
export const setsFields = ({method, effect}: Operation): boolean => method === 'PATCH' && effect === 'write'

/** The resource whose fields a request sets: the one in its path. */
export function ownerOf({touches}: Operation, {resources}: Pick<RequestRecord, 'resources'>) {
  const kind = touches.find(({at}) => at.startsWith('path:'))?.kind
  return resources.find(one => one.startsWith(`${kind}:`))
}

/** The fields that a request sent, as the journal keeps them. Choices in the path aren't fields. */
export function sentFieldsOf(journal: Journal, record: RequestRecord): Readonly<Record<string, unknown>> {
  const sent = journal.requests.sent(record.id)
  if (!isObject(sent)) return {}
  const {pathParams = []} = operationOf(record) ?? {}
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !pathParams.includes(name)))
}

/**
 * What cardctl last sent for each of these fields of the same resource, with effect, before a request. Others may have
 * changed them in between: the journal knows only what was sent from here.
 */
export function formerValues(
  journal: Journal,
  record: Change,
  fields: readonly string[],
  earlierOf = (owner: string): Iterable<RequestRecord> =>
    journal.requests.iterate({resources: [owner], before: recorded(record)}),
): FormerValues {
  const known = new Map<string, FormerValue>()
  const uncertain = new Map<string, RequestRecord>()
  const operation = operationOf(record)
  const owner = operation && setsFields(operation) ? ownerOf(operation, record) : undefined
  if (operation === undefined || owner === undefined) return {known, uncertain}
  const open = new Set(fields)
  let looked = 0
  for (const earlier of earlierOf(owner)) {
    if (open.size === 0 || looked++ === FARTHEST) break
    if (earlier.effect === 'none' || earlier.replayed === true || isSameChange(earlier, record)) continue
    if (!isOfSameTopic(earlier, operation)) continue
    const set = fieldsSetBy(journal, earlier, [...open])
    const isCertain = earlier.effect === 'done' && set.values !== undefined
    for (const name of set.names) {
      if (isCertain) known.set(name, {value: set.values?.[name], from: earlier})
      else uncertain.set(name, earlier)
      open.delete(name)
    }
  }
  return {known, uncertain}
}

/** A request of the journal, or one that is not recorded yet. */
type Change = Pick<RequestRecord, 'operation' | 'resources'> & Partial<RequestRecord>

const recorded = ({id, begunAt}: Change): Pick<RequestRecord, 'id' | 'begunAt'> | undefined =>
  id === undefined || begunAt === undefined ? undefined : {id, begunAt}

/** A request and its repeat with the same key are one change. */
export const isSameChange = (one: Change, other: Change): boolean =>
  isSame(one.id, other.id) ||
  isSame(one.retryOf, other.id) ||
  isSame(other.retryOf, one.id) ||
  (isSame(one.key, other.key) && one.path === other.path)

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && one === other

export const isOfSameTopic = (earlier: RequestRecord, {topic, id}: Operation): boolean =>
  earlier.operation === id || operationOf(earlier)?.topic === topic

/** A request of the same topic that sets no named fields, such as the write-off of an account, may set any of them. */
function fieldsSetBy(journal: Journal, earlier: RequestRecord, open: readonly string[]) {
  const operation = operationOf(earlier)
  const values = sentFieldsOf(journal, earlier)
  if (operation === undefined || !setsFields(operation) || Object.keys(values).length === 0)
    return {names: open, values: undefined}
  return {names: open.filter(name => Object.hasOwn(values, name)), values}
}

/** The newest undo of a request that had an effect or may have had one, and wasn't undone itself. */
export function undoOf(journal: Journal, id: string): RequestRecord | undefined {
  return journal.requests
    .undosOf(id)
    .findLast(undo => undo.effect !== 'none' && undoOf(journal, undo.id)?.effect !== 'done')
}

/** The former values of everything that a request sent, for showing them; undefined if none is known. */
export function valuesBefore(
  journal: Journal,
  record: RequestRecord,
  earlierOf?: (owner: string) => Iterable<RequestRecord>,
): Readonly<Record<string, unknown>> | undefined {
  const fields = Object.keys(sentFieldsOf(journal, record))
  const {known} = formerValues(journal, record, fields, earlierOf)
  if (known.size === 0) return undefined
  return Object.fromEntries([...known].map(([name, {value}]) => [name, value]))
}

/** A request that may change amounts, before it is recorded. */
interface ComingChange extends Partial<Pick<RequestRecord, 'key' | 'path' | 'retryOf'>> {
  readonly operation: Operation
  readonly input: AnyInput
}

const MANY = 10

/**
 * The amounts of a request that are at least ten times what was last sent from here for the same field, or at most a
 * tenth of it, or that are or were 0: a slip of the decimal sign or of a digit looks like that. In words, one by one.
 */
export function largeChanges(journal: Journal, change: ComingChange): readonly string[] {
  const former = formerAmounts(journal, change)
  return amountsIn(change.operation, change.input).flatMap(amount => {
    const before = former.get(amount.name)
    const words = before === undefined ? undefined : changeInWords(amount, before)
    return words === undefined ? [] : [`${amount.name}: ${words}.`]
  })
}

/** That an amount is set for the first time from here, so that nothing can take it back; undefined if none is. */
export function firstAmounts(journal: Journal | undefined, change: ComingChange): string | undefined {
  const former = journal === undefined ? new Map<string, number>() : formerAmounts(journal, change)
  const first = amountsIn(change.operation, change.input).filter(({name}) => !former.has(name))
  if (first.length === 0) return undefined
  const names = first.map(({name}) => name).join(', ')
  return `The former ${names} is not known here, so this can't be undone from here.`
}

/** What was last sent from here, by field. */
function formerAmounts(journal: Journal, {operation, input, ...record}: ComingChange): Map<string, number> {
  if (amountsIn(operation, input).length === 0 || !isObject(input.body)) return new Map()
  const about = {...record, operation: operation.id, resources: touchedBy(operation, input)}
  const {known} = formerValues(journal, about, Object.keys(input.body))
  const body = Object.fromEntries([...known].map(([name, {value}]) => [name, value]))
  return new Map(amountsIn(operation, {body}).map(amount => [amount.name, amount.value]))
}

function changeInWords(amount: FoundAmount, before: number): string | undefined {
  const {value} = amount
  const [large, small] = [
    Math.max(Math.abs(before), Math.abs(value)),
    Math.min(Math.abs(before), Math.abs(value)),
  ]
  // A little less, so that 1.1 -> 11 counts, which floating point makes 10 times at most.
  if (large === small || large < small * MANY * (1 - 1e-9)) return undefined
  const shown = (number: number): string =>
    shownNumber(decimalText(number)) + (number === 0 && amount.unlimited ? ' (no limit)' : '')
  const change = `${shown(before)} was last sent from here, now ${shown(value)}`
  if (small === 0) return change
  return `${change}: ${Math.abs(value) === large ? `${MANY} times as much or more` : 'a tenth or less'}`
}
