import {setTimeout as delay} from 'node:timers/promises'
import {isObject} from '../../errors/is-object.ts'
import {readDuration} from '../../limits/duration.ts'
import {maskText} from '../../sensitive/mask-text.ts'
import {partOf, type ReceivedCall, textOf} from '../received-call.ts'
import type {Caller} from '../send/caller.ts'
import type {Forgery} from '../send/forge-credentials.ts'
import {untranslatable} from '../translator.ts'
import type {Expectation} from './expectation.ts'
import {ANY_DECISION, compileExpectation, namesAnswer, specsOf} from './expectations.ts'
import {type CallMaker, makeCall, moneyOf, StepFault} from './make-call.ts'
import {type Done, maskedCall} from './masked-call.ts'
import type {Check, StepResult} from './results.ts'
import {checkLoad, runLoad} from './run-load.ts'
import {isUnanswered, stillThere} from './still-there.ts'
import {SuiteCards} from './suite-cards.ts'
import type {ExpectSpec, Step, StepSpec, Suite} from './suite-file.ts'
import {factsOf, splitVariable, substitute, Unknown, valueAtPath} from './variables.ts'

export interface StepSettings {
  /** Sends the calls. */
  readonly caller: Caller
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  now(): number
  newId(): string
  /** In [0, 1). */
  random(): number
  /** A load goes on. */
  onProgress?(step: string, counted: number, planned: number, failed: number): void
}

/** Maximum number of calls of a step that are kept. If more were sent, the first one and those that failed. */
const MOST_KEPT = 100

/** Runs the steps of a suite, one after another, and keeps what later ones need of earlier ones. */
export class StepRunner {
  readonly #suite: Suite
  readonly #settings: StepSettings
  readonly #done = new Map<string, Done>()
  readonly #cards: SuiteCards
  readonly #ids = new Map<string, string>()
  /** Steps whose calls the service that is played can't send, and why. */
  readonly #notSent = new Map<string, string>()
  /** Steps whose calls were declined, where an approval was just as well expected. */
  readonly #declined = new Map<string, string>()
  /** How much later than now calls say it is, in ms. */
  #ahead = 0
  #answered = false
  sentCalls = 0
  /** Why nobody was reached, as long as nobody has ever answered. */
  unreachable: string | undefined

  constructor(suite: Suite, settings: StepSettings) {
    this.#suite = suite
    this.#settings = settings
    this.#cards = new SuiteCards(suite, settings.newId)
  }

  /** Never rejects for what the endpoint does or for a step that can't be run. */
  async run(step: Step, number: number): Promise<StepResult> {
    const began = performance.now()
    const performed = await this.#perform(step).catch((error: unknown): Performed => {
      const reason = error instanceof NotSent ? error.message : untranslatable(error)
      if (reason !== undefined) {
        this.#notSent.set(step.name, reason)
        return {...NOTHING, reason: maskText(reason), isSkipped: true}
      }
      if (!(error instanceof StepFault || error instanceof Unknown)) throw error
      const check = {
        what: 'step',
        expected: 'a step that can be run',
        got: maskText(error.message),
        passed: false,
      }
      return {checks: [check], calls: []}
    })
    const {isSkipped, reason, ...outcome} = performed
    const checks = [...performed.checks, ...(await this.#lookAgain(performed))]
    const hasFailed = checks.some(({passed}) => !passed)
    const isChecked = reason === undefined || hasFailed
    return {
      type: 'step',
      number,
      name: maskText(step.name),
      verb: step.verb,
      ...step.at,
      state: hasFailed ? 'failed' : isChecked ? 'passed' : isSkipped ? 'skipped' : 'not checked',
      durationMs: Math.round((performance.now() - began) * 10) / 10,
      ...outcome,
      checks,
      ...(!isChecked && {reason}),
    }
  }

  async #perform(step: Step): Promise<Performed> {
    const {verb} = step
    const {cases: _, ...written} = step.spec
    const spec = substitute(written, variable => this.#look(variable)) as StepSpec
    for (const each of specsOf(spec.expect)) if (each.sameAs !== undefined) this.#refuseUnsent(each.sameAs)
    const {caller, signal, now, newId, random, onProgress} = this.#settings
    if (verb === 'warmUp' && !caller.warmsUp) throw new NotSent('this service sends no warm-up')
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
      this.#cards
        .balanceOf(this.#cards.choose(step, spec))
        .clear(transaction, spec.amount === undefined ? undefined : moneyOf(spec.amount))
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

  /** A call that nobody answered may have ended the endpoint, whatever was expected of it. */
  async #lookAgain({calls, load}: Performed): Promise<readonly Check[]> {
    const isSilent = load ? load.calls > 0 && load.p50 === null : calls.some(isUnanswered)
    return isSilent && this.#answered ? stillThere(this.#settings) : []
  }

  async #call(step: Step, spec: StepSpec): Promise<Performed> {
    const {times = 1, parallel = false, after} = spec
    this.#ahead += readDuration(after ?? '') ?? 0
    const expectations = await this.#expectations(step, spec)
    this.#cards.keep(step.name, this.#cards.choose(step, spec))
    const isOne = step.verb === 'repeat' || spec.sameId === true
    const first = isOne ? await this.#make(step, spec) : undefined
    const one = async () => this.#send(step, spec, first ?? (await this.#make(step, spec)))
    const sent: Done[] = []
    if (parallel) sent.push(...(await Promise.all(Array.from({length: times}, one))))
    else for (let at = 0; at < times && !this.#settings.signal.aborted; at++) sent.push(await one())
    const [done] = sent
    if (done) this.#done.set(step.name, done)
    const earlier = (name: string) => (name === step.name ? done : this.#done.get(name))
    const judged = sent.map(each => expectations.map(expectation => expectation.test(each, earlier)))
    const isBad = judged.map(tests => tests.some(({passed}) => !passed))
    const reason = this.#untested(step, spec, sent, expectations)
    return {
      ...(reason !== undefined && {reason: maskText(reason)}),
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

  /**
   * Why a step shows nothing of what it is about: it was declined for lack of funds where the account had them and an
   * approval was expected just as well, or what it follows was declined.
   */
  #untested(
    {name, verb}: Step,
    spec: StepSpec,
    sent: readonly Done[],
    expectations: readonly Expectation[],
  ): string | undefined {
    const of = spec.increment ?? spec.reverse ?? spec.repeat ?? ''
    const earlier = this.#declined.get(of)
    if (earlier !== undefined && (verb !== 'repeat' || earlier === LACK_OF_FUNDS)) {
      return `${of} was declined with ${earlier}`
    }
    const [code] = sent.map(({verdict}) => verdict.code)
    const isDeclined = sent.every(
      ({verdict, isCovered}) => isCovered === true && verdict.outcome === 'declined' && verdict.code === code,
    )
    if (code === undefined || verb === 'repeat' || !isDeclined || !expectations.every(acceptsApproval)) return
    this.#declined.set(name, code)
    return code === LACK_OF_FUNDS ? 'it was only ever declined for lack of funds' : undefined
  }

  /** What is expected of a step, and of every answer of the suite. */
  async #expectations(step: Step, spec: StepSpec): Promise<readonly Expectation[]> {
    const written = specsOf(spec.expect)
    const specs: readonly ExpectSpec[] = [
      // A dropped call has no answer.
      ...(written.some(namesAnswer) || spec.drop !== undefined ? [] : [answerOf(step, spec)]),
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
    const card = this.#cards.of(step.name)
    const maker: CallMaker = {
      now: () => this.#now(),
      newId,
      random,
      card,
      available: this.#cards.balanceOf(card).available,
      set: this.#suite.set,
      ids: this.#ids,
      earlier: name => this.#earlier(name),
    }
    return makeCall(step, spec, maker)
  }

  async #send({verb, name}: Step, spec: StepSpec, call: ReceivedCall): Promise<Done> {
    const {caller, signal, now} = this.#settings
    const balance = this.#cards.balanceOf(this.#cards.of(name))
    const isCovered = balance.covers(call)
    const slowMs = readDuration(spec.slow ?? '')
    const at = now()
    const verdict =
      verb === 'warmUp'
        ? await caller.warmUp({signal})
        : await caller.authorise(verb === 'raw' ? spec.raw : call, {
            signal,
            ...(slowMs === undefined ? {} : {slowMs}),
            ...(spec.drop && {drop: spec.drop}),
            forgery: forgeryOf(spec),
            ...(verb === 'raw' ? {bytes: Buffer.from(spec.raw ?? '')} : {padTo: spec.padTo}),
          })
    this.sentCalls++
    if (verdict.outcome !== 'unreachable') this.#answered = true
    this.unreachable = this.#answered || signal.aborted ? undefined : verdict.reason
    balance.count(call, verdict)
    return {call: verb === 'raw' ? spec.raw : call, verdict, at, isCovered}
  }

  #now(): number {
    return this.#settings.now() + this.#ahead
  }

  #refuseUnsent(name: string): void {
    const reason = this.#notSent.get(name)
    if (reason !== undefined) throw new NotSent(reason)
  }

  #earlier(name: string): ReceivedCall {
    this.#refuseUnsent(name)
    const call = this.#done.get(name)?.call
    if (isObject(call)) return call
    throw new StepFault(`${name} has sent no call with a body`)
  }

  /** The value of `step.field`. */
  #look(variable: string): unknown {
    const [name, path] = splitVariable(variable, [...this.#done.keys(), ...this.#notSent.keys()])
    this.#refuseUnsent(name)
    const done = this.#done.get(name)
    const found = done && valueAtPath(factsOf(done), path)
    if (found === undefined) throw new Unknown(`\${${variable}} has no value`)
    return found
  }
}

/** What a step wants to be wrong with the credentials of its calls. */
export const forgeryOf = ({credentials, signature, certificate}: StepSpec): Forgery => ({
  ...(credentials && {credentials}),
  ...(signature && {signature}),
  ...(certificate && {certificate}),
})

/** Why the calls of a step are not sent, as a sentence without a full stop. */
class NotSent extends Error {}

interface Performed extends Pick<StepResult, 'checks' | 'calls'> {
  /** Why it was not checked. */
  readonly reason?: string
  /** Whether nothing was sent. */
  readonly isSkipped?: true
  readonly load?: NonNullable<StepResult['load']>
}

const NOTHING: Performed = {checks: [], calls: []}

const LACK_OF_FUNDS = '51'

/** Whether an expectation holds for a plain approval, too. */
const acceptsApproval = ({what, test}: Expectation): boolean =>
  !['decision', 'code'].includes(what) ||
  test(
    {call: {}, verdict: {outcome: 'approved', code: '00', status: 200, durationMs: 0, violations: []}},
    () => undefined,
  ).passed

/** Every call gets a decision of the contract; a warm-up is accepted; a repeated call gets the same answer. */
function answerOf({verb}: Step, {repeat, set, without}: StepSpec): ExpectSpec {
  if (verb === 'warmUp') return {decision: 'ready', basis: 'known'}
  const isSame = verb === 'repeat' && set === undefined && without === undefined
  return isSame ? {sameAs: repeat ?? '', basis: 'decided'} : ANY_DECISION
}

function checkOf(
  {what, expected, test: _, ...rests}: Expectation,
  tests: readonly (ReturnType<Expectation['test']> | undefined)[],
): Check {
  const bad = tests.filter(test => test?.passed === false)
  const shown = bad[0] ?? tests[0]
  return {
    what,
    expected: maskText(expected),
    got: maskText(shown?.got ?? 'nothing was sent'),
    passed: bad.length === 0 && tests.length > 0,
    ...rests,
    ...(tests.length > 1 && bad.length > 0 && {failed: bad.length}),
  }
}

/** Milliseconds since 1970. @throws StepFault */
function timeOf(text: string): number {
  const at = Date.parse(text.includes('T') ? text : `${text}T00:00Z`)
  if (Number.isNaN(at)) throw new StepFault('the clock has no such time')
  return at
}
