import {setTimeout as delay} from 'node:timers/promises'
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
import {untranslatable} from '../translator.ts'
import {balanceIn} from './balance.ts'
import type {ProbedHolds, Used} from './certificate.ts'
import {NotChecked, type Undone, wantsOption} from './check.ts'
import {type Edits, edited} from './edit-call.ts'
import {Ledger} from './ledger.ts'
import {type Probe, ProbeFault} from './probe.ts'
import {lookAtHolds} from './probed-holds.ts'
import type {Restart} from './restart.ts'
import type {Currencies, Room} from './room.ts'
import {type LookedRoom, RoomQuestions} from './room-questions.ts'
import {ruleOfCall} from './rule-of-call.ts'
import {type RawCall, shellLines} from './shell-lines.ts'

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
  /** How much a card can pay, by its currencies, once it was asked; null if the endpoint doesn't show it. */
  readonly rooms: Map<string, Room | null>
}

export const nothingKnown = (): Known => ({
  used: {probe: {times: 0}, restart: {times: 0}},
  ledger: new Ledger(),
  rooms: new Map(),
})

/** What a call differs in from its scenario. */
export interface CallChanges {
  /** `12.50 EUR`. */
  readonly amount?: string | undefined
  readonly card?: CardFacts
  /** The payment that it belongs to. */
  readonly of?: ReceivedCall
  /** Fields of transactionData. */
  readonly data?: Readonly<Record<string, unknown>>
  /** Any fields, by their paths. */
  readonly set?: Edits
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
  readonly #settings: ExamSettings
  readonly #rule: string
  readonly #rooms: RoomQuestions
  readonly #sent: RawCall[] = []
  readonly #failed = new Map<Done, string>()
  #isRestarted = false
  #others = 0
  #wrongHolds: ProbedHolds | undefined

  constructor(settings: ExamSettings, rule: string) {
    this.#settings = settings
    this.#rule = rule
    this.#rooms = new RoomQuestions({
      known: settings.known,
      seesHolds: () => this.seesHolds,
      hasProbe: settings.probe !== undefined,
      newCard: available => this.card(available),
      pay: (amount, card, isAside) =>
        this.#send(this.call('chip', {card, amount, data: {partialApprovalCapable: false}}), {}, isAside),
      expect: (...what) => this.expect(...what),
    })
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

  /** How a failure is seen again, as lines for a shell; empty if nothing failed. */
  reproduction(url: string): readonly string[] {
    if (this.checks.every(({passed}) => passed)) return []
    const {forms} = this.#settings.caller
    return shellLines(this.#sent, {failed: this.#failed, url, forms, held: this.#wrongHolds})
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
  call(name: string, {amount, card, of, data, set}: CallChanges = {}): ReceivedCall {
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
    const own = data ? {...made, transactionData: {...partOf(made, 'transactionData'), ...data}} : made
    return set ? edited(own, set) : own
  }

  #withRest(card: CardFacts): CardFacts {
    const {currency = 'EUR'} = card.available ?? {}
    const all = moneyOf(`5000 ${currency}`).minor
    const rest = all - (this.#settings.known.ledger.onAccount(card.cardId) ?? 0n)
    return {...card, available: wire({minor: rest < 0n ? 0n : rest, currency})}
  }

  /** Reverses a payment, whole; in part with `amount`, or with what then is left. */
  reversal(
    payment: ReceivedCall,
    {amount, left}: {amount?: string | undefined; left?: string | undefined} = {},
  ): ReceivedCall {
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

  /** A call that is only to be decided, one of many. */
  async sendOnly(call: ReceivedCall, settings?: SendSettings): Promise<Done> {
    return this.#send(call, settings)
  }

  /** Bytes that are no call. Whatever comes, nothing may be held for the call that they look like. */
  async sendBroken(call: ReceivedCall, bytes: Buffer, settings: SendSettings = {}): Promise<Done> {
    const {caller, signal, now} = this.#settings
    const at = now()
    const verdict = await caller.authorise(call, {signal, ...settings, bytes})
    const shown = bytes.toString('utf8').slice(0, MOST_SHOWN)
    return this.#keep({call: shown, verdict, at}, '/auth', {...settings, bytes})
  }

  async #send(call: ReceivedCall, settings: SendSettings = {}, isAside = false): Promise<Done> {
    const {caller, signal, now, known} = this.#settings
    const at = now()
    const verdict = await caller.authorise(call, {signal, ...settings})
    known.ledger.count(call, verdict, settings.drop === undefined || !PARTIAL.has(settings.drop))
    return this.#keep({call, verdict, at}, '/auth', settings, isAside)
  }

  /** The same call, several times at once. Only traceId differs, as the contract says. */
  async sendAtOnce(call: ReceivedCall, times: number): Promise<readonly Done[]> {
    const sent = await this.#sendAll(Array.from({length: times}, () => this.again(call)))
    const [first] = sent
    if (first) await this.#look(first)
    return sent
  }

  /** Several calls at once. */
  async sendTogether(
    calls: readonly ReceivedCall[],
    {inAnyOrder = false}: {readonly inAnyOrder?: boolean} = {},
  ): Promise<readonly Done[]> {
    const sent = await this.#sendAll(calls)
    const {ledger} = this.#settings.known
    // What is held in the end may depend on the order in which they were decided.
    if (!inAnyOrder) for (const call of calls) if (kindOf(call) === 'reversal') ledger.leaveOpen(call)
    for (const done of inAnyOrder ? sent.slice(-1) : sent) await this.#look(done)
    return sent
  }

  /** All but the last byte of each goes ahead, so that they are whole at the same time. */
  #sendAll(calls: readonly ReceivedCall[]): Promise<readonly Done[]> {
    const lastByteAfter = delay(AHEAD_MS)
    return Promise.all(calls.map(call => this.#send(call, {lastByteAfter})))
  }

  again(call: ReceivedCall): ReceivedCall {
    return {...call, metadata: {...partOf(call, 'metadata'), traceId: this.#settings.newId()}}
  }

  async warmUp(settings: SendSettings = {}): Promise<Done> {
    const {caller, signal, now} = this.#settings
    if (!caller.warmsUp) throw new NotChecked('this service sends no warm-up', {because: 'service'})
    const at = now()
    const call = settings?.bytes?.toString('utf8') ?? {type: 'WARM_UP', timestamp: new Date(at).toISOString()}
    const verdict = await caller.warmUp({signal, ...settings}, call)
    return this.#keep({call, verdict, at}, '/warm-up', settings)
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
    this.#isRestarted = true
  }

  /** The number of calls that other checks have sent since the last one of this check. */
  noteOthers(calls: number): void {
    this.#others = calls
  }

  /** A command of the owner failed: nothing more can be said with it. */
  #fail(need: 'probe' | 'restart', expected: string, problem: string): never {
    if (this.#settings.signal.aborted) throw new NotChecked('the run was stopped', {because: 'run'})
    this.expect(need, expected, problem, false)
    this.#settings.known.used[need].failure ??= problem
    throw new NotChecked(problem, {because: 'run'})
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
    if (!passed) for (const done of failed) this.#failed.set(done, expected)
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

  /**
   * Makes a check. Returns why it could not be made: never because of an answer with status 200 that is no decision, which
   * fails it.
   */
  async whyNot(check: () => Promise<void>): Promise<Undone | undefined> {
    try {
      await check()
      return undefined
    } catch (error) {
      const undone = error instanceof NotChecked ? error.undone : ofService(untranslatable(error))
      if (undone === undefined) throw error
      this.#expectLastValid()
      return undone
    }
  }

  #expectLastValid(): void {
    const {done} = this.#sent.at(-1) ?? {}
    if (done?.verdict.outcome !== 'invalid' || done.verdict.status !== 200 || typeof done.call === 'string')
      return
    const got = verdictInWords(done.verdict)
    this.expect('decision', 'decided', got, false, [done], /partial/i.test(got) ? 'partial-amounts' : 'codes')
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

  /** Others get the same decision, code, amount and balance as a first one, which is a decision. */
  expectSame(
    first: Done,
    others: readonly Done[],
    expected = 'the same answer as the first',
    rule?: string,
  ): void {
    this.#expectOutcome(first, ['decided'], rule)
    const was = plainDecisionOf(first.verdict)
    if (was === undefined) return
    const balance = balanceIn(first.verdict)
    const different = others.filter(
      ({verdict}) =>
        changeFrom(was, plainDecisionOf(verdict)) !== undefined || balanceIn(verdict) !== balance,
    )
    const shown = different[0] ?? others[0] ?? first
    const after = different.length === 0 ? '' : `, after ${withBalance(first.verdict)}`
    this.expect(
      'same',
      expected,
      `${withBalance(shown.verdict)}${after}`,
      different.length === 0,
      different,
      rule,
    )
  }

  /** What a card can still pay is what is not held: to the smallest unit. That is paid. @throws NotChecked */
  expectRoom(card: CardFacts, looked?: LookedRoom): Promise<void> {
    return this.#rooms.expectRest(card, looked)
  }

  /** The same, where a check has shown enough without it. */
  expectRoomIfShown(card: CardFacts, looked?: LookedRoom): Promise<void> {
    return this.#rooms.expectRestIfShown(card, looked)
  }

  /** No more can be paid than is left. It changes nothing; a probe shows more, so with one it isn't asked. */
  async glance(card: CardFacts, looked?: LookedRoom): Promise<void> {
    if (!this.seesHolds) await this.#rooms.expectNoMore(card, looked)
  }

  /** How much a new card can pay. @throws NotChecked if the endpoint doesn't show it */
  knownRoom(currencies?: Currencies): Promise<Room> {
    return this.#rooms.known(currencies)
  }

  /** The call that showed what is held, if that is wrong. */
  get wrongRoom(): RoomQuestions['wrong'] {
    return this.#rooms.wrong
  }

  async expectHeldIfSeen(call: ReceivedCall): Promise<void> {
    if (this.seesHolds) await this.expectHeld(call)
  }

  /** With a probe: what is held for a call is one of these amounts, by default what the contract says. */
  async expectHeld(call: ReceivedCall, ...amounts: readonly string[]): Promise<void> {
    const wanted = amounts.length === 0 ? this.#settings.known.ledger.expected(call) : amounts.map(moneyOf)
    if (wanted) await this.#probed(call, wanted, this.#rule)
  }

  /** After a call: what it should have done to what is held. */
  async #look({call, verdict}: Done): Promise<void> {
    const sent = call as ReceivedCall
    const {ledger} = this.#settings.known
    const expected = ledger.isOther(sent) ? undefined : ledger.expected(sent)
    if (this.seesHolds && expected) await this.#probed(sent, expected, ruleOfCall(sent, verdict, this.#rule))
  }

  async #probed(call: ReceivedCall, wanted: readonly Minor[], rule: string): Promise<void> {
    const {probe, now} = this.#settings
    if (!probe) {
      const {reason, ...undone} = wantsOption('it needs --probe', '--probe')
      throw new NotChecked(reason, undone)
    }
    const {what, isRight, ...holds} = await lookAtHolds(call, wanted, {
      probe: id => this.#holdsOf(probe, id),
      now,
      settles: this.checks.every(({passed}) => passed),
    })
    this.holds.push(holds)
    if (!isRight) this.#wrongHolds ??= holds
    this.expect('holds', what, `${holds.got} held`, isRight, [], rule)
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

  #keep(done: Done, path: SentCall['path'], settings: SendSettings, isAside = false): Done {
    this.#sent.push({
      done,
      path,
      settings,
      isAfterRestart: this.#isRestarted,
      isAside,
      othersBefore: this.#others,
    })
    this.#isRestarted = false
    this.#others = 0
    return done
  }
}

function withBalance(verdict: Verdict): string {
  const balance = balanceIn(verdict)
  return `${verdictInWords(verdict)}${balance === undefined ? '' : `, balance ${balance}`}`
}

/** The service that is played can't send a call. */
const ofService = (reason: string | undefined): Undone | undefined =>
  reason === undefined ? undefined : {reason, because: 'service'}

/** Calls at once have arrived by then, but for their last bytes. */
const AHEAD_MS = 20

/** With these, an endpoint got a part of the call, and has not to decide it. */
export const PARTIAL: ReadonlySet<string> = new Set([
  'in the request',
  'before the last chunk',
  'before its length',
])

/** Evidence shows so many characters of what is no call. */
const MOST_SHOWN = 2000

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
