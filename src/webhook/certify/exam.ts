import {findScenario} from '../../contract/scenarios.ts'
import type {ContractRule} from '../../contract/webhook-contract.ts'
import {minorToText} from '../../money/amount.ts'
import {exponentOf} from '../../money/exponents.ts'
import {maskText} from '../../sensitive/mask-text.ts'
import {callIdOf, kindOf, type Minor, partOf, type ReceivedCall} from '../received-call.ts'
import {changeFrom, plainDecisionOf} from '../recording/changed-decision.ts'
import type {Caller, Verdict} from '../send/caller.ts'
import {newCard} from '../send/new-card.ts'
import {type CardFacts, scenarioCall} from '../send/scenario-call.ts'
import {verdictInWords} from '../suite/expectations.ts'
import {moneyOf} from '../suite/make-call.ts'
import {type Done, maskedCall} from '../suite/masked-call.ts'
import type {Check, SentCall} from '../suite/results.ts'
import type {ProbedHolds, Used} from './certificate.ts'
import {Ledger} from './ledger.ts'
import {type Probe, ProbeFault} from './probe.ts'
import type {Restart} from './restart.ts'
import {findRoom, type Room} from './room.ts'

/** A check of what an endpoint does beyond one call and its answer. */
export interface BehaviourCheck {
  readonly name: string
  /** The rule of the contract that it checks, by its id. The source of the rule is the source of the check. */
  readonly rule: string
  readonly needs?: readonly Need[]
  run(exam: Exam): Promise<void>
}

/** Without it, a check can't be done. */
export type Need = 'probe' | 'restart' | 'signature'

/** Why a check could not be done, as a sentence without a full stop. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked'
}

export interface ExamSettings {
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly probe?: Probe | undefined
  readonly restart?: Restart | undefined
  /** The rules of the contract, by their ids. */
  readonly rules: ReadonlyMap<string, ContractRule>
  /** What all checks of a run know of the endpoint. */
  readonly known: Known
  /** Milliseconds since 1970. */
  now(): number
  newId(): string
  /** In [0, 1). */
  random(): number
}

/** What all checks of a run know of the endpoint. */
export interface Known {
  readonly used: Readonly<Record<'probe' | 'restart', Used>>
  readonly ledger: Ledger
  /** How much a card can pay, once it was asked; null if the endpoint doesn't show it. */
  room?: Room | null
}

export const nothingKnown = (): Known => ({
  used: {probe: {times: 0}, restart: {times: 0}},
  ledger: new Ledger(),
})

/** What a call differs in from its scenario. */
export interface CallChanges {
  /** `12.50 EUR`. */
  readonly amount?: string
  readonly card?: CardFacts
  /** The payment that it belongs to. */
  readonly of?: ReceivedCall
  /** Fields of transactionData. */
  readonly data?: Readonly<Record<string, unknown>>
}

type SendSettings = NonNullable<Parameters<Caller['authorise']>[1]>

/** Evidence has no more calls than this for a check. */
const MOST_KEPT = 6

/**
 * One check of the behaviour of an endpoint: sends calls, and keeps them with what was expected and what came. With a
 * probe, it asks after every call what is held.
 */
export class Exam {
  readonly checks: Check[] = []
  readonly holds: ProbedHolds[] = []
  /** The call that showed what is held, if that is wrong. */
  wrongRoom: {readonly amount: string; readonly expected: 'approved' | 'declined'} | undefined
  readonly #settings: ExamSettings
  readonly #rule: string
  readonly #sent: {readonly done: Done; readonly path: SentCall['path']}[] = []
  readonly #failed = new Set<Done>()

  constructor(settings: ExamSettings, rule: string) {
    this.#settings = settings
    this.#rule = rule
  }

  get calls(): readonly SentCall[] {
    const kept = this.#sent
      .filter(({done}, at) => at < MOST_KEPT || this.#failed.has(done))
      .slice(0, 2 * MOST_KEPT)
    return kept.map(({done, path}) => ({
      ...maskedCall(done, path),
      ...(this.#failed.has(done) && {failed: true as const}),
    }))
  }

  get sentCalls(): number {
    return this.#sent.length
  }

  /** Whether the last call found nobody. */
  get isUnreachable(): boolean {
    return this.#sent.at(-1)?.done.verdict.outcome === 'unreachable'
  }

  get seesHolds(): boolean {
    return this.#settings.probe !== undefined && this.#settings.known.used.probe.failure === undefined
  }

  /** A card that no other check uses, with money in a currency. */
  card(available = '5000 EUR'): CardFacts {
    return {...newCard(this.#settings.newId), available: wire(moneyOf(available))}
  }

  /** A call of a scenario, with an id of its own. It says as available what its card has beside what is held. */
  call(name: string, {amount, card, of, data}: CallChanges = {}): ReceivedCall {
    const scenario = findScenario(name)
    if (!scenario) throw new Error('There is no such scenario.')
    const {now, newId, random} = this.#settings
    const asked = amount === undefined ? undefined : moneyOf(amount)
    const made = scenarioCall({
      scenario,
      card: this.#withRest(card ?? (of ? cardOf(of) : this.card(asked && `5000 ${asked.currency}`))),
      amount: asked && minorToText(asked.minor, exponentOf(asked.currency)),
      currency: asked?.currency,
      transactionId: of && String(partOf(of, 'metadata').transactionId),
      now,
      newId,
      random,
    }) as unknown as ReceivedCall
    return data ? {...made, transactionData: {...partOf(made, 'transactionData'), ...data}} : made
  }

  #withRest(card: CardFacts): CardFacts {
    const {currency = 'EUR'} = card.available ?? {}
    const all = moneyOf(`5000 ${currency}`).minor
    const rest = all - (this.#settings.known.ledger.onCard(card.cardId) ?? 0n)
    return {...card, available: wire({minor: rest < 0n ? 0n : rest, currency})}
  }

  /** Reverses a payment, whole; in part with `amount`, or with what then is left. */
  reversal(payment: ReceivedCall, {amount, left}: {amount?: string; left?: string} = {}): ReceivedCall {
    const {transactionAmount, billingAmount, settlementAmount} = partOf(payment, 'transactionData')
    const money = amount === undefined ? undefined : wire(moneyOf(amount))
    return this.call('reversal', {
      of: payment,
      data: {
        transactionAmount: money ?? transactionAmount,
        billingAmount: money ?? billingAmount,
        settlementAmount: money ?? settlementAmount,
        ...(left !== undefined && {replacementAmount: wire(moneyOf(left))}),
      },
    })
  }

  async send(call: ReceivedCall, settings: SendSettings = {}): Promise<Done> {
    const done = await this.#send(call, settings)
    await this.#look(done)
    return done
  }

  async #send(call: ReceivedCall, settings: SendSettings = {}): Promise<Done> {
    const {caller, signal, now, known} = this.#settings
    const at = now()
    const verdict = await caller.authorise(call, {signal, ...settings})
    known.ledger.count(call, verdict)
    return this.#keep({call, verdict, at}, '/auth')
  }

  /** The same call, several times at once. Only traceId differs, as the contract says. */
  async sendAtOnce(call: ReceivedCall, times: number): Promise<readonly Done[]> {
    const sent = await Promise.all(Array.from({length: times}, () => this.#send(this.again(call))))
    const [first] = sent
    if (first) await this.#look(first)
    return sent
  }

  /** Several calls at once. */
  async sendTogether(calls: readonly ReceivedCall[]): Promise<readonly Done[]> {
    const sent = await Promise.all(calls.map(call => this.#send(call)))
    const {ledger} = this.#settings.known
    for (const call of calls) if (kindOf(call) === 'reversal') ledger.leaveOpen(call)
    for (const done of sent) await this.#look(done)
    return sent
  }

  again(call: ReceivedCall): ReceivedCall {
    return {...call, metadata: {...partOf(call, 'metadata'), traceId: this.#settings.newId()}}
  }

  async warmUp(settings: SendSettings = {}): Promise<Done> {
    const {caller, signal, now} = this.#settings
    if (!caller.warmsUp) throw new NotChecked('this service sends no warm-up')
    const at = now()
    const call = settings?.bytes?.toString('utf8') ?? {type: 'WARM_UP', timestamp: new Date(at).toISOString()}
    const verdict = await caller.warmUp({signal, ...settings}, call)
    return this.#keep({call, verdict, at}, '/warm-up')
  }

  /** @throws NotChecked unless the call is approved in full */
  async approved(call: ReceivedCall): Promise<Done> {
    const done = await this.send(call)
    if (done.verdict.outcome === 'approved') return done
    throw new NotChecked(`it needs an approved call, and this one was ${verdictInWords(done.verdict)}`)
  }

  /**
   * A call that is declined because other payments of its card hold the money, with these payments.
   *
   * @throws NotChecked if the endpoint declines none
   */
  async declined(): Promise<{
    readonly done: Done
    readonly call: ReceivedCall
    readonly held: readonly ReceivedCall[]
  }> {
    const card = this.card()
    const held: ReceivedCall[] = []
    for (const amount of ['4000 EUR', '4000 EUR', '1000000 EUR']) {
      const call = this.call('chip', {card, amount, data: {partialApprovalCapable: false}})
      const done = await this.send(call)
      if (done.verdict.outcome === 'declined') return {done, call, held}
      if (done.verdict.outcome === 'approved') held.push(call)
    }
    throw new NotChecked('it needs a declined call, and the endpoint declined none')
  }

  /** @throws NotChecked if the endpoint did not restart, which has failed the check */
  async restart(): Promise<void> {
    const {problem} = (await this.#settings.restart?.()) ?? {problem: 'it needs --restart'}
    if (problem !== undefined) this.#fail('restart', 'a restart of the endpoint', problem)
    this.#settings.known.used.restart.times++
  }

  /** A command of the owner failed: nothing more can be said with it. */
  #fail(need: 'probe' | 'restart', expected: string, problem: string): never {
    this.expect(need, expected, problem, false)
    this.#settings.known.used[need].failure ??= problem
    throw new NotChecked(problem)
  }

  expect(
    what: string,
    expected: string,
    got: string,
    passed: boolean,
    failed: readonly Done[] = [],
    named = this.#rule,
  ): void {
    const rule = failed[0]?.verdict.outcome === 'late' ? 'deadline' : named
    if (!passed) for (const done of failed) this.#failed.add(done)
    const many = failed.length > 1 && !passed ? {failed: failed.length} : {}
    const {source, about, text} = this.#settings.rules.get(rule) ?? {}
    const rests = {rule, ...(source && {basis: source}), why: `${about}: ${text}`}
    this.checks.push({what, expected, got: maskText(got), passed, ...rests, ...many})
  }

  /** An answer has one of these outcomes; `decided` is any decision of the contract. */
  expectOutcome(done: Done, ...wanted: readonly (Verdict['outcome'] | 'decided')[]): void {
    this.#expectOutcome(done, wanted)
  }

  #expectOutcome(done: Done, wanted: readonly string[], rule?: string): void {
    const passed = wanted.some(each =>
      each === 'decided' ? plainDecisionOf(done.verdict) !== undefined : done.verdict.outcome === each,
    )
    this.expect('decision', wanted.join(' or '), verdictInWords(done.verdict), passed, [done], rule)
  }

  /** An answer is a decision, as this rule says. */
  expectDecided(done: Done, rule: string): void {
    this.#expectOutcome(done, ['decided'], rule)
  }

  /** A call that came again gets what it got first. */
  expectRepeated(call: ReceivedCall, again: readonly Done[]): void {
    const id = callIdOf(call)
    const first = this.#sent.find(({done}) => callIdOf(done.call as ReceivedCall) === id)?.done
    if (first && plainDecisionOf(first.verdict)) {
      this.expectSame(first, again, 'the same answer as the first', 'repeats')
    }
  }

  /** Others get the same decision, code and amount as a first one, which is a decision. */
  expectSame(
    first: Done,
    others: readonly Done[],
    expected = 'the same answer as the first',
    rule?: string,
  ): void {
    this.#expectOutcome(first, ['decided'], rule)
    const was = plainDecisionOf(first.verdict)
    if (was === undefined) return
    const different = others.filter(({verdict}) => changeFrom(was, plainDecisionOf(verdict)) !== undefined)
    const shown = different[0] ?? others[0] ?? first
    const after = different.length === 0 ? '' : `, after ${verdictInWords(first.verdict)}`
    this.expect(
      'same',
      expected,
      `${verdictInWords(shown.verdict)}${after}`,
      different.length === 0,
      different,
      rule,
    )
  }

  /** Without a probe, calls tell what is held on a card: only what is left can still be paid. */
  async expectRoom(card: CardFacts, {mayHaveMore = false, toTheCent = false} = {}): Promise<void> {
    const {known} = this.#settings
    const held = known.ledger.onCard(card.cardId)
    if (held === undefined) return
    const room = await this.#room()
    const isRead = this.seesHolds
    if (!room || (held > 0n && !room.counts)) {
      if (isRead) return
      throw new NotChecked(
        'it needs --probe, because calls do not show what the endpoint holds: it declines none for lack of funds',
      )
    }
    // Some endpoints count holds in another currency, and rounding is only the business of one check.
    const [most, step] = toTheCent ? [room.most, 1n] : [room.most - (room.most % 100n), 100n]
    const left = most - held
    const pay = (minor: bigint) =>
      this.#send(
        this.call('chip', {
          card,
          amount: `${minorToText(minor, 2)} EUR`,
          data: {partialApprovalCapable: false},
        }),
      )
    const words = (minor: bigint) => `${minorToText(minor, 2)} EUR`
    if (!mayHaveMore && room.counts) {
      const more = await pay(left + step)
      const isDeclined = more.verdict.outcome === 'declined'
      const got = isDeclined ? 'declined' : `${verdictInWords(more.verdict)}: more than is left`
      this.expect('room', `${words(left + step)} declined, as ${words(held)} are held`, got, isDeclined, [
        more,
      ])
      if (!isDeclined) {
        this.wrongRoom = {amount: words(left + step), expected: 'declined'}
        return
      }
    }
    const all = await pay(left)
    const {outcome, code} = all.verdict
    if (outcome === 'declined' && code !== room.code) {
      throw new NotChecked(`it needs an endpoint that goes on, and this one declined with ${code}`)
    }
    const isApproved = outcome === 'approved'
    if (!isApproved) this.wrongRoom = {amount: words(left), expected: 'approved'}
    const got = isApproved ? 'approved' : `${verdictInWords(all.verdict)}: more is held`
    this.expect('room', `${words(left)} approved, as ${words(held)} are held`, got, isApproved, [all])
  }

  async #room(): Promise<Room | null> {
    const {known} = this.#settings
    known.room ??= await findRoom(async (amount, card = this.card()) => {
      const done = await this.#send(
        this.call('chip', {
          card,
          amount: `${minorToText(amount, 2)} EUR`,
          data: {partialApprovalCapable: false},
        }),
      )
      return {...done.verdict, card}
    })
    return known.room
  }

  /** With a probe: what is held for a call is one of these amounts, by default what the contract says. */
  async expectHeld(call: ReceivedCall, ...amounts: readonly string[]): Promise<void> {
    const wanted = amounts.length === 0 ? this.#settings.known.ledger.expected(call) : amounts.map(moneyOf)
    if (wanted) await this.#probed(call, wanted, this.#rule)
  }

  /** After a call: what it should have done to what is held. */
  async #look({call, verdict}: Done): Promise<void> {
    const sent = call as ReceivedCall
    const expected = this.#settings.known.ledger.expected(sent)
    if (this.seesHolds && expected)
      await this.#probed(
        sent,
        expected,
        ruleOf(sent, verdict) ?? (BASIC.has(this.#rule) ? 'holds' : this.#rule),
      )
  }

  /** Holds may come a little after the answer, so another look follows before they count as wrong. */
  async #probed(call: ReceivedCall, wanted: readonly Minor[], rule: string): Promise<void> {
    const {probe, now} = this.#settings
    if (!probe) throw new NotChecked('it needs --probe')
    const id = callIdOf(call) ?? ''
    const until = now() + SETTLE_MS
    const isRight = (found: readonly Minor[]) => wanted.some(each => isSum(found, each))
    let found = await this.#holdsOf(probe, id)
    while (!isRight(found) && now() < until) found = await this.#holdsOf(probe, id)
    const got = found.length === 0 ? 'nothing' : found.map(inWords).join(', ')
    const expected = wanted.map(each => (each.minor === 0n ? 'nothing' : inWords(each))).join(' or ')
    this.holds.push({id, expected, got})
    const transaction = `transaction ${String(partOf(call, 'metadata').transactionId)}`
    this.expect('holds', `${expected} held for ${transaction}`, `${got} held`, isRight(found), [], rule)
  }

  async #holdsOf(probe: Probe, id: string): Promise<readonly Minor[]> {
    try {
      const found = await probe(id)
      this.#settings.known.used.probe.times++
      return found
    } catch (error) {
      if (!(error instanceof ProbeFault)) throw error
      this.#fail('probe', 'the holds of the call', error.message)
    }
  }

  #keep(done: Done, path: SentCall['path']): Done {
    this.#sent.push({done, path})
    return done
  }
}

const SETTLE_MS = 1000

/** Rules that say nothing of what is held. */
const BASIC = new Set(['paths', 'status', 'warm-up'])

const KNOWN_KINDS: Readonly<Partial<Record<ReturnType<typeof kindOf>, string>>> = {
  verification: 'zero-amounts',
  credit: 'credits',
  'balance-inquiry': 'balance-inquiries',
  'pin-management': 'pin-changes',
}

/** The rule that says what a call does to what is held; undefined for the one that is being checked. */
function ruleOf(call: ReceivedCall, {outcome}: Verdict): string | undefined {
  const isIncrement = partOf(call, 'metadata').messageCategory === 'INCREMENTAL_AUTHORIZATION'
  if (outcome === 'declined') return isIncrement ? 'declined-increments' : 'declines'
  if (outcome === 'partial') return 'partial-amounts'
  if (isIncrement) return 'increments'
  return KNOWN_KINDS[kindOf(call)]
}

/** Increments may be holds of their own. */
const isSum = (found: readonly Minor[], {minor, currency}: Minor): boolean =>
  found.every(hold => hold.currency === currency) &&
  found.reduce((sum, hold) => sum + hold.minor, 0n) === minor

const inWords = ({minor, currency}: Minor): string =>
  `${minorToText(minor, exponentOf(currency))} ${currency}`

const wire = ({minor, currency}: Minor) => ({
  amount: Number(minorToText(minor, exponentOf(currency))),
  currency,
})

/** The card of a call, for the next call. */
export function cardOf(call: ReceivedCall): CardFacts {
  const {card, account, customer} = call as {
    readonly card: {cardId: string; expiration: {year: number; month: number}}
    readonly account: {accountId: string; availableAmount: {amount: number; currency: string}}
    readonly customer: {customerId: string}
  }
  return {...customer, ...card, accountId: account.accountId, available: account.availableAmount}
}
