import {type JsonSchema, requestSchema} from '../../contract/schema.ts'
import type {WebhookId} from '../../contract/types.ts'
import {Failure} from '../../errors/failure.ts'
import {holdsCredential} from '../../sensitive/mask-text.ts'
import {isLiteral, isObject, readData, setMember, splitField, steps, typedValue} from '../body.ts'
import type {Context} from '../context.ts'
import {refuseSecrets} from '../refuse-secrets.ts'
import {cardFacts} from './card.ts'
import {chooseScenario} from './choose-scenario.ts'

/** What a call is made from. */
export interface CallFlags {
  readonly scenario?: string | undefined
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly transaction?: string | undefined
  readonly card?: string | undefined
  readonly account?: string | undefined
  readonly data?: string | undefined
  readonly set?: readonly string[] | undefined
}

export const DEFAULT_SCENARIO = 'contactless'

/**
 * The body of a call: from `--data`, or a scenario with a card of the profile or of nobody; then `--set` changes members.
 *
 * @throws Failure SENSITIVE_IN_ARGV for what is secret on the command line.
 */
export async function makeCall(context: Context, id: WebhookId, flags: CallFlags): Promise<unknown> {
  const schema = await requestSchema(id)
  const call = await startOf(context, id, flags, schema)
  for (const argument of flags.set ?? []) {
    const {path, text} = splitField(argument, '--set')
    if (holdsCredential(text)) {
      throw new Failure('SENSITIVE_IN_ARGV', {
        message: `--set ${path} holds what looks like a credential, and others can see the list of processes.`,
        hint: 'Put the body into a file: --data @FILE.',
      })
    }
    if (!isObject(call)) {
      throw new Failure('USAGE', {message: '--data is not a JSON object, so no member can be set in it.'})
    }
    const value = typedValue(schema, path, text)
    refuseSecrets(UNMARKED, schema, steps(path), value)
    setMember(call, path, value)
  }
  return call
}

async function startOf(
  context: Context,
  id: WebhookId,
  flags: CallFlags,
  schema: JsonSchema | undefined,
): Promise<unknown> {
  const {surroundings} = context
  if (flags.data !== undefined) {
    const value = await readData(flags.data, surroundings)
    if (isLiteral(flags.data)) refuseSecrets(UNMARKED, schema, [], value)
    return value
  }
  if (id === 'webhook.warmUp') {
    refuseOfPurchases(flags)
    return {type: 'WARM_UP', timestamp: new Date(surroundings.now()).toISOString()}
  }
  // Door to the webhook room.
  const {scenarioCall} = await import('../../webhook/index.ts')
  const call = scenarioCall({
    scenario: chooseScenario(flags.scenario ?? DEFAULT_SCENARIO),
    card: await cardFacts(context, flags),
    amount: flags.amount,
    currency: flags.currency,
    transactionId: flags.transaction,
    now: surroundings.now,
    newId: surroundings.newKey,
    random: surroundings.random,
  })
  return structuredClone(call)
}

const OF_PURCHASES = ['scenario', 'amount', 'currency', 'transaction', 'card', 'account'] as const

function refuseOfPurchases(flags: CallFlags): void {
  const given = OF_PURCHASES.find(name => flags[name] !== undefined)
  if (given !== undefined)
    throw new Failure('USAGE', {message: `A warm-up is no purchase: it has no --${given}.`})
}

/** The contract marks no member of a call as secret. */
const UNMARKED = {sensitive: {request: [], reply: []}}
