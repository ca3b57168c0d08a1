import type {Operation} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import type {Journal, RequestRecord} from '../journal/index.ts'
import {fieldTexts} from '../output/changes.ts'
import {MASK} from '../sensitive/secret.ts'
import {actionWords} from './action-words.ts'
import {EarlierRequests} from './earlier-requests.ts'
import {operationOf, sentFieldsOf, setsFields, undoOf, valuesBefore} from './former-values.ts'
import {plainCommandOf} from './plain-commands.ts'

/** In place of a value that was not kept. */
const UNNAMED = '…'

/** Fields that are named with their values. */
const MOST_FIELDS = 4

type Fields = Readonly<Record<string, unknown>>
type FieldText = (field: string, value: unknown) => string

/** What the journal knows about a request, for every list, report and question. */
export interface ToldRequest {
  /** What it did, in words: `change the limit of credit account 2001: 6 → 6,000 (undone: back to 6)`. */
  readonly did: string
  /** The fields that were sent, masked and shortened. */
  readonly sent: unknown
  /** What cardctl last sent for the same fields of the same resource before. */
  readonly before: Fields | undefined
  /** The newest request that undid this one, or may have. */
  readonly undoneBy: string | undefined
}

/**
 * What was done, without values: `block credit account 2001`; the operation's id if the contract doesn't know it. For an
 * entry of the audit trail whose request the journal no longer has.
 */
export function wordsFor(
  id: string | undefined,
  kind: string,
  resources: readonly string[],
  sent?: unknown,
): string {
  const operation = id === undefined ? undefined : operationOf({operation: id})
  if (operation === undefined) return id ?? ''
  const nameOf = (name: string): string => {
    const value = isObject(sent) ? sent[name] : undefined
    return typeof value === 'string' ? value : (idOf(operation, name, resources) ?? UNNAMED)
  }
  const action = actionWords(operation, sent, nameOf)
  return kind === 'reveal' ? revealWords(action ?? operation.summary) : (action ?? operation.summary)
}

/** What the service disclosed was encrypted; the person saw it in clear. */
const revealWords = (action: string): string =>
  `show to a person: ${action.replace(/^disclose /, '').replace(/(?: that belongs to the control id)?,? \(?encrypted\)?$/, '')}`

function idOf({touches}: Operation, name: string, resources: readonly string[]): string | undefined {
  const kind = touches.find(({at}) => at === `path:${name}`)?.kind
  const found = resources.find(one => one.startsWith(`${kind}:`))
  return found?.slice(found.indexOf(':') + 1)
}

/** The one place that says what a request of the journal did: with former and new values, and whether it was undone. */
export class RequestWords {
  readonly #journal: Journal
  readonly #earlier: EarlierRequests
  readonly #texts: ReadonlyMap<string, FieldText>

  private constructor(journal: Journal, texts: ReadonlyMap<string, FieldText>) {
    this.#journal = journal
    this.#earlier = new EarlierRequests(journal)
    this.#texts = texts
  }

  static async open(journal: Journal): Promise<RequestWords> {
    const setting = Object.values<Operation>(operations).filter(setsFields)
    const texts = setting.map(async ({id}) => [id, await fieldTexts(id)] as const)
    return new RequestWords(journal, new Map(await Promise.all(texts)))
  }

  tell(record: RequestRecord): ToldRequest {
    const {id, effect, undoOf: undone} = record
    const sent = withoutKey(() => this.#journal.requests.sent(id))
    const changes = setsFieldsOf(record)
    const earlierOf = (owner: string) => this.#earlier.of(owner, record)
    const before = withoutKey(() =>
      changes && effect !== 'none' ? valuesBefore(this.#journal, record, earlierOf) : undefined,
    )
    const undo = changes ? undoOf(this.#journal, id) : undefined
    const did = this.words(record, sent, before)
    const marks = [
      ...this.#repeatWords(record),
      ...(undo === undefined ? [] : [this.#undoneWords(record, sent, undo)]),
    ]
    return {
      did: `${undone === undefined ? '' : 'undo: '}${did}${marks.map(mark => ` (${mark})`).join('')}`,
      sent,
      before,
      undoneBy: undo?.id,
    }
  }

  /** That a request did nothing that another one had not done. */
  #repeatWords({effect, replayed, retryOf}: RequestRecord): readonly string[] {
    const first = retryOf === undefined ? undefined : this.#journal.requests.get(retryOf)
    if (effect === 'done' && first?.effect === 'done') return ['sent again with the same key: done once']
    return replayed === true ? ['a stored response: nothing was changed'] : []
  }

  /** What a request does with these fields, where the resource had others before. */
  words(record: Said, sent: unknown, before: Fields | undefined): string {
    return wordsWith(this.#texts.get(record.operation), record, sent, before)
  }

  /** `undone: back to 6`; of several fields each with its name. */
  #undoneWords(record: RequestRecord, sent: unknown, undo: RequestRecord): string {
    const text = this.#texts.get(record.operation) ?? String
    const values = sentFieldsOf(this.#journal, undo)
    const plain = plainCommandOf(record.operation, sent)
    const main = plain === 'accounts:limit' ? 'creditLimit' : plain === undefined ? undefined : 'status'
    const isOne = Object.keys(isObject(sent) ? sent : {}).length === 1
    const back = Object.entries(values).map(([name, value]) =>
      isScalar(value)
        ? `${isOne || name === main ? '' : `${name} `}back to ${text(name, value)}`
        : `${name} back to its former value`,
    )
    return `${undo.effect === 'done' ? 'undone' : 'may be undone'}: ${listed(back)}`
  }
}

/** `RequestWords.words` for a request that no journal has. */
export async function wordsOfRequest(
  record: Said,
  sent: unknown,
  before: Fields | undefined,
): Promise<string> {
  const operation = operationOf(record)
  const text = operation && setsFields(operation) ? await fieldTexts(operation.id) : undefined
  return wordsWith(text, record, sent, before)
}

type Said = Pick<RequestRecord, 'operation' | 'effectMark' | 'resources'>

function wordsWith(
  text: FieldText | undefined,
  {operation: id, effectMark, resources}: Said,
  sent: unknown,
  before: Fields | undefined,
): string {
  const words = wordsFor(id, effectMark, resources, sent)
  if (text === undefined || !isObject(sent)) return words
  const {pathParams = []} = operationOf({operation: id}) ?? {}
  const fields = Object.entries(sent).filter(([name]) => !pathParams.includes(name))
  const plain = plainCommandOf(id, Object.fromEntries(fields))
  if (plain === undefined) {
    const changes = listed(fields.map(([name, value]) => `${name}${changeWords(text, name, value, before)}`))
    return changes === '' ? words : `${words}: ${changes}`
  }
  const reason = typeof sent.reason === 'string' ? ` (reason: ${sent.reason})` : ''
  if (plain !== 'accounts:limit') return `${words}${reason}`
  const change = changeWords(text, 'creditLimit', sent.creditLimit, before)
  return `${words}${change.includes(ARROW) ? `:${change}` : ` to${change}`}${reason}`
}

const ARROW = ' → '

/** ` 6 → 6,000`, or ` 6,000` if no former value is known. A value that is masked or has parts is left out. */
function changeWords(text: FieldText, name: string, value: unknown, before: Fields | undefined): string {
  if (!isScalar(value)) return ''
  const former = before !== undefined && Object.hasOwn(before, name) ? before[name] : undefined
  const isKnown = former !== undefined && isScalar(former)
  return ` ${isKnown ? `${text(name, former)}${ARROW}` : ''}${text(name, value)}`
}

const isScalar = (value: unknown): boolean => value !== MASK && (value === null || typeof value !== 'object')

function listed(parts: readonly string[]): string {
  const more = parts.length - MOST_FIELDS
  return more <= 1 ? parts.join(', ') : `${parts.slice(0, MOST_FIELDS).join(', ')} and ${more} more fields`
}

function setsFieldsOf(record: RequestRecord): boolean {
  const operation = operationOf(record)
  return operation !== undefined && setsFields(operation)
}

/** Without its key the journal still says what was asked, but not with which values. */
function withoutKey<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Failure && error.code === 'STORE_DAMAGED') return undefined
    throw error
  }
}
