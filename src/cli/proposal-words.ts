import {irreversibleIn} from '../contract/marked-values.ts'
import type {Operation} from '../contract/operation.ts'
import {touchedBy} from '../contract/resource.ts'
import {Failure} from '../errors/failure.ts'
import {amount, counted} from '../money/amount.ts'
import {sumByCurrency} from '../money/sum-by-currency.ts'
import {actionOf} from './action-words.ts'
import type {Context} from './context.ts'
import {formerValues, operationOf, setsFields} from './former-values.ts'
import {plainCommandOf} from './plain-commands.ts'
import type {KeptRequest} from './proposal-content.ts'
import {wordsOfRequest} from './request-words.ts'
import {transfersIn} from './second-person.ts'
import {sentFields} from './sent-fields.ts'

/** What is said of a proposed request before a second person decides. */
interface ProposedWords {
  /** `CLOSE credit account 2001 for good`, `send 41 transfers, EUR 10,582.55`. */
  readonly action: string
  /** What cardctl last sent from here for the same fields. */
  readonly before?: Readonly<Record<string, unknown>> | undefined
}

/** How many transfers there are, and their sums; without the sums if something is no amount. */
export function sumsOf(requests: readonly Pick<KeptRequest, 'input'>[]) {
  const all = requests.flatMap(({input: {body}}) => transfersIn(body) ?? [])
  try {
    const totals = sumByCurrency(all).map(({currency, text}) => ({currency, amount: text}))
    return {count: all.length, totals}
  } catch (error) {
    // What isn't an amount is refused before it is sent.
    if (error instanceof Failure) return {count: all.length}
    throw error
  }
}

/** `41 transfers, EUR 10,582.55` */
export function transferSums(requests: readonly Pick<KeptRequest, 'input'>[]): string {
  const {count, totals = []} = sumsOf(requests)
  return [counted(count, 'transfer'), ...totals.map(({amount: sum, currency}) => amount(sum, currency))].join(
    ', ',
  )
}

/** What the requests do, each in words that leave no question: with sums, values, and what can't be undone. */
export async function proposedWords(
  context: Context,
  requests: readonly KeptRequest[],
  known: ReadonlyMap<string, Operation>,
  {isSent = false} = {},
): Promise<readonly ProposedWords[]> {
  // What was sent last is then perhaps this.
  using journal = !isSent && (await context.stores.hasJournal()) ? await context.stores.journal() : undefined
  return Promise.all(
    requests.map(async ({operation: id, input}): Promise<ProposedWords> => {
      const operation = known.get(id)
      if (operation === undefined) return {action: `${id} of a document that this profile does not have`}
      if (transfersIn(input.body) !== undefined && id === 'a2a.create.v1')
        return {action: `send ${transferSums([{input}])}`}
      const resources = touchedBy(operation, input)
      const sent = sentFields(operation, input)
      const change = {operation: id, resources}
      const former =
        journal !== undefined && sent !== undefined && setsFields(operation)
          ? formerValues(journal, change, Object.keys(sent)).known
          : new Map<string, {value: unknown}>()
      const before =
        former.size === 0
          ? undefined
          : Object.fromEntries([...former].map(([name, {value}]) => [name, value]))
      const said = {...change, effectMark: operation.effect}
      const words =
        operationOf(change) === undefined
          ? actionOf(operation, input)
          : await wordsOfRequest(said, sent, before)
      return {action: lasting(operation, input, words), before}
    }),
  )
}

/** What can't be undone is seen at the first word. */
function lasting(operation: Operation, input: KeptRequest['input'], words: string): string {
  const [value] = irreversibleIn(operation, input)
  if (operation.effect === 'destroy') return forGood(words)
  if (value === undefined) return words
  const isClosing = plainCommandOf(operation.id, input.body) === 'accounts:close'
  return isClosing ? forGood(words) : `${words} (${value.value} can't be undone)`
}

/** The reason of a closing stays behind. */
function forGood(words: string): string {
  const [, verb = '', rest = '', reason = ''] = /^(\S+)(.*?)( \(reason: .*\))?$/s.exec(words) ?? []
  return `${verb.toUpperCase()}${rest} for good${reason}`
}
