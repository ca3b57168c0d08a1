import {findScenario} from '../../contract/scenarios.ts'
import {minorToText} from '../../money/amount.ts'
import {exponentOf} from '../../money/exponents.ts'
import {maskText} from '../../sensitive/mask-text.ts'
import {callIdOf, type Minor, partOf, type ReceivedCall} from '../received-call.ts'
import {changeFrom, plainDecisionOf} from '../recording/changed-decision.ts'
import type {Caller, Verdict} from '../send/caller.ts'
import {newCard} from '../send/new-card.ts'
import {type CardFacts, scenarioCall} from '../send/scenario-call.ts'
import {verdictInWords} from '../suite/expectations.ts'
import {moneyOf} from '../suite/make-call.ts'
import {type Done, maskedCall} from '../suite/masked-call.ts'
import type {Check, SentCall} from '../suite/results.ts'
import type {Basis} from '../suite/suite-file.ts'
import type {ProbedHolds, Used} from './certificate.ts'
import {type Probe, ProbeFault} from './probe.ts'
import type {Restart} from './restart.ts'

/** A check of what an endpoint does beyond one call and its answer. */
export interface BehaviourCheck {
  readonly name: string
  /** The rule of the contract that it checks, named by its subject. The source of the rule is the source of the check. */
  readonly rule: string
  readonly needs?: readonly ('probe' | 'restart')[]
  run(exam: Exam): Promise<void>
}

/** Why a check could not be done, as a sentence without a full stop. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked'
}

export interface ExamSettings {
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly probe?: Probe | undefined
  readonly restart?: Restart | undefined
  readonly used: Readonly<Record<'probe' | 'restart', Used>>
  /** Milliseconds since 1970. */
  now(): number
  newId(): string
  /** In [0, 1). */
  random(): number
}

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

type SendSettings = Parameters<Caller['authorise']>[1]

/** Evidence has no more calls than this for a check. */
const MOST_KEPT = 6

/** One check of the behaviour of an endpoint: sends calls, and keeps them with what was expected and what came. */
export class Exam {
  readonly checks: Check[] = []
  readonly holds: ProbedHolds[] = []
  readonly #settings: ExamSettings
  readonly #rests: {readonly basis: Basis; readonly why: string}
  readonly #sent: {readonly done: Done; readonly path: SentCall['path']}[] = []
  readonly #failed = new Set<Done>()

  constructor(settings: ExamSettings, rests: {readonly basis: Basis; readonly why: string}) {
    this.#settings = settings
    this.#rests = rests
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

  /** A card that no other check uses, with money in a currency. */
  card(available = '5000 EUR'): CardFacts {
    return {...newCard(this.#settings.newId), available: wire(moneyOf(available))}
  }

  /** A call of a scenario, with an id of its own. */
  call(name: string, {amount, card, of, data}: CallChanges = {}): ReceivedCall {
    const scenario = findScenario(name)
    if (!scenario) throw new Error('There is no such scenario.')
    const {now, newId, random} = this.#settings
    const asked = amount === undefined ? undefined : moneyOf(amount)
    const made = scenarioCall({
      scenario,
      card: card ?? this.card(asked && `5000 ${asked.currency}`),
      amount: asked && minorToText(asked.minor, exponentOf(asked.currency)),
      currency: asked?.currency,
      transactionId: of && String(partOf(of, 'metadata').transactionId),
      now,
      newId,
      random,
    }) as unknown as ReceivedCall
    return data ? {...made, transactionData: {...partOf(made, 'transactionData'), ...data}} : made
  }

  async send(call: ReceivedCall, settings: SendSettings = {}): Promise<Done> {
    const {caller, signal, now} = this.#settings
    const at = now()
    const verdict = await caller.authorise(call, {signal, ...settings})
    return this.#keep({call, verdict, at}, '/auth')
  }

  /** The same call, several times at once. Only traceId differs, as the contract says. */
  sendAtOnce(call: ReceivedCall, times: number): Promise<readonly Done[]> {
    return Promise.all(Array.from({length: times}, () => this.send(this.again(call))))
  }

  again(call: ReceivedCall): ReceivedCall {
    return {...call, metadata: {...partOf(call, 'metadata'), traceId: this.#settings.newId()}}
  }

  async warmUp(settings: SendSettings): Promise<Done> {
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
    const rest = {...card, available: {amount: 1000, currency: 'EUR'}}
    for (const [amount, of] of [
      ['4000 EUR', card],
      ['4000 EUR', rest],
      ['1000000 EUR', rest],
    ] as const) {
      const call = this.call('chip', {card: of, amount, data: {partialApprovalCapable: false}})
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
    this.#settings.used.restart.times++
  }

  /** A command of the owner failed: nothing more can be said with it. */
  #fail(need: 'probe' | 'restart', expected: string, problem: string): never {
    this.expect(need, expected, problem, false)
    this.#settings.used[need].failure ??= problem
    throw new NotChecked(problem)
  }

  expect(what: string, expected: string, got: string, passed: boolean, failed: readonly Done[] = []): void {
    if (!passed) for (const done of failed) this.#failed.add(done)
    const many = failed.length > 1 && !passed ? {failed: failed.length} : {}
    this.checks.push({what, expected, got: maskText(got), passed, ...this.#rests, ...many})
  }

  /** An answer has one of these outcomes; `decided` is any decision of the contract. */
  expectOutcome(done: Done, ...wanted: readonly (Verdict['outcome'] | 'decided')[]): void {
    const passed = wanted.some(each =>
      each === 'decided' ? plainDecisionOf(done.verdict) !== undefined : done.verdict.outcome === each,
    )
    this.expect('decision', wanted.join(' or '), verdictInWords(done.verdict), passed, [done])
  }

  /** Others get the same decision, code and amount as a first one, which is a decision. */
  expectSame(first: Done, others: readonly Done[], expected = 'the same answer as the first'): void {
    this.expectOutcome(first, 'decided')
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
    )
  }

  /** The probe prints exactly these holds: `4.20 EUR`. */
  async expectHolds(call: ReceivedCall, ...wanted: readonly string[]): Promise<void> {
    await this.#probed(call, wanted.length === 0 ? 'no hold' : wanted.join(', '), found =>
      sameHolds(found, wanted.map(moneyOf)),
    )
  }

  /** What the probe prints adds up to one of these; increments may be holds of their own. */
  async expectTotal(call: ReceivedCall, ...wanted: readonly string[]): Promise<void> {
    await this.#probed(call, `${wanted.join(' or ')} held`, found =>
      wanted.map(moneyOf).some(({minor, currency}) => {
        const isOne = found.every(hold => hold.currency === currency)
        return isOne && found.reduce((sum, hold) => sum + hold.minor, 0n) === minor
      }),
    )
  }

  /** Holds may come a little after the answer, so another look follows before they count as wrong. */
  async #probed(
    call: ReceivedCall,
    expected: string,
    test: (found: readonly Minor[]) => boolean,
  ): Promise<void> {
    const {probe, now} = this.#settings
    if (!probe) throw new NotChecked('it needs --probe')
    const id = callIdOf(call) ?? ''
    const until = now() + SETTLE_MS
    let found = await this.#holdsOf(probe, id)
    while (!test(found) && now() < until) found = await this.#holdsOf(probe, id)
    const got = found.length === 0 ? 'no hold' : found.map(inWords).join(', ')
    this.holds.push({id, expected, got})
    this.expect('holds', expected, got, test(found))
  }

  async #holdsOf(probe: Probe, id: string): Promise<readonly Minor[]> {
    try {
      const found = await probe(id)
      this.#settings.used.probe.times++
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

function sameHolds(found: readonly Minor[], wanted: readonly Minor[]): boolean {
  const texts = (holds: readonly Minor[]) => holds.map(inWords).sort().join()
  return texts(found) === texts(wanted)
}

const inWords = ({minor, currency}: Minor): string =>
  `${minorToText(minor, exponentOf(currency))} ${currency}`

const wire = ({minor, currency}: Minor) => ({
  amount: Number(minorToText(minor, exponentOf(currency))),
  currency,
})
