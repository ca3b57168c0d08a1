import {setTimeout as delay} from 'node:timers/promises'
import {isObject} from '../../errors/is-object.ts'
import {readDuration} from '../../limits/duration.ts'
import {maskText} from '../../sensitive/mask-text.ts'
import {callIdOf, partOf, type ReceivedCall, textOf} from '../received-call.ts'
import type {Caller, Verdict} from '../send/caller.ts'
import type {Forgery} from '../send/forge-credentials.ts'
import {newCard} from '../send/new-card.ts'
import {type CardFacts, someCard} from '../send/scenario-call.ts'
import {Balance} from './balance.ts'
import {ANY_DECISION, compileExpectation, type Expectation, namesAnswer, specsOf} from './expectations.ts'
import {type CallMaker, makeCall, moneyOf, StepFault} from './make-call.ts'
import {type Done, maskedCall} from './masked-call.ts'
import {splitVariable} from './read-suite.ts'
import type {Check, StepResult, SuiteEvent, SuiteSummary} from './results.ts'
import {checkLoad, runLoad} from './run-load.ts'
import {type ExpectSpec, FOLLOW_UPS, type Step, type StepSpec, type Suite} from './suite-file.ts'
import {substitute, Unknown, valueAtPath} from './variables.ts'

export interface SuiteSettings {
  /** Sends the calls. */
  readonly caller: Caller
  readonly signal: AbortSignal
  /** Stops after the first step that fails; the others are skipped. */
  readonly bail?: boolean | undefined
  /** Milliseconds since 1970. */
  now(): number
  newId(): string
  /** In [0, 1). */
  random(): number
  /** A load goes on. */
  onProgress?(step: string, counted: number, planned: number, failed: number): void
}

const STARTING_BALANCE = '5000 EUR'
const MOST_KEPT = 100

/**
 * Runs a suite against an endpoint, step by step. Never rejects for what the endpoint does. If nobody answers at the
 * first call, the run ends, with the reason in the summary.
 */
export async function* runSuite(
  suite: Suite,
  settings: SuiteSettings,
): AsyncGenerator<SuiteEvent, SuiteSummary, undefined> {
  const run = new Run(suite, settings)
  const began = performance.now()
  const results: StepResult[] = []
  yield {type: 'suite', suite: maskText(suite.name), steps: suite.steps.length}
  let stopped: SuiteSummary['stopped']
  for (const [index, step] of suite.steps.entries()) {
    const isOver = stopped !== undefined || (settings.bail === true && results.some(isFailed))
    const isSkipped = isOver || !settings.caller.canForge(forgeryOf(step.spec))
    const result = isSkipped ? skipped(step, index + 1) : await run.step(step, index + 1)
    if (settings.signal.aborted && !isOver) {
      stopped = {why: 'interrupted', reason: 'the run was stopped'}
      results.push(skipped(step, index + 1))
    } else results.push(result)
    const reason = run.unreachable
    if (reason !== undefined) stopped ??= {why: 'unreachable', reason}
    if (isGone(result)) stopped ??= {why: 'gone', reason: `the endpoint is gone since: ${result.name}`}
    const last = results.at(-1)
    if (last) yield last
  }
  const number = (state: StepResult['state']) => results.filter(result => result.state === state).length
  const summary: SuiteSummary = {
    type: 'summary',
    suite: maskText(suite.name),
    steps: results.length,
    passed: number('passed'),
    failed: number('failed'),
    skipped: number('skipped'),
    checks: results.reduce((sum, {checks}) => sum + checks.length, 0),
    calls: run.sentCalls,
    durationMs: Math.round(performance.now() - began),
    ...(stopped && {stopped}),
  }
  yield summary
  return summary
}

/** What a step wants to be wrong with the credentials of its calls. */
const forgeryOf = ({credentials, signature, certificate}: StepSpec): Forgery => ({
  ...(credentials && {credentials}),
  ...(signature && {signature}),
  ...(certificate && {certificate}),
})

const isFailed = ({state}: StepResult): boolean => state === 'failed'

/** Whether the endpoint can no longer be reached after a step. */
export const isGone = ({checks}: Pick<StepResult, 'checks'>): boolean =>
  checks.some(({what, passed}) => what === THERE && !passed)

/** What is expected of an endpoint beyond its answers. */
export const THERE = 'endpoint'

const skipped = ({name, verb, at}: Step, number: number): StepResult => ({
  type: 'step',
  number,
  name: maskText(name),
  verb,
  ...at,
  state: 'skipped',
  durationMs: 0,
  checks: [],
  calls: [],
})

class Run {
  readonly #suite: Suite
  readonly #settings: SuiteSettings
  readonly #done = new Map<string, Done>()
  /** What the account of each card has. */
  readonly #balances = new Map<CardFacts, Balance>()
  /** The card of the suite, and those of its steps by their names. */
  readonly #card: CardFacts
  readonly #cards = new Map<string, CardFacts>()
  readonly #ids = new Map<string, string>()
  /** How much later than now calls say it is, in ms. */
  #ahead = 0
  #answered = false
  sentCalls = 0
  /** Why nobody was reached, as long as nobody has ever answered. */
  unreachable: string | undefined

  constructor(suite: Suite, settings: SuiteSettings) {
    this.#suite = suite
    this.#settings = settings
    this.#card = suite.card === 'new' ? newCard(settings.newId) : someCard
  }

  async step(step: Step, number: number): Promise<StepResult> {
    const began = performance.now()
    const performed = await this.#perform(step).catch((error: unknown): Performed => {
      if (!(error instanceof StepFault || error instanceof Unknown)) throw error
      const check = {
        what: 'step',
        expected: 'a step that can be run',
        got: maskText(error.message),
        passed: false,
      }
      return {checks: [check], calls: []}
    })
    const outcome = {...performed, checks: [...performed.checks, ...(await this.#stillThere(performed))]}
    return {
      type: 'step',
      number,
      name: maskText(step.name),
      verb: step.verb,
      ...step.at,
      state: outcome.checks.every(({passed}) => passed) ? 'passed' : 'failed',
      durationMs: Math.round((performance.now() - began) * 10) / 10,
      ...outcome,
    }
  }

  async #perform(step: Step): Promise<Performed> {
    const {verb} = step
    const {cases: _, ...written} = step.spec
    const spec = substitute(written, variable => this.#look(variable)) as StepSpec
    const {caller, signal, now, newId, random, onProgress} = this.#settings
    if (verb === 'wait') {
      await delay(readDuration(spec.wait ?? '') ?? 0, undefined, {signal}).catch(() => undefined)
      return NOTHING
    }
    if (verb === 'clock') {
      const {clock = ''} = spec
      this.#ahead = clock.startsWith('+')
        ? this.#ahead + (readDuration(clock.slice(1)) ?? 0)
        : timeOf(clock) - now()
      return NOTHING
    }
    if (verb === 'clear') {
      const transaction = textOf(partOf(this.#earlier(spec.clear ?? ''), 'metadata').transactionId)
      if (transaction === undefined) throw new StepFault('the call has no transactionId to clear')
      this.#balanceOf(this.#cardOf(step, spec)).clear(
        transaction,
        spec.amount === undefined ? undefined : moneyOf(spec.amount),
      )
      return NOTHING
    }
    if (verb === 'load' && spec.load) {
      const {name} = step
      const load = await runLoad(spec.load, {
        caller,
        signal,
        newId,
        random,
        now: () => this.#now(),
        ...(onProgress && {onProgress: (...counts) => onProgress(name, ...counts)}),
      })
      this.sentCalls += load.calls
      return {checks: checkLoad(load, spec), calls: [], load}
    }
    return this.#call(step, spec)
  }

  /** A call that nobody answered may have ended the endpoint, whatever was expected of it. A warm-up changes nothing. */
  async #stillThere({calls, load}: Performed): Promise<readonly Check[]> {
    const isSilent = load ? load.calls > 0 && load.p50 === null : calls.some(isUnanswered)
    const {caller, signal} = this.#settings
    if (!isSilent || !this.#answered || signal.aborted) return []
    let look = await caller.warmUp({signal})
    if (isUnanswered(look)) look = await caller.warmUp({signal})
    if (look.outcome !== 'unreachable' || signal.aborted) return []
    const expected = 'an endpoint that can still be reached'
    return [{what: THERE, expected, got: maskText(look.reason ?? 'no connection'), passed: false}]
  }

  async #call(step: Step, spec: StepSpec): Promise<Performed> {
    const {times = 1, parallel = false, after} = spec
    this.#ahead += readDuration(after ?? '') ?? 0
    const expectations = await this.#expectations(step, spec)
    this.#cards.set(step.name, this.#cardOf(step, spec))
    const first = step.verb === 'repeat' ? await this.#make(step, spec) : undefined
    const one = async () => this.#send(step, spec, first ?? (await this.#make(step, spec)))
    const sent: Done[] = []
    if (parallel) sent.push(...(await Promise.all(Array.from({length: times}, one))))
    else for (let at = 0; at < times && !this.#settings.signal.aborted; at++) sent.push(await one())
    const [done] = sent
    if (done) this.#done.set(step.name, done)
    const earlier = (name: string) => (name === step.name ? done : this.#done.get(name))
    const judged = sent.map(each => expectations.map(expectation => expectation.test(each, earlier)))
    const isBad = judged.map(tests => tests.some(({passed}) => !passed))
    return {
      checks: expectations.map((expectation, at) =>
        checkOf(
          expectation,
          judged.map(tests => tests[at]),
        ),
      ),
      calls: sent
        .map((each, at) => ({each, hasFailed: isBad[at] === true}))
        .filter(({hasFailed}, at) => at === 0 || hasFailed || sent.length <= MOST_KEPT)
        .slice(0, MOST_KEPT)
        .map(({each, hasFailed}) => ({
          ...maskedCall(each, step.verb === 'warmUp' ? '/warm-up' : '/auth', spec.padTo),
          ...(hasFailed && {failed: true as const}),
        })),
    }
  }

  /** What is expected of a step, and of every answer of the suite. */
  async #expectations(step: Step, spec: StepSpec): Promise<readonly Expectation[]> {
    const written = specsOf(spec.expect)
    const specs: readonly ExpectSpec[] = [
      ...(written.some(namesAnswer) ? [] : [answerOf(step, spec)]),
      ...written,
      ...(this.#suite.within === undefined ? [] : [{within: this.#suite.within}]),
    ]
    const place = {
      pointer: '',
      report: (_pointer: string, message: string) => {
        throw new StepFault(message)
      },
    }
    const compiled = await Promise.all(specs.map(each => compileExpectation(each, place)))
    return compiled.flat()
  }

  #make(step: Step, spec: StepSpec): Promise<ReceivedCall> {
    if (step.verb === 'warmUp' || step.verb === 'raw') return Promise.resolve({})
    const {newId, random} = this.#settings
    const card = this.#cards.get(step.name) ?? this.#card
    const maker: CallMaker = {
      now: () => this.#now(),
      newId,
      random,
      card,
      available: this.#balanceOf(card).available,
      set: this.#suite.set,
      ids: this.#ids,
      earlier: name => this.#earlier(name),
    }
    return makeCall(step, spec, maker)
  }

  async #send({verb, name}: Step, spec: StepSpec, call: ReceivedCall): Promise<Done> {
    const {caller, signal, now} = this.#settings
    const slowMs = readDuration(spec.slow ?? '')
    const at = now()
    const verdict =
      verb === 'warmUp'
        ? await caller.warmUp({signal})
        : await caller.authorise(verb === 'raw' ? spec.raw : call, {
            signal,
            ...(slowMs === undefined ? {} : {slowMs}),
            forgery: forgeryOf(spec),
            ...bytesOf(verb, spec, call),
          })
    this.sentCalls++
    if (verdict.outcome !== 'unreachable') this.#answered = true
    this.unreachable = this.#answered || signal.aborted ? undefined : verdict.reason
    this.#balanceOf(this.#cards.get(name) ?? this.#card).count(call, verdict)
    return {call: verb === 'raw' ? spec.raw : call, verdict, at}
  }

  /** A step that follows another is about the card of that one. */
  #cardOf({verb}: Step, spec: StepSpec): CardFacts {
    const of = FOLLOW_UPS.find(each => each === verb)
    if (of) return this.#cards.get(spec[of] ?? '') ?? this.#card
    return spec.card === 'new' ? newCard(this.#settings.newId) : this.#card
  }

  #balanceOf(card: CardFacts): Balance {
    const balance =
      this.#balances.get(card) ?? new Balance(moneyOf(this.#suite.available ?? STARTING_BALANCE))
    this.#balances.set(card, balance)
    return balance
  }

  #now(): number {
    return this.#settings.now() + this.#ahead
  }

  #earlier(name: string): ReceivedCall {
    const call = this.#done.get(name)?.call
    if (isObject(call)) return call
    throw new StepFault(`${name} has sent no call with a body`)
  }

  /** The value of `step.field`. */
  #look(variable: string): unknown {
    const [name, path] = splitVariable(variable, [...this.#done.keys()])
    const done = this.#done.get(name)
    const found = done && valueAtPath(factsOf(done), path)
    if (found === undefined) throw new Unknown(`\${${variable}} has no value`)
    return found
  }
}

interface Performed extends Pick<StepResult, 'checks' | 'calls'> {
  readonly load?: NonNullable<StepResult['load']>
}

const isUnanswered = ({outcome, status}: Pick<Verdict, 'outcome' | 'status'>): boolean =>
  status === undefined && outcome !== 'late'

const NOTHING: Performed = {checks: [], calls: []}

/** Every call gets a decision of the contract; a warm-up is accepted; a repeated call gets the same answer. */
function answerOf({verb}: Step, {repeat, set, without}: StepSpec): ExpectSpec {
  if (verb === 'warmUp') return {decision: 'ready', basis: 'known'}
  const isSame = verb === 'repeat' && set === undefined && without === undefined
  return isSame ? {sameAs: repeat ?? '', basis: 'decided'} : ANY_DECISION
}

/** What variables can name. */
function factsOf({call, verdict: {outcome, code, part, status, reply, durationMs}}: Done): object {
  const body = isObject(call) ? call : {}
  const {transactionId} = partOf(body, 'metadata')
  return {
    id: callIdOf(body),
    transactionId,
    ...(isObject(partOf(body, 'transactionData').transactionAmount)
      ? (partOf(body, 'transactionData').transactionAmount as object)
      : {}),
    decision: outcome,
    code,
    part,
    status,
    durationMs,
    call,
    answer: reply,
  }
}

function bytesOf(verb: Step['verb'], {raw, padTo}: StepSpec, call: ReceivedCall): {bytes?: Buffer} {
  if (verb === 'raw') return {bytes: Buffer.from(raw ?? '')}
  if (padTo === undefined) return {}
  const missing = padTo - Buffer.byteLength(JSON.stringify({...call, padding: ''}))
  return {bytes: Buffer.from(JSON.stringify({...call, padding: 'x'.repeat(Math.max(0, missing))}))}
}

function checkOf(
  {what, expected, basis, why}: Expectation,
  tests: readonly (ReturnType<Expectation['test']> | undefined)[],
): Check {
  const bad = tests.filter(test => test?.passed === false)
  const shown = bad[0] ?? tests[0]
  return {
    what,
    expected: maskText(expected),
    got: maskText(shown?.got ?? 'nothing was sent'),
    passed: bad.length === 0 && tests.length > 0,
    ...(basis && {basis}),
    ...(why !== undefined && {why: maskText(why)}),
    ...(tests.length > 1 && bad.length > 0 && {failed: bad.length}),
  }
}

/** Milliseconds since 1970. @throws StepFault */
function timeOf(text: string): number {
  const at = Date.parse(text.includes('T') ? text : `${text}T00:00Z`)
  if (Number.isNaN(at)) throw new StepFault('the clock has no such time')
  return at
}
