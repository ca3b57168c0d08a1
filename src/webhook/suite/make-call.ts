import {findScenario} from '../../contract/scenarios.ts'
import {fieldSchemaAt, type JsonSchema, requestSchema, typesOf} from '../../contract/schema.ts'
import {isObject} from '../../errors/is-object.ts'
import {minorToText} from '../../money/amount.ts'
import {convert} from '../../money/example-rates.ts'
import {exponentOf} from '../../money/exponents.ts'
import {callIdOf, type Minor, partOf, type ReceivedCall, withId} from '../received-call.ts'
import {readMoney} from '../rules/amounts.ts'
import {type CardFacts, scenarioCall} from '../send/scenario-call.ts'
import type {FieldValues, Step, StepSpec} from './suite-file.ts'

/** What calls are made from. */
export interface CallMaker {
  /** The time that calls say, in ms since 1970. */
  now(): number
  newId(): string
  /** In [0, 1). */
  random(): number
  /** Of a scenario. */
  readonly card: CardFacts
  /** What its account has now. */
  readonly available: {readonly amount: number; readonly currency: string}
  /** Fields of every call. */
  readonly set: FieldValues | undefined
  /** The new ids of bodies that keep theirs apart: the same id again is the same call. */
  readonly ids: Map<string, string>
  /** The call of an earlier step. */
  earlier(step: string): ReceivedCall
}

/** A step that can't be run as written, as a sentence without a full stop. */
export class StepFault extends Error {
  override readonly name = 'StepFault'
}

/** The body of a call, with its changes. @throws StepFault */
export async function makeCall({verb}: Step, spec: StepSpec, maker: CallMaker): Promise<ReceivedCall> {
  const call = structuredClone(bodyOf(verb, spec, maker)) as ReceivedCall
  const schema = (await requestSchema('webhook.auth')) ?? {}
  const isRepeat = verb === 'repeat'
  for (const [path, value] of Object.entries({...(isRepeat ? {} : maker.set), ...spec.set})) {
    setAt(call, path, typed(schema, path, value))
  }
  for (const path of spec.without ?? []) removeAt(call, path)
  return call
}

function bodyOf(verb: Step['verb'], spec: StepSpec, maker: CallMaker): unknown {
  switch (verb) {
    case 'send':
      return ofScenario(spec, maker)
    case 'body':
      return spec.keepId === true ? spec.body : withNewId(spec.body ?? {}, maker)
    case 'repeat':
      return maker.earlier(spec.repeat ?? '')
    case 'increment':
      return incrementOf(maker.earlier(spec.increment ?? ''), spec, maker)
    case 'reverse':
      return reversalOf(maker.earlier(spec.reverse ?? ''), spec, maker)
    default:
      return {}
  }
}

function ofScenario(spec: StepSpec, {available, card: facts, ...maker}: CallMaker): unknown {
  const scenario = findScenario(spec.send ?? '')
  if (!scenario) throw new StepFault('there is no such scenario')
  const card: CardFacts = {...facts, available}
  const asked = spec.amount === undefined ? undefined : moneyOf(spec.amount)
  const {currency} = asked ?? {}
  const amount = asked && minorToText(asked.minor, exponentOf(asked.currency))
  return scenarioCall({scenario, card, amount, currency, ...maker})
}

/** The same id again becomes the same new id, so that calls that were repeated are repeated. */
function withNewId(body: ReceivedCall, {ids, newId}: CallMaker): ReceivedCall {
  const id = callIdOf(body)
  if (id === undefined) return body
  const known = ids.get(id) ?? newId()
  ids.set(id, known)
  return withId(body, known)
}

/** The hold of an earlier call is raised: another call of its transaction. */
function incrementOf(call: ReceivedCall, {amount = ''}: StepSpec, maker: CallMaker): ReceivedCall {
  const asked = moneyOf(amount)
  const home = maker.available.currency
  const billed = convert(asked.minor, asked.currency, home)
  const billing = billed === undefined ? asked : {minor: billed, currency: home}
  return followUp(call, maker, 'INCREMENTAL_AUTHORIZATION', {
    merchantInitiated: true,
    transactionAmount: wire(asked),
    billingAmount: wire(billing),
    settlementAmount: wire(billing),
  })
}

/** An earlier payment is reversed, whole or down to what remains. */
function reversalOf(call: ReceivedCall, {remaining}: StepSpec, maker: CallMaker): ReceivedCall {
  const {transactionId} = partOf(call, 'metadata')
  return followUp(call, maker, 'INITIAL_AUTHORIZATION', {
    transactionType: 'REVERSAL',
    originalTransactionId: transactionId,
    ...(remaining !== undefined && {replacementAmount: wire(moneyOf(remaining))}),
  })
}

function followUp(
  call: ReceivedCall,
  {now, newId, random, available}: CallMaker,
  messageCategory: string,
  changes: FieldValues,
): ReceivedCall {
  const digits = () => Array.from({length: 12}, () => Math.floor(random() * 10)).join('')
  return {
    ...call,
    metadata: {...partOf(call, 'metadata'), id: newId(), traceId: newId(), messageCategory},
    account: {...partOf(call, 'account'), availableAmount: available},
    transactionData: {
      ...partOf(call, 'transactionData'),
      transactionDateTime: new Date(now()).toISOString(),
      retrievalReferenceNumber: digits(),
      ...changes,
    },
  }
}

/** An amount of a step, whose variables have values now. @throws StepFault */
export function moneyOf(text: string): Minor {
  const faults: string[] = []
  const money = readMoney(text, {pointer: '', report: (_pointer, message) => faults.push(message)})
  if (money) return money
  throw new StepFault(faults[0] ?? 'the amount has no value such as 12.50 EUR')
}

const wire = ({minor, currency}: Minor) => ({
  amount: Number(minorToText(minor, exponentOf(currency))),
  currency,
})

/** YAML reads an id without quotes as a number: where the contract has text, it becomes text. */
function typed(schema: JsonSchema, path: string, value: unknown): unknown {
  const found = fieldSchemaAt(schema, path.split('.'))
  const types = found ? typesOf(found) : []
  const isText = types.includes('string') && !types.some(type => type === 'number' || type === 'integer')
  return isText && typeof value === 'number' ? String(value) : value
}

/** Sets a field by its dotted path. Makes the objects on the way. */
function setAt(call: ReceivedCall, path: string, value: unknown): void {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let inside: object = call
  for (const step of steps) {
    const found = ownValue(inside, step)
    const next = typeof found === 'object' && found !== null ? found : {}
    if (next !== found) own(inside, step, next)
    inside = next
  }
  own(inside, last, value)
}

const ownValue = (parent: object, name: string): unknown =>
  Object.getOwnPropertyDescriptor(parent, name)?.value

/** A name such as `__proto__` becomes a field like any other. */
const own = (parent: object, name: string, value: unknown): void => {
  Object.defineProperty(parent, name, {value, writable: true, enumerable: true, configurable: true})
}

function removeAt(call: ReceivedCall, path: string): void {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let inside: unknown = call
  for (const step of steps) inside = isObject(inside) ? ownValue(inside, step) : undefined
  if (isObject(inside)) Reflect.deleteProperty(inside, last)
}
