import * as Flags from '@oclif/core/flags'
import {currencyFlag, idFlag} from '../../../cli/arguments.ts'
import {isLiteral, pathSteps, readData, setField, splitField, typeAt, typedValue} from '../../../cli/body.ts'
import {type Client, openClient} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {decimalFlag, type FlagValues, operationFlags} from '../../../cli/flags.ts'
import {refuseSecrets} from '../../../cli/refuse-secrets.ts'
import {type JsonSchema, requestSchema} from '../../../contract/schema.ts'
import type {WebhookId} from '../../../contract/types.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {listAt, numberAt, textAt} from '../../../output/fields.ts'
import {holdsCredential} from '../../../sensitive/mask-text.ts'
import {type CardFacts, scenarioCall, someCard} from '../../../webhook/index.ts'
import {chooseScenario, DEFAULT_SCENARIO} from './choose-scenario.ts'
import {endpointFlags} from './endpoint.ts'
import {expectFlag} from './expect-answer.ts'

export const callFlags = {
  ...endpointFlags,
  scenario: Flags.string({
    helpValue: 'NAME',
    exclusive: ['data'],
    summary: 'Scenario of the call (default contactless).',
  }),
  amount: Flags.string({
    exclusive: ['data'],
    summary: "Amount of the transaction (default the scenario's).",
  }),
  currency: currencyFlag({
    exclusive: ['data'],
    summary: "Currency of the amount, such as EUR (default the scenario's).",
  }),
  transaction: idFlag({
    of: 'an earlier transaction',
    helpValue: 'ID',
    exclusive: ['data'],
    summary: 'Id of an earlier transaction, to increment or reverse it.',
  }),
  card: idFlag({
    helpValue: 'ID',
    exclusive: ['data'],
    summary: 'Use the data of this card of the profile. Without it, the card is made up.',
  }),
  account: idFlag({
    helpValue: 'ID',
    exclusive: ['data'],
    summary: 'Account of the profile. Without --card, uses its first usable card.',
  }),
  data: Flags.string({
    helpValue: 'JSON|@file|-',
    summary: 'Body as JSON, from a file or stdin, instead of a scenario.',
  }),
  set: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'path=value',
    summary: 'Set a field of the call; repeatable.',
  }),
  ...decimalFlag,
  'show-answer': Flags.boolean({
    summary: 'Show the body of the answer, which is otherwise shown only if it is wrong.',
  }),
  expect: expectFlag,
  'dry-run': operationFlags['dry-run'],
  curl: operationFlags.curl,
  'audit-user': operationFlags['audit-user'],
}

/** The flags that a call is made from. */
export type CallFlags = FlagValues<typeof callFlags>

/**
 * The body of a call: from `--data`, or a scenario with a card of the profile or a made-up one. Then `--set` changes
 * fields.
 *
 * @throws Failure SENSITIVE_IN_ARGV for a secret on the command line.
 */
export async function makeCall(context: Context, id: WebhookId, flags: CallFlags): Promise<unknown> {
  const schema = await requestSchema(id)
  const call = await startOf(context, id, flags, schema)
  for (const argument of flags.set ?? []) {
    const {path, text} = splitField(argument, '--set')
    if (holdsCredential(text)) {
      throw new Failure('SENSITIVE_IN_ARGV', {
        message: `--set ${path} contains what looks like a credential, and other users can see the command line.`,
        hint: 'Put the body into a file: --data @FILE.',
      })
    }
    if (!isObject(call)) {
      throw new Failure('USAGE', {message: '--data is not a JSON object, so no field can be set in it.'})
    }
    const type = typeAt(schema, path)
    const value = typedValue(schema, path, await context.numbers.field(type, path, text), type)
    refuseSecrets(UNMARKED, schema, pathSteps(path), value)
    setField(call, path, value)
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
  const call = scenarioCall({
    scenario: chooseScenario(flags.scenario ?? DEFAULT_SCENARIO),
    card: await cardFacts(context, flags),
    amount: flags.amount && (await context.numbers.read(flags.amount, '--amount', flags.currency)),
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
    throw new Failure('USAGE', {message: `A warm-up is not a purchase: it takes no --${given}.`})
}

/** The contract marks no field of a call as secret. */
const UNMARKED = {sensitive: {request: [], reply: []}}

/**
 * The card of a call: one of the profile's service, which is only read, or a made-up one. A sandbox also tells the
 * available amount; a service has no operation for it.
 *
 * @throws Failure USAGE for a card of another account, NOT_FOUND, and those of reading.
 */
async function cardFacts(
  context: Context,
  {card, account}: {readonly card?: string | undefined; readonly account?: string | undefined},
): Promise<CardFacts> {
  if (card === undefined && account === undefined) {
    return someCard
  }
  const client = await openClient(context, await context.service.target())
  try {
    const cardId = card ?? (await usableCard(client, account ?? ''))
    const found = await client.call({operation: 'cards.get.v4', path: {id: cardId}})
    const [id, customerId, accountId] = [
      textAt(found, 'id'),
      textAt(found, 'customerId'),
      textAt(found, 'accountId'),
    ]
    const [year, month] = [numberAt(found, 'expiration.year'), numberAt(found, 'expiration.month')]
    if (account !== undefined && accountId !== account) {
      throw new Failure('USAGE', {message: `Card ${cardId} does not belong to account ${account}.`})
    }
    const available = client.target.kind === 'sandbox' ? await availableIn(client, accountId) : undefined
    const expiration = year === undefined || month === undefined ? undefined : {year, month}
    return {cardId: id, customerId, accountId, expiration, available}
  } finally {
    await client.close()
  }
}

async function usableCard(client: Client, accountId: string): Promise<string> {
  const cards = await client.call({operation: 'cards.listByAccount.v4', path: {accountId}})
  const usable = listAt({cards}, 'cards').find(card => textAt(card, 'status') === 'CARD_OK')
  if (usable) return textAt(usable, 'id')
  throw new Failure('NOT_FOUND', {message: `Account ${accountId} has no usable card.`})
}

/** In the account's first currency. */
async function availableIn(client: Client, id: string): Promise<CardFacts['available']> {
  const account = await client.call({operation: 'sandbox.state.get', path: {kind: 'account', id}})
  const [first] = listAt(account, 'balances')
  if (!isObject(first)) return undefined
  const {available: amount, currency} = first
  return typeof amount === 'number' && typeof currency === 'string' ? {amount, currency} : undefined
}
