import {importPublicKey} from '../card-crypto/index.ts'
import {unknownCountries, valueAt} from '../contract/explain-errors.ts'
import {plainNames, plainWord} from '../contract/marked-values.ts'
import {type AnyInput, type Operation, type ResourceKind, withAuditUser} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {plainId} from '../contract/resource.ts'
import {fieldSchemas, type JsonSchema, requestSchema} from '../contract/schema.ts'
import type {OperationId} from '../contract/types.ts'
import {type Violation, checkInput as violationsOf} from '../contract/validate.ts'
import {leaves} from '../dialect/index.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import type {Target} from '../profiles/target.ts'
import {pointerBelow} from '../sensitive/json-pointer.ts'
import {openSecrets} from '../sensitive/secret.ts'

/**
 * Compares an input with the contract, or with the user's own document. Does nothing for an operation that neither
 * describes.
 *
 * @throws Failure CONTRACT_VIOLATION; nothing was sent then.
 */
export async function checkInput(
  operation: Operation,
  input: AnyInput,
  dialect?: Target['dialect'],
): Promise<void> {
  if (!operation.form && !(operation.id in operations)) return
  // Opened for the check only; violations never quote values.
  const clear = 'body' in input ? {...input, body: openSecrets(input.body)} : input
  const violations = operation.form
    ? await operation.form.check(clear)
    : [...(await violationsOf(operation.id as OperationId, clear)), ...unknownCountries(clear.body)]
  const own = operation.form
    ? violations
    : dialect === undefined
      ? [...violations, ...oddIds(operation, clear)]
      : asTheirs(operation, clear, violations, dialect)
  refuse(operation, input, [...own, ...toItself(operation, clear)])
}

/**
 * Compares the parameters of a path with the contract, or with the dialect of the service, before the rest is known.
 *
 * @throws Failure CONTRACT_VIOLATION
 */
export async function checkPath(
  operation: Operation,
  path: AnyInput['path'],
  dialect?: Target['dialect'],
): Promise<void> {
  const input = {path, query: {}}
  const found = await violationsOf(operation.id as OperationId, input)
  const violations = found.filter(({pointer}) => Object.keys(path).some(name => pointer === `path:${name}`))
  const own =
    dialect === undefined
      ? [...violations, ...oddIds(operation, input)]
      : asTheirs(operation, input, violations, dialect)
  refuse(operation, input, own)
}

/**
 * What is refused of a batch of transfers also in input that isn't checked: a transfer from an account to itself, and
 * what a service may read where the questions about transfers don't look.
 *
 * @throws Failure CONTRACT_VIOLATION
 */
export async function refuseUnsafeBatch({
  operation,
  input,
}: {
  operation: Operation
  input: AnyInput
}): Promise<void> {
  if (operation.id !== 'a2a.create.v1') return
  const schema = await requestSchema('a2a.create.v1')
  const respelled = schema === undefined ? [] : respelledIn(input.body, schema).slice(0, MOST)
  refuse(operation, input, [...toItself(operation, input), ...respelled])
}

/** The kinds of resources whose ids stand in a member or path parameter: `fromAccountId` has an account's. */
const ID_MEMBERS: readonly (readonly [RegExp, ResourceKind])[] = [
  [/^(from|to)?AccountId$|^parentId$/i, 'account'],
  [/^customerId$/, 'customer'],
  [/^cardId$/, 'card'],
  [/^priceListId$/, 'pricelist'],
]

/** The kind of a path's plain `id`, by topic. */
const TOPIC_KINDS: Readonly<Record<string, ResourceKind>> = {
  cards: 'card',
  accounts: 'account',
  a2a: 'batch',
}

const kindOf = (name: string): ResourceKind | undefined =>
  ID_MEMBERS.find(([members]) => members.test(name))?.[1]

const lastStep = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1)

/** The contract's ids are digits; those of another service look as its dialect says. */
function asTheirs(
  {topic}: Operation,
  {path, body}: AnyInput,
  violations: readonly Violation[],
  dialect: NonNullable<Target['dialect']>,
): readonly Violation[] {
  const isId = (kind: ResourceKind | undefined, value: unknown): boolean | undefined =>
    kind === undefined || typeof value !== 'string' ? undefined : dialect.isId(kind, value)
  const others = violations.filter(
    ({pointer}) => isId(kindOf(lastStep(pointer)), valueAt(body, pointer)) !== true,
  )
  const inPath = Object.entries(path)
    .filter(([name, id]) => isId(name === 'id' ? TOPIC_KINDS[topic] : kindOf(name), id) === false)
    .map(([name]) => ({pointer: `path:${name}`, message: theirForm(name, topic, dialect)}))
  const inBody = leaves(body)
    .filter(pointer => isId(kindOf(lastStep(pointer)), valueAt(body, pointer)) === false)
    .map(pointer => ({
      pointer,
      message: theirForm(pointer.slice(1).replaceAll('/', '.'), topic, dialect),
    }))
  return [...others, ...inPath, ...inBody.slice(0, MOST)]
}

/** `id is not the id of a card at this service, which looks like ^crd_[0-9]+$`. */
function theirForm(place: string, topic: string, dialect: NonNullable<Target['dialect']>): string {
  const name = place.slice(place.lastIndexOf('.') + 1)
  const kind = name === 'id' ? TOPIC_KINDS[topic] : kindOf(name)
  const form = kind && dialect.idForm(kind)
  return `${place} is not the id of ${kind === 'account' ? 'an' : 'a'} ${kind ?? 'resource'} at this service${form === undefined ? '' : `, which looks like ${form}`}`
}

/** Ids in a path that no write of the contract can mean: as in rows of a file, they are digits. */
function oddIds({topic, effect}: Operation, {path}: AnyInput): readonly Violation[] {
  if (effect === 'read' || topic === 'wallets') return []
  return Object.entries(path).flatMap(([name, id]) => {
    const kind = name === 'id' ? TOPIC_KINDS[topic] : kindOf(name)
    const isOdd = kind !== undefined && typeof id === 'string' && !/^\d+$/.test(id)
    return isOdd
      ? [
          {
            pointer: `path:${name}`,
            message: `${name} is not the id of ${kind === 'account' ? 'an' : 'a'} ${kind} (digits only)`,
          },
        ]
      : []
  })
}

function refuse(operation: Operation, input: AnyInput, violations: readonly Violation[]): void {
  if (violations.length === 0) return
  const lines = violations.map(({message, suggestion}) =>
    suggestion === undefined ? message : `${message}. Did you mean ${suggestion}?`,
  )
  throw new Failure('CONTRACT_VIOLATION', {
    message:
      lines.length === 1 ? `${lines[0]}` : `${lines.length} values of the request do not match the contract.`,
    hint: hintOf(operation, 'body' in input, violations),
    effect: 'none',
    data: {violations, lines},
  })
}

/** A longer list doesn't help. */
const MOST = 50

/** Whether two ids of accounts are of one account: `02006` is 2006. */
export const isSameAccount = (one: unknown, other: unknown): boolean => plainId(one) === plainId(other)

/** Transfers from an account to itself, which a service books, or fails after others of the batch were booked. */
function toItself({id}: Operation, {body}: AnyInput): readonly Violation[] {
  if (id !== 'a2a.create.v1') return []
  const transfers = isObject(body) && Array.isArray(body.transfers) ? body.transfers : []
  return transfers
    .flatMap((transfer: unknown, at) => {
      const {fromAccountId: from, toAccountId: to} = isObject(transfer) ? transfer : {}
      if (from === undefined || !isSameAccount(from, to)) return []
      const message = `transfers.${at}.toAccountId is the account that the transfer comes from (row ${at + 1})`
      return {pointer: `/transfers/${at}/toAccountId`, message}
    })
    .slice(0, MOST)
}

/** Members named nearly as in the contract: some services take them for those, and no check reads them. */
function respelledIn(value: unknown, schema: JsonSchema, pointer = ''): readonly Violation[] {
  const {items} = schema
  if (Array.isArray(value))
    return items ? value.flatMap((item, at) => respelledIn(item, items, `${pointer}/${at}`)) : []
  if (!isObject(value)) return []
  const fields = new Map(Object.entries(fieldSchemas(schema)))
  return Object.entries(value).flatMap(([name, member]) => {
    const place = pointerBelow(pointer, name)
    const own = fields.get(name)
    if (own !== undefined) return respelledIn(member, own, place)
    const suggestion = [...fields.keys()].find(known => plainNames(name).includes(plainWord(known)))
    if (suggestion === undefined) return []
    const message = `${place.slice(1).replaceAll('/', '.')} is no field, but a service may read it as one`
    return {pointer: place, message, suggestion}
  })
}

/** The registry's hint is about fields of a body. Ids and page numbers have no skeleton. */
function hintOf({body}: Operation, hasBody: boolean, violations: readonly Violation[]): string | undefined {
  if (violations.every(({pointer}) => /^(path|query|header|cookie):/.test(pointer))) return 'See --help.'
  if (body === 'none') return 'Leave out --data, -f and -F.'
  return hasBody
    ? undefined
    : 'Say what to send: -F name=value, or JSON with --data or -f. --skeleton prints all fields.'
}

/** The fields in which operations take the key of the cardholder's device. */
const DEVICE_KEYS = ['publicKey', 'encryptionKey']

/**
 * The checks of the commands for a cardholder's device, for `api` too: on a live profile the device's key must be a
 * large enough public key, and the body may have only the fields of the contract. It must not hold a PIN.
 *
 * @throws Failure GATE_REFUSED, KEY_INVALID; nothing was sent then.
 */
export async function checkDeviceKeys(
  {kind, name, auditUser, dialect}: Target,
  operation: Operation,
  input: AnyInput,
  uncheckedInput: boolean,
): Promise<void> {
  const {id, group, path} = operation
  const {body} = input
  const takesDeviceKey = group === 'pin' || id === 'cards.paymentInfo.v3'
  if (kind !== 'live' || !takesDeviceKey) return
  if (uncheckedInput) {
    throw new Failure('GATE_REFUSED', {
      message: `Profile ${name} is live: a request to ${path} must match the contract, so that it holds no PIN.`,
      hint: 'Leave out --no-check-input.',
      effect: 'none',
    })
  }
  // A request of an imported contract was checked against that one only.
  await checkInput(operation, withAuditUser(operation, input, auditUser), dialect)
  if (!isObject(body)) return
  for (const field of DEVICE_KEYS) {
    const key = body[field]
    if (typeof key === 'string') importPublicKey(key, {use: path.startsWith('/v2/') ? 'v2' : 'v3'})
  }
}
