import {type Client, openClient} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {pagedItems} from '../../../cli/pages.ts'
import type {IncompleteReason} from '../../../cli/walk-pages.ts'
import type {ResourceKind} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {idsOf, resource} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import type {Journal} from '../../../journal/index.ts'
import {listAt, textAt} from '../../../output/fields.ts'

/** Resources that belong to another kind, if one request touched both. */
const BELONGING: Readonly<Partial<Record<ResourceKind, readonly ResourceKind[]>>> = {
  customer: ['card', 'account'],
  card: ['plastic'],
}

/** What the service is asked about. */
const READ: readonly string[] = ['card', 'customer']

/** What a card belongs to. What is done to these changes the card, too. */
const OWNERS: readonly ResourceKind[] = ['account', 'customer']

/** The account and the customer of a card, as far as the journal knows. */
export const ownersOf = (journal: Journal, card: string): readonly string[] =>
  journal.requests
    .touchedWith(card, Number.POSITIVE_INFINITY)
    .filter(other => OWNERS.some(kind => other.startsWith(`${kind}:`)))

/** Resources, and what belongs to them as far as the journal knows: the plastics of a card, the cards of a customer. */
export function withBelonging(journal: Journal, resources: readonly string[]): readonly string[] {
  const found = new Set(resources)
  for (const one of found) {
    const kinds = BELONGING[one.slice(0, one.indexOf(':')) as ResourceKind]
    if (kinds === undefined) continue
    const beside = journal.requests.touchedWith(one, Number.POSITIVE_INFINITY)
    for (const other of beside) if (kinds.some(kind => other.startsWith(`${kind}:`))) found.add(other)
  }
  return [...found]
}

/** The cards and accounts of a customer, as the service has them now. */
async function cardsOf(client: Client, customerId: string): Promise<readonly string[]> {
  const operation = operations['cards.listByCustomer.v4']
  const {items} = pagedItems(operation, {all: true}, (query, options) =>
    client.call({operation: operation.id, path: {customerId}, query}, options),
  )
  const found: string[] = []
  for await (const card of items) {
    found.push(resource('card', textAt(card, 'id')))
    const account = textAt(card, 'accountId')
    if (account !== '') found.push(resource('account', account))
  }
  return [...new Set(found)]
}

/**
 * The plastics of cards. A request for a plastic doesn't name its card, so the service is asked if the journal has
 * plastics whose card it doesn't know.
 */
async function plasticsOf(
  client: Client,
  cards: readonly string[],
  unplaced: Set<string>,
): Promise<string[]> {
  const found: string[] = []
  for (const id of cards) {
    if (unplaced.size === 0) break
    const response = await client.call({operation: 'cards.plastics.v3', path: {id}}, {paced: true})
    for (const plastic of listAt({response}, 'response')) {
      const name = resource('plastic', textAt(plastic, 'id'))
      if (unplaced.delete(name)) found.push(name)
    }
  }
  return found
}

/** The account and the customer of a card, as the service has them now. */
async function readOwners(client: Client, id: string): Promise<readonly string[]> {
  const card = await client.call({operation: 'cards.get.v4', path: {id}}, {paced: true})
  return OWNERS.flatMap(kind => {
    const owner = textAt(card, `${kind}Id`)
    return owner === '' ? [] : [resource(kind, owner)]
  })
}

export interface Belonging {
  readonly resources: readonly string[]
  /** Why there may be more. */
  readonly incomplete?: Failure
}

/**
 * What belongs to a customer or a card, and with `owners` what the card belongs to: what the journal knows, and what the
 * service says. Without a response from the service it is what the journal knows, with a warning.
 */
export async function readBelonging(
  context: Context,
  journal: Journal,
  one: string,
  {owners}: {readonly owners: boolean},
): Promise<Belonging> {
  if (!READ.includes(one.slice(0, one.indexOf(':')))) return {resources: withBelonging(journal, [one])}
  const isCustomer = one.startsWith('customer:')
  const own = withBelonging(journal, [one])
  const known = isCustomer || !owners ? own : [...own, ...ownersOf(journal, one)]
  const unplaced = new Set(journal.requests.plasticsWithoutCard())
  const hasOwners = owners && !isCustomer && journal.requests.hasTouched(...OWNERS)
  if (!isCustomer && !hasOwners && unplaced.size === 0) return {resources: known}
  let all = known
  let client: Client | undefined
  let what = isCustomer
    ? 'cards of the customer'
    : hasOwners
      ? 'account and customer of the card'
      : 'plastics of the card'
  try {
    client = await openClient(context, await context.service.target())
    if (isCustomer) {
      all = withBelonging(journal, [...all, ...(await cardsOf(client, one.slice('customer:'.length)))])
    }
    if (hasOwners) all = [...all, ...(await readOwners(client, one.slice('card:'.length)))]
    if (!isCustomer) what = 'plastics of the card'
    const plastics = await plasticsOf(client, idsOf('card', all), unplaced)
    return {resources: [...new Set([...all, ...plastics])]}
  } catch (error) {
    if (isInterruption(error) || !(error instanceof Failure)) throw error
    context.printer.warn(`Could not read the ${what}: ${error.message} This has only what the journal knows.`)
    // The service has nothing of that id, so nothing is missing.
    if (error.code === 'NOT_FOUND') return {resources: all}
    const incomplete = new Failure('LIST_INCOMPLETE', {
      message: `The ${what} could not be read, so records may be missing here.`,
      hint: 'Run the command again when the service responds, or pass --local to use only what the journal knows.',
      effect: 'none',
      data: {complete: false, reason: 'FAILED' satisfies IncompleteReason},
    })
    return {resources: all, incomplete}
  } finally {
    await client?.close()
  }
}
