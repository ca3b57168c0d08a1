import {join} from 'node:path'
import type {Context} from '../../../cli/context.ts'
import {ROOT} from '../../../cli/package-files.ts'
import {codeOf} from '../../../contract/response-codes.ts'
import {scenarios} from '../../../contract/scenarios.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {counted, decimalText} from '../../../money/amount.ts'
import {
  type AuthEvent,
  type Exchange,
  type LateEvent,
  type ReceivedCall,
  scenarioCall,
  someCard,
} from '../../../webhook/index.ts'
import {createPreview, loadRules, type Preview} from '../../../webhook/rules/index.ts'
import {exportedCalls} from './exported-calls.ts'
import {isDatabase, withRecording} from './recording.ts'

/** The published schema of rule files, for editors. */
export const RULES_SCHEMA = join(ROOT, 'docs', 'webhook-rules.schema.json')

/** What rules would answer to a call of a scenario. */
export interface ScenarioCheck extends Preview {
  readonly scenario: string
  readonly summary: string
}

/** What rules would answer to a recorded call, and what was answered. */
export interface RecordedCheck
  extends Preview,
    Pick<AuthEvent, 'event' | 'merchant' | 'amount' | 'currency'> {
  /** When the call arrived, in ISO 8601. */
  readonly at: string
  readonly was: string
}

/**
 * The answer to one call of each scenario, as the first call of its card.
 *
 * @throws Failure INPUT_INVALID for an invalid file
 */
export async function checkByScenario(context: Context, file: string): Promise<readonly ScenarioCheck[]> {
  const {createPreview, rules} = await openRules(context, file)
  const {now, random, newKey: newId} = context.surroundings
  return Object.entries(scenarios).map(([scenario, facts]) => {
    const call = scenarioCall({scenario: facts, card: someCard, now, random, newId})
    return {scenario, summary: facts.summary, ...createPreview(rules)(call, now())}
  })
}

/** Only the newest calls up to this number are checked. */
const MOST = 50_000

/**
 * Checks recorded calls in the order in which they came; the result has the newest first. `against` is `recording` for
 * this machine's own recording, the file of another one, or a file from `webhook events export`.
 */
export async function checkByRecording(
  context: Context,
  file: string,
  against: string,
): Promise<readonly RecordedCheck[]> {
  const {createPreview, rules} = await openRules(context, file)
  const calls: {readonly event: AuthEvent | LateEvent; readonly call: ReceivedCall}[] = []
  for await (const {event, request} of exchangesOf(context, against)) {
    // A repeated call got the earlier answer again: there was no decision.
    if ((event.type !== 'auth' && event.type !== 'late') || ('repeated' in event && event.repeated)) continue
    const {body} = request
    if (!isObject(body)) continue
    calls.push({event, call: body})
    if (calls.length < MOST) continue
    context.printer.warn(`Checks only the newest ${MOST} calls.`)
    break
  }
  const preview = createPreview(rules)
  return calls
    .toSorted((a, b) => a.event.at - b.event.at)
    .map(({event: recorded, call}) => {
      const {event, at, merchant, amount, currency} = recorded
      const money = amount === undefined || currency === undefined ? {} : {amount, currency}
      const when = new Date(at).toISOString()
      return {event, at: when, merchant, ...money, was: wordsOf(recorded), ...preview(call, at)}
    })
    .toReversed()
}

/** The failure if a rule decides a call differently than recorded; undefined if none does. */
export function changedDecisions(checked: readonly RecordedCheck[]): Failure | undefined {
  const compared = checked.filter(isComparable)
  const changed = compared.filter(({decision = '', was}) => plainCode(decision) !== plainCode(was))
  if (changed.length === 0) return undefined
  return new Failure('DECISION_CHANGED', {
    message: `${counted(changed.length, 'decision')} of ${counted(checked.length, 'call')} changed.`,
    data: {compared: compared.length, changed: changed.map(({event}) => event)},
  })
}

/** Nobody decided a late call, and what a rule decides by chance or leaves to the next is open. */
const isComparable = ({was, decision, probability}: RecordedCheck): boolean =>
  was !== 'late' && decision !== undefined && probability === undefined

/** `decline NOT_SUFFICIENT_FUNDS` is `decline 51`. */
const plainCode = (words: string): string =>
  words.replace(/^decline (.*)$/, (_, code: string) => `decline ${codeOf(code) ?? code}`)

async function openRules({printer}: Context, file: string) {
  const {rules, warnings} = await loadRules(file)
  for (const warning of warnings) printer.warn(warning)
  return {rules, createPreview}
}

async function* exchangesOf(context: Context, against: string): AsyncGenerator<Exchange> {
  if (against === 'recording' || (await isDatabase(against))) {
    const recording = against === 'recording' ? undefined : against
    const all = await withRecording(context, {recording}, async opened => [
      ...opened.iterate({types: ['auth', 'late'], limit: MOST + 1}),
    ])
    return yield* all
  }
  yield* exportedCalls(against, context.surroundings)
}

/** The recorded decision, in the words of a preview. */
function wordsOf(event: AuthEvent | LateEvent): string {
  if (event.type === 'late') return 'late'
  const {outcome, code = '', part} = event
  if (outcome === 'approved') return 'approve'
  if (outcome === 'partial' && part) return `partial ${decimalText(part.amount)} ${part.currency}`
  if (outcome === 'declined') return `decline ${code}`
  if (outcome === 'none') return 'no answer'
  return outcome === 'partial' ? 'partial' : code === '200' ? 'broken answer' : `status ${code}`
}
