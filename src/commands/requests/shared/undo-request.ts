import {isDeepStrictEqual} from 'node:util'
import type {Context} from '../../../cli/context.ts'
import {
  formerValues,
  isSameChange,
  operationOf,
  ownerOf,
  sentFieldsOf,
  setsFields,
  undoOf,
} from '../../../cli/former-values.ts'
import {laterChanges} from '../../../cli/later-changes.ts'
import {plainCommandOf} from '../../../cli/plain-commands.ts'
import type {RequestWords} from '../../../cli/request-words.ts'
import {irreversibleIn} from '../../../contract/marked-values.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {idsOf} from '../../../contract/resource.ts'
import {advice, type Hint} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {Word} from '../../../errors/suggested-command.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {MASK} from '../../../sensitive/secret.ts'

/** A field, the value that the request set, and the one before. */
interface UndoneField {
  readonly field: string
  readonly sent: unknown
  /** What was last sent from here. */
  readonly current: unknown
  readonly former: unknown
  /** The request that sent the former value. */
  readonly from: string
  /** A later request from here that changed the field again. */
  readonly changedBy?: string
}

/** What sends the former values of a request again. */
export interface UndoPlan {
  readonly record: RequestRecord
  readonly operation: Operation
  readonly input: AnyInput
  /** The resource, for example `account:2001`. */
  readonly owner: string
  readonly fields: readonly UndoneField[]
  /** What will be done, in the words of its entry in the journal: `undo: unblock credit account 2001`. */
  readonly did: string
}

/** Why a request without named fields can't be undone, by the beginning of its operation. */
const REASONS: readonly (readonly [operation: string, why: string])[] = [
  ['a2a.', 'transfers move money at once and cannot be recalled; send a transfer back with a2a create'],
  ['pin.', 'a PIN is never kept, so nobody can send the former one again'],
  ['pincontrol.', 'a control id that was handed out ends by itself after 30 seconds'],
  ['cards.', 'what was disclosed stays known'],
  ['pricelists.', 'what was deleted at the service cannot be restored from here'],
  ['accounts.', 'the service offers nothing that takes it back'],
  ['remotecheckout.enroll', 'an enrolment ends with remotecheckout delete'],
  ['remotecheckout.delete', 'an enrolment that was deleted starts again with remotecheckout enroll'],
  ['remotecheckout.', 'the service replaces details in ways that the journal does not know'],
  ['wallets.', 'a wallet removes a card on the device'],
]

const impossible = (message: string, hint?: Hint): Failure =>
  new Failure('CANNOT_UNDO', {message, ...(hint === undefined ? {} : {hint}), effect: 'none'})

const seeSent = (id: string, commandLine: Context['commandLine']): Hint =>
  advice`See what it sent: ${commandLine('requests', 'show', {value: id})}`

/**
 * The newest write of this profile and audit user. Undos and what they undid don't count, so that the command goes one
 * step further back each time.
 *
 * @throws Failure CANNOT_UNDO if there is none.
 */
export async function newestWrite(context: Context, journal: Journal): Promise<RequestRecord> {
  const {name, auditUser} = await context.service.chosen()
  for (const record of journal.requests.iterate({profile: name})) {
    if (record.auditUser !== auditUser || record.effect === 'none') continue
    if (record.effectMark !== 'write' && record.effectMark !== 'destroy') continue
    if (record.undoOf === undefined && undoOf(journal, record.id) === undefined) return record
  }
  throw impossible(
    `The journal has no write of ${auditUser} on profile ${name} that was not undone.`,
    advice`See: ${context.commandLine('requests', 'list')}`,
  )
}

/**
 * What undoes a request: the values that were last sent for the same fields of the same resource before it.
 *
 * @param only the fields to undo; all by default.
 * @throws Failure CANNOT_UNDO or EFFECT_UNKNOWN, which says why not.
 */
export function planUndo(
  {commandLine, when}: Pick<Context, 'commandLine' | 'when'>,
  {journal, words}: {readonly journal: Journal; readonly words: RequestWords},
  record: RequestRecord,
  only: readonly string[] = [],
): UndoPlan {
  const {id} = record
  refuseWithoutEffect(journal, record, commandLine)
  const operation = operationOf(record)
  const owner = operation && ownerOf(operation, record)
  if (operation === undefined || !setsFields(operation) || owner === undefined) {
    const [, why] = REASONS.find(([beginning]) => record.operation.startsWith(beginning)) ?? []
    throw impossible(
      `Request ${id} (${record.operation}) cannot be undone: ${why ?? 'the contract does not say what it changed'}.`,
      seeSent(id, commandLine),
    )
  }
  const sent = sentFieldsOf(journal, record)
  const names = chosenFields(record, Object.keys(sent), only)
  const body = Object.fromEntries(names.map(name => [name, sent[name]]))
  const lasting = irreversibleIn(operation, {path: {}, query: {}, body})
  if (lasting[0]) {
    throw impossible(`Request ${id} cannot be undone: ${lasting[0].warning}`, seeSent(id, commandLine))
  }
  const undo = undoneAlready(journal, record)
  if (undo !== undefined) {
    throw impossible(
      `Request ${id} was undone already, by ${undo.id} (${when(undo.begunAt)}).`,
      `To undo that, run: ${commandLine('requests', 'undo', {value: undo.id})}`,
    )
  }
  const {known, uncertain} = formerValues(journal, record, names)
  refuseUncertain(record, uncertain, commandLine)
  const missing = names.filter(name => !known.has(name))
  const later = [...laterChanges(journal, record)]
  const all = [...known].map(([field, {value: former, from}]) => {
    const changedBy = later.find(({fields}) => fields?.includes(field))?.record
    const current = changedBy === undefined ? sent[field] : sentFieldsOf(journal, changedBy)[field]
    const isCertain = changedBy === undefined || changedBy.effect === 'done'
    const isThere =
      isKept(journal, former, from) &&
      ((isKept(journal, sent[field], record) && isDeepStrictEqual(former, sent[field])) ||
        (isCertain && isKept(journal, current, changedBy ?? record) && isDeepStrictEqual(former, current)))
    return {field, current, former, from, changedBy, isThere}
  })
  const changes = all.filter(({isThere}) => !isThere)
  if (missing.length > 0) {
    const others = changes.map(({field}) => field)
    throw unknownBefore(journal, record, {missing, others}, commandLine)
  }
  if (changes.length === 0) throw nothingToUndo(journal, record, names, commandLine)
  const fields = changes.map(({field, current, former, from, changedBy}): UndoneField => {
    refuseInexact(journal, field, former, from)
    const about = {field, sent: sent[field], current, former, from: from.id}
    return changedBy === undefined ? about : {...about, changedBy: changedBy.id}
  })
  const path = pathOf(journal, record, operation, owner)
  const former = Object.fromEntries(fields.map(({field, former}) => [field, whole(operation, field, former)]))
  const {multiCurr} = path
  const now = Object.fromEntries(fields.map(({field, current}) => [field, current]))
  const did = `undo: ${words.words(record, {...(multiCurr === undefined ? {} : {multiCurr}), ...former}, now)}`
  return {record, operation, input: {path, query: {}, body: former}, owner, fields, did}
}

/** The members of an object that is replaced as a whole. */
const membersOf = ({wholes = []}: Pick<Operation, 'wholes'>, field: string): readonly string[] =>
  wholes.find(({pointer}) => pointer === `/${field}`)?.members ?? []

/** What a former value left out was cleared by it, and is cleared again. */
const whole = (operation: Operation, field: string, value: unknown): unknown =>
  isObject(value)
    ? {...Object.fromEntries(membersOf(operation, field).map(name => [name, null])), ...value}
    : value

function refuseWithoutEffect(
  journal: Journal,
  record: RequestRecord,
  commandLine: Context['commandLine'],
): void {
  const {id, state, effect, replayed} = record
  if (state === 'running') throw impossible(`Request ${id} is still running.`, 'Wait for its end.')
  if (effect === 'none')
    throw impossible(`Request ${id} had no effect, so there is nothing to undo.`, seeSent(id, commandLine))
  if (replayed === true) {
    const first = firstWithKey(journal, record)
    throw new Failure('CANNOT_UNDO', {
      message: `Request ${id} changed nothing: the response was a stored one, of an earlier request with the same key.`,
      hint:
        first === undefined
          ? 'That request is not in the journal.'
          : advice`Undo that earlier request: ${commandLine('requests', 'undo', {value: first.id})}`,
      requestId: first?.id,
      effect: 'none',
    })
  }
  if (effect !== 'done') throw effectUnknown(record, commandLine)
}

/** The request whose response was stored: it had the effect. */
const firstWithKey = (journal: Journal, {id, key, begunAt}: RequestRecord): RequestRecord | undefined =>
  (key === undefined ? [] : journal.requests.findKey(key)).find(
    one => one.id !== id && one.begunAt <= begunAt && one.replayed !== true && one.effect !== 'none',
  )

const effectUnknown = ({id}: RequestRecord, commandLine: Context['commandLine']): Failure =>
  new Failure('EFFECT_UNKNOWN', {
    message: `The effect of request ${id} is unknown.`,
    hint: advice`Find out first: ${commandLine('requests', 'resolve', {value: id})}`,
    requestId: id,
    effect: 'unknown',
  })

function chosenFields(
  {id}: RequestRecord,
  names: readonly string[],
  only: readonly string[],
): readonly string[] {
  if (names.length === 0) throw impossible(`The journal does not have the fields that request ${id} sent.`)
  const stray = only.find(name => !names.includes(name))
  if (stray !== undefined) {
    throw new Failure('USAGE', {
      message: `Request ${id} did not send the field that --only names.`,
      hint: `It sent ${names.join(', ')}.`,
    })
  }
  return only.length === 0 ? names : [...new Set(only)]
}

/** Also by an undo of another attempt with the same key. */
function undoneAlready(journal: Journal, record: RequestRecord): RequestRecord | undefined {
  const attempts = record.key === undefined ? [] : journal.requests.findKey(record.key)
  const same = [record, ...attempts.filter(one => isSameChange(one, record) && one.id !== record.id)]
  for (const {id} of same) {
    const undo = undoOf(journal, id)
    if (undo !== undefined) return undo
  }
  return undefined
}

function refuseUncertain(
  record: RequestRecord,
  uncertain: ReadonlyMap<string, RequestRecord>,
  commandLine: Context['commandLine'],
): void {
  for (const [field, by] of uncertain) {
    if (by.effect !== 'done') throw effectUnknown(by, commandLine)
    throw impossible(
      `Request ${record.id} cannot be undone: ${by.id} (${by.operation}) came before it, and the journal does not know what that left in ${field}.`,
      advice`See: ${commandLine('requests', 'show', {value: by.id})}`,
    )
  }
}

/** @param others the fields of the request that can be undone. */
function unknownBefore(
  journal: Journal,
  record: RequestRecord,
  {missing, others}: {readonly missing: readonly string[]; readonly others: readonly string[]},
  commandLine: Context['commandLine'],
): Failure {
  const {id} = record
  const opposite = oppositeOf(journal, record)
  const command = settingCommand(journal, record, missing)
  const setIt =
    opposite !== undefined
      ? advice`Run: ${commandLine(...opposite)}`
      : command === undefined
        ? 'If you know the former value, set it with the command itself.'
        : command.includes('--data')
          ? advice`If you know the former value, write the body to FILE, as --skeleton prints one: ${commandLine(...command)}`
          : advice`If you know the former value: ${commandLine(...command)}`
  return impossible(
    `Request ${id} cannot be undone: the journal knows no earlier value of ${missing.join(', ')}, and the service offers no read of it.`,
    opposite !== undefined || others.length === 0
      ? setIt
      : advice`To undo the other fields: ${commandLine('requests', 'undo', {value: id}, ...others.flatMap(name => ['--only', {value: name}] as const))}`,
  )
}

function nothingToUndo(
  journal: Journal,
  record: RequestRecord,
  names: readonly string[],
  commandLine: Context['commandLine'],
): Failure {
  const opposite = oppositeOf(journal, record)
  return impossible(
    `Nothing to undo: what was last sent from here for ${names.join(', ')} is what it was before request ${record.id}.`,
    opposite === undefined ? seeSent(record.id, commandLine) : advice`Run: ${commandLine(...opposite)}`,
  )
}

/** The plain command that takes back what one of them did, whatever was sent before: `accounts unblock 2001 --type credit`. */
function oppositeOf(journal: Journal, record: RequestRecord): readonly Word[] | undefined {
  const [account] = idsOf('account', record.resources)
  const opposite = OPPOSITES[plainCommandOf(record.operation, journal.requests.sent(record.id)) ?? '']
  const type = accountTypeOf(journal, record)
  if (account === undefined || opposite === undefined || type === undefined) return undefined
  return ['accounts', opposite, {value: account}, ...type]
}

const OPPOSITES: Readonly<Record<string, Lowercase<string>>> = {
  'accounts:block': 'unblock',
  'accounts:unblock': 'block',
}

/** The flag for the type of the account that a request changed. */
function accountTypeOf(journal: Journal, {id, operation}: RequestRecord): readonly Word[] | undefined {
  const [, type] = /^accounts\.patch(Credit|Debit|Prepaid|Fleet)\.v4$/.exec(operation) ?? []
  if (type !== undefined) return ['--type', {value: type.toLowerCase()}]
  const sent = operation === 'accounts.patchMulticurrency.v4' ? journal.requests.sent(id) : undefined
  // A segment that the contract lacks is taken too.
  return isObject(sent) && typeof sent.multiCurr === 'string'
    ? ['--segment', {value: sent.multiCurr}]
    : undefined
}

/** The command that sets these fields to another value: an object by its members, a list from a file. */
function settingCommand(
  journal: Journal,
  record: RequestRecord,
  fields: readonly string[],
): readonly Word[] | undefined {
  const [account] = idsOf('account', record.resources)
  const type = accountTypeOf(journal, record)
  const sent = Object.fromEntries(fields.map(name => [name, '']))
  const isLimit = plainCommandOf(record.operation, sent) === 'accounts:limit'
  if (account !== undefined && type !== undefined && isLimit)
    return ['accounts', 'limit', {value: account}, {value: 'VALUE'}, ...type]
  const command = commandOf(record, type)
  if (command === undefined) return undefined
  const was = journal.requests.sent(record.id)
  const values = fields.map(name => [name, isObject(was) ? was[name] : undefined] as const)
  // A list has no names to set one by one.
  if (values.some(([, value]) => Array.isArray(value))) return [...command, '--data', {value: '@FILE'}]
  const operation = operationOf(record)
  const names = values.flatMap(([name, value]) => {
    if (!isObject(value)) return [name]
    const members = [...Object.keys(value), ...(operation === undefined ? [] : membersOf(operation, name))]
    return [...new Set(members)].map(member => `${name}.${member}`)
  })
  return [...command, ...names.flatMap(name => ['-F', {value: `${name}=VALUE`}] as const)]
}

/** The command that sends such a request, for those that most people use. */
function commandOf(
  {operation, resources}: RequestRecord,
  type: readonly Word[] | undefined,
): readonly Word[] | undefined {
  const [account] = idsOf('account', resources)
  if (account !== undefined && type !== undefined) return ['accounts', 'patch', {value: account}, ...type]
  if (account !== undefined && operation === 'accounts.patch.v3')
    return ['accounts', 'patch', {value: account}, '--api-version', 'v3']
  const [list] = idsOf('pricelist', resources)
  if (operation === 'pricelists.patch.v1' && list !== undefined) return ['pricelists', 'patch', {value: list}]
  const [period] = idsOf('period', resources)
  if (operation === 'pricelists.patchPeriod.v1' && period !== undefined)
    return ['pricelists', 'period', 'patch', {value: period}]
  return undefined
}

/** Whether `fields` is exactly what a request sent in its body: nothing masked, nothing shortened. */
function isExact(journal: Journal, record: RequestRecord, fields: object): boolean {
  const operation = operationOf(record)
  if (operation === undefined) return false
  const takesUser = operation.query.some(({name}) => name === 'auditUser')
  const input: AnyInput = {path: {}, query: takesUser ? {auditUser: record.auditUser} : {}, body: fields}
  const {method, path} = record
  return journal.requests.sentExactly(record.id, {
    method,
    path,
    input,
    sensitive: operation.sensitive.request,
  })
}

const holdsMask = (value: unknown): boolean => JSON.stringify(value)?.includes(MASK) ?? false

/** Whether the journal has just what a request sent for a field. */
const isKept = (journal: Journal, value: unknown, record: RequestRecord): boolean =>
  !holdsMask(value) && isExact(journal, record, sentFieldsOf(journal, record))

/** A value that was masked or shortened for the journal must never be sent. */
function refuseInexact(journal: Journal, field: string, value: unknown, from: RequestRecord): void {
  if (isKept(journal, value, from)) return
  const isMasked = holdsMask(value)
  throw impossible(
    isMasked
      ? `The former value of ${field} is sensitive. cardctl never keeps such values, so it cannot send it again.`
      : `The former value of ${field}, sent by ${from.id}, is not kept in full: it was too long, or it held digits that look like a card number.`,
    'Set it with the command itself.',
  )
}

/** The path parameters of a request: the id of its resource, and choices, which are recorded with the fields. */
function pathOf(
  journal: Journal,
  record: RequestRecord,
  {pathParams, touches}: Operation,
  owner: string,
): Record<string, string> {
  const choices = journal.requests.sent(record.id) as Readonly<Record<string, unknown>>
  const id = owner.slice(owner.indexOf(':') + 1)
  return Object.fromEntries(
    pathParams.map(name => [
      name,
      touches.some(({at}) => at === `path:${name}`) ? id : String(choices[name] ?? ''),
    ]),
  )
}

/** Throws if the journal has changed since the plan was shown. No other process can act between this and the record. */
export function refuseOtherPlan(
  context: Context,
  words: RequestWords,
  plan: UndoPlan,
  only: readonly string[],
) {
  const shown = JSON.stringify(plan.fields)
  return (journal: Journal): void => {
    const now = planUndo(context, {journal, words}, plan.record, only)
    if (JSON.stringify(now.fields) === shown) return
    throw impossible(
      `Another request has changed ${plan.owner.replace(':', ' ')} in the meantime.`,
      'Run the command again to see what it would send now.',
    )
  }
}
