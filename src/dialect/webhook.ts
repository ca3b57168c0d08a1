import {isDeepStrictEqual} from 'node:util'
import {codeOf} from '../contract/response-codes.ts'
import type {Shape as Known} from '../contract/shape.ts'
import type {Violation} from '../contract/violation.ts'
import {webhookShapes} from '../contract/webhook-shapes.gen.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {misfit} from '../input/expression.ts'
import {NEEDED} from './check-auth-calls.ts'
import type {CompiledDialect} from './compile-dialect.ts'
import {
  type Location,
  type MemberRule,
  routeOf,
  type Shape,
  type SideFile,
  type WebhookFile,
} from './dialect-file.ts'
import {compiledDialect} from './load-dialect.ts'
import {type Mapping, type Misfit, type Sources, toOurs, toTheirs} from './map-members.ts'
import {put, valueAt} from './pointer.ts'
import {CODE, sense, type ToldCode, toldCodes} from './response-codes.ts'

const PART = '/transactionData/partialApprovalAmount'
const BALANCE = '/transactionData/availableAmount'

/** Ids of a call, by kind. */
const IDS = {card: '/card/cardId', account: '/account/accountId', customer: '/customer/customerId'} as const

/** The authorisation calls of a service that was not made for cardctl, and the answers to them, in both directions. */
export class WebhookDialect {
  readonly name: string
  readonly path: string
  readonly warmUp: {readonly path: string; readonly body: unknown} | undefined
  readonly #file: WebhookFile
  readonly #mapping: Mapping
  readonly #codes: readonly ToldCode[]
  readonly #ids: readonly (readonly [place: Location, form: RegExp])[]
  readonly #sources: Sources

  constructor(
    {file, searches}: CompiledDialect,
    {warmUp, auth}: NonNullable<CompiledDialect['file']['webhook']>,
  ) {
    this.name = file.name
    this.path = routeOf(auth.request).path
    this.warmUp = warmUp && {
      path: routeOf(warmUp.request).path,
      body: withOthers({}, warmUp.with, undefined),
    }
    this.#file = auth
    this.#mapping = {values: file.values ?? {}, shapes: file.shapes ?? {}}
    this.#codes = toldCodes(auth.answer, this.#mapping.values)
    this.#ids = Object.entries(IDS).flatMap(([kind, place]) => {
      const form = file.ids?.[kind]
      return form === undefined ? [] : [[place, new RegExp(form, 'u')] as const]
    })
    this.#sources = {search: (document, expression) => searches.get(expression)?.(document)}
  }

  /** A call of theirs as ours, what of it can't be read, and what is taken as it came. */
  readCall(theirs: unknown): {
    readonly ours: unknown
    readonly unreadable: readonly Violation[]
    readonly differs: readonly Violation[]
  } {
    const {call, answer} = this.#file
    const {ours, misfits} = this.#read(call.members, theirs, 'request')
    const missing = NEEDED.filter(need => isNothing(valueAt(ours, need))).map(need => {
      const place = placeOf(call.members[need])
      const name = need.slice(1).replaceAll('/', '.')
      return {
        pointer: place ?? need,
        message: place === undefined ? `${name} is missing` : `${dotted(place)} is missing, which is ${name}`,
      }
    })
    const repeated = Object.values(answer.with ?? {}).flatMap(value =>
      isOfCall(value) && isNothing(valueAt(theirs, value.call))
        ? [{pointer: value.call, message: `${dotted(value.call)} is missing, which the answer repeats`}]
        : [],
    )
    const others = Object.entries(call.with ?? {}).flatMap(([at, value]) =>
      isOfCall(value) || isDeepStrictEqual(valueAt(theirs, at), value)
        ? []
        : [{pointer: at, message: `${dotted(at)} is not what the dialect says`}],
    )
    const strange = this.#ids.flatMap(([pointer, form]) =>
      isNothing(valueAt(ours, pointer)) || form.test(String(valueAt(ours, pointer)))
        ? []
        : [{pointer, message: `${dotted(pointer)} does not have the form of such an id`}],
    )
    return {
      ours,
      unreadable: [...misfits.filter(({kept}) => !kept).map(violationOf), ...missing, ...repeated],
      differs: [...misfits.filter(({kept}) => kept).map(violationOf), ...others, ...strange],
    }
  }

  /** @throws Failure NOT_OFFERED for what has no place or no value there */
  writeCall(ours: unknown): unknown {
    return this.#write(this.#file.call, ours)
  }

  /**
   * An answer of theirs as ours. What approves is only what the dialect names, and what an answer repeats must be right:
   * everything else is a fault, never an approval.
   */
  readAnswer(
    {status, body}: {readonly status: number; readonly body: unknown},
    call: unknown,
  ): {readonly ours: unknown} | {readonly fault: string; readonly pointer: string} | 'no decision' {
    const {members, with: others = {}} = this.#file.answer
    if (!this.#codes.some(told => told.status === status)) return 'no decision'
    if (!isObject(body)) return {fault: 'the answer is not a JSON object', pointer: ''}
    const code = this.#codeOf(status, body)
    if (typeof code !== 'string') return code
    for (const [at, value] of Object.entries(others)) {
      // The call was no call.
      if (call === undefined && isOfCall(value)) continue
      if (isDeepStrictEqual(valueAt(body, at) ?? null, fixed(value, call) ?? null)) continue
      const what = isOfCall(value) ? `${dotted(value.call)} of the call` : JSON.stringify(value)
      return {fault: `${dotted(at)} is not ${what}`, pointer: at}
    }
    const {[CODE]: _, ...rest} = members
    const {ours, misfits} = this.#read(rest, body, 'reply')
    const [wrong] = misfits.map(violationOf)
    if (wrong) return {fault: wrong.message, pointer: wrong.pointer}
    return {ours: put(ours, CODE, code)}
  }

  /** @throws Failure NOT_OFFERED if the service would read less than what was decided */
  writeAnswer(answer: unknown, call: unknown): {readonly status: number; readonly body: unknown} {
    const given = String(valueAt(answer, CODE))
    const code = codeOf(given) ?? given
    const {decline} = this.#file.answer
    const named = this.#codes.find(one => one.code === code)
    const told =
      named ?? (sense(code) === 'nothing' ? this.#codes.find(one => one.code === decline) : undefined)
    if (told === undefined) throw this.#noPlace(`the response code ${code} has no value there`)
    const {[CODE]: rule, ...members} = this.#file.answer.members
    const kept = [...(code === '10' ? [PART] : []), BALANCE].filter(at => !isNothing(valueAt(answer, at)))
    const ours = kept.reduce<unknown>((made, at) => put(made, at, structuredClone(valueAt(answer, at))), {})
    const body = this.#write({...this.#file.answer, members}, ours, call)
    const [word] = told.words
    const place = placeOf(rule)
    return {
      status: told.status,
      body: word === undefined || place === undefined ? body : put(body, place, word),
    }
  }

  #codeOf(status: number, body: unknown): string | {readonly fault: string; readonly pointer: string} {
    const place = placeOf(this.#file.answer.members[CODE])
    const word = place === undefined ? undefined : (valueAt(body, place) ?? undefined)
    const meant = this.#codes.filter(({words}) =>
      word === undefined ? words.length === 0 : words.some(each => each === word),
    )
    const fitting = meant.filter(told => told.status === status)
    const {decline} = this.#file.answer
    const found = fitting.find(({code}) => code === decline) ?? fitting[0]
    if (found) return found.code
    const name = place === undefined ? 'the status' : dotted(place)
    const fault =
      meant.length > 0
        ? `${name} does not go with status ${status}`
        : word === undefined
          ? `${name} is missing, which is the decision`
          : `${name} is a value that the dialect does not know`
    return {fault, pointer: place ?? ''}
  }

  #read(
    members: Shape,
    theirs: unknown,
    side: 'request' | 'reply',
  ): {readonly ours: unknown; readonly misfits: readonly Misfit[]} {
    try {
      const {ours, misfits} = toOurs(members, theirs, this.#mapping, this.#sources)
      return {ours: asTexts(webhookShapes['webhook.auth'][side], ours ?? {}), misfits}
    } catch (error) {
      const problem = `doesn't fit an expression of the dialect: ${misfit(error)}`
      return {ours: {}, misfits: [{pointer: '', problem}]}
    }
  }

  #write({members, with: others, without = []}: SideFile, ours: unknown, call?: unknown): unknown {
    const {theirs, misfits} = toTheirs(members, ours, this.#mapping)
    const isLost = ({pointer}: Misfit): boolean => {
      const value = valueAt(ours, pointer)
      const {is, except}: MemberRule = ruleOf(members[pointer])
      if (except?.some(one => one === value)) return true
      const isLeftOut = without.some(at => pointer === at || pointer.startsWith(`${at}/`))
      return !isLeftOut && !isEmpty(value) && (is === undefined || !isDeepStrictEqual(is, value))
    }
    const lost = misfits.filter(isLost)
    if (lost.length > 0) throw this.#noPlace(lost.map(one => violationOf(one).message).join('; '))
    return withOthers(structuredClone(theirs ?? {}), others, call)
  }

  #noPlace(what: string): Failure {
    return new Failure('NOT_OFFERED', {message: `The dialect ${this.name}: ${what}.`, effect: 'none'})
  }
}

/**
 * The webhook of a dialect; undefined if it says nothing of one.
 *
 * @throws Failure INPUT_INVALID for a dialect that can't be used
 */
export async function loadWebhook(file: string): Promise<WebhookDialect | undefined> {
  const {compiled} = await compiledDialect(file)
  return compiled.file.webhook && new WebhookDialect(compiled, compiled.file.webhook)
}

/** A value of theirs that is the same as one of their call. */
const isOfCall = (value: unknown): value is {readonly call: Location} =>
  isObject(value) && typeof value.call === 'string' && Object.keys(value).length === 1

const fixed = (value: unknown, call: unknown): unknown =>
  isOfCall(value) ? valueAt(call, value.call) : value

/** @param call theirs; if it is what is being made, its own members. */
function withOthers(theirs: unknown, others: SideFile['with'] = {}, call: unknown): unknown {
  let made = theirs
  for (const [at, value] of Object.entries(others)) {
    const given = fixed(value, call ?? made)
    if (given !== undefined) made = put(made, at, structuredClone(given))
  }
  return made
}

const ruleOf = (rule: Location | MemberRule = {}): MemberRule =>
  typeof rule === 'string' ? {at: rule} : rule

const placeOf = (rule: Location | MemberRule | undefined): Location | undefined => ruleOf(rule).at

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** It says nothing, so it needs no place. */
const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

const dotted = (pointer: string): string =>
  pointer === '' ? 'the body' : pointer.slice(1).replaceAll('/', '.')

const violationOf = ({pointer, problem}: Misfit): Violation => ({
  pointer,
  message: `${dotted(pointer)} ${problem}`,
})

/** Whole numbers as text where the contract has text: a key of a map such as `'51'` is read as a number. */
function asTexts(shape: Known | undefined, value: unknown): unknown {
  if (typeof shape === 'object' && 'members' in shape && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inside]) => [name, asTexts(shape.members.get(name), inside)]),
    )
  if (typeof shape === 'object' && 'items' in shape && Array.isArray(value))
    return value.map(item => asTexts(shape.items, item))
  const isText =
    shape === 'string' ||
    shape === 'text' ||
    (typeof shape === 'object' && ('values' in shape || 'fits' in shape))
  return isText && Number.isSafeInteger(value) ? String(value) : value
}
