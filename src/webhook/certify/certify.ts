import {setTimeout as delay} from 'node:timers/promises'
import {contractRules, webhookOpenApi} from '../../contract/webhook-contract.ts'
import {SuggestedCommand} from '../../errors/suggested-command.ts'
import type {Caller} from '../send/caller.ts'
import type {Proof} from '../send/forge-credentials.ts'
import {specsOf} from '../suite/expectations.ts'
import type {StepResult} from '../suite/results.ts'
import {runLoad} from '../suite/run-load.ts'
import {forgeryOf} from '../suite/run-step.ts'
import {runSuite} from '../suite/run-suite.ts'
import {isGone, THERE} from '../suite/still-there.ts'
import type {Basis, Step, Suite} from '../suite/suite-file.ts'
import {behaviourChecks} from './behaviour.ts'
import type {Certificate, CertifiedCheck, Counts, GeneratedCounts, Used} from './certificate.ts'
import {type BehaviourCheck, type Undone, wantsOption} from './check.ts'
import {busyMs, busyReason, type Control, openControl} from './control.ts'
import {deadlineChecks, ENOUGH_CALLS, noteLate, ofFewCalls} from './deadline-checks.ts'
import {Exam, type ExamSettings, nothingKnown} from './exam.ts'
import {type Generated, generatedChecks} from './generated/run.ts'
import {type LongCheck, longChecks} from './long-checks.ts'
import {type Expected, isBeside, notCarried, PROOFS, proofsInWords} from './proofs.ts'
import {shellOptions} from './shell-credentials.ts'

export interface CertifySettings extends Omit<ExamSettings, 'known' | 'rules'> {
  readonly caller: Caller
  /** By which calls prove who sends them, as the endpoint's owner declares it; undefined if nobody did. */
  readonly expects?: Expected | undefined
  /** Of the generated calls; without it none are generated. */
  readonly seed?: number | undefined
  /** Of the endpoint, to show how a failure is seen again. */
  readonly url: string
  /** What a certificate must not lack. */
  readonly require?: readonly Requirement[]
  /** The shipped suites, in this order. */
  readonly suites: readonly Suite[]
  /** By default all. */
  readonly behaviour?: readonly BehaviourCheck[]
  /** How many calls are measured, and how many a second. */
  readonly calls: number
  readonly rate: number
  /** Tells how busy this machine is; by default by a responder of our own. */
  openControl?(): Promise<Control>
  onProgress?(counted: number, planned: number, failed: number): void
}

/** What an owner can require to be used. */
export type Requirement = 'probe' | 'restart' | Proof
export const REQUIREMENTS: readonly Requirement[] = ['probe', 'restart', ...PROOFS]

/** What a run tells: the start of each part, and each check as it ends. */
export type CertifyEvent =
  | {readonly type: 'part'; readonly part: string; readonly description: string}
  | ({readonly type: 'check'} & CertifiedCheck)

/** What a run leaves behind. */
export interface Certified extends Pick<Certificate, 'probe' | 'restart' | 'carried' | 'generated'> {
  readonly counts: Counts
  readonly measured: Certificate['measured']
  readonly checks: readonly CertifiedCheck[]
  readonly contract: string
  /** Why the run ended early: nobody answered the first call, or a signal. */
  readonly stopped?: {readonly why: 'unreachable' | 'interrupted'; readonly reason: string}
}

/**
 * Checks an endpoint: the suites, its behaviour, its deadlines. Never rejects for what the endpoint does. When it no
 * longer answers it is restarted, if that is possible; otherwise the rest is not checked.
 */
export async function* certify(
  settings: CertifySettings,
): AsyncGenerator<CertifyEvent, Certified, undefined> {
  const control = await (settings.openControl ?? openControl)()
  try {
    const run = new Run(settings, await contractRules(), control)
    const stopped = yield* run.all()
    return {...(await run.certified()), ...(stopped && {stopped})}
  } finally {
    await control.close()
  }
}

class Run {
  readonly #settings: CertifySettings & ExamSettings
  readonly #control: Control
  readonly #checks: CertifiedCheck[] = []
  #calls = 0
  #measured: Certificate['measured'] = null
  #generatedCounts: GeneratedCounts | null = null
  /** Begun after the first check, and ended after the last. */
  #long: readonly Begun[] | undefined
  /** The check that the endpoint did not survive. */
  #lost: string | undefined

  constructor(settings: CertifySettings, rules: ExamSettings['rules'], control: Control) {
    this.#settings = {...settings, known: nothingKnown(), rules}
    this.#control = control
  }

  async *all(): AsyncGenerator<CertifyEvent, Certified['stopped'], undefined> {
    const {suites, caller, signal} = this.#settings
    const first = await caller.warmUp({signal})
    this.#calls++
    if (first.outcome === 'unreachable') return {why: 'unreachable', reason: first.reason ?? 'no connection'}
    yield* this.#behaviour()
    yield* this.#generated()
    for (const suite of suites) yield* this.#suite(suite)
    yield* this.#deadlines()
    for (const begun of this.#long ?? []) yield* this.#endLong(begun)
    yield* this.#required()
    return signal.aborted ? {why: 'interrupted', reason: 'the run was stopped'} : undefined
  }

  async certified(): Promise<Omit<Certified, 'stopped'>> {
    const count = (state: CertifiedCheck['state']) =>
      this.#checks.filter(check => check.state === state).length
    const {info} = (await webhookOpenApi()) as {info: {version: string}}
    return {
      counts: {
        passed: count('passed'),
        failed: count('failed'),
        notChecked: count('not checked'),
        notAsked: this.#checks.filter(({because}) => because === 'option' || because === 'service').length,
        calls: this.#calls,
      },
      measured: this.#measured,
      generated: this.#generatedCounts,
      checks: this.#checks,
      probe: this.#usedOf('probe'),
      restart: this.#usedOf('restart'),
      carried: this.#settings.caller.proofs,
      contract: info.version,
    }
  }

  #usedOf(need: 'probe' | 'restart'): Used | null {
    return this.#settings[need] === undefined ? null : this.#settings.known.used[need]
  }

  async *#suite({steps, ...written}: Suite): AsyncGenerator<CertifyEvent> {
    const {signal, caller, now, newId, random} = this.#settings
    const suite = {...written, steps: steps.filter(step => !isBeside(step, this.#settings))}
    yield {type: 'part', part: suite.name, description: suite.description ?? ''}
    if (await this.#isLost()) {
      yield this.#skip(suite.name, 'all its steps')
      return
    }
    for await (const event of runSuite(suite, {caller, signal, now, newId, random})) {
      if (signal.aborted) return
      if (event.type === 'summary') this.#calls += event.calls
      if (event.type !== 'step') continue
      // The step that ends the endpoint fails. The run of the suite ends there.
      if (isGone(event)) this.#lost = event.name
      if (event.state === 'skipped' || event.state === 'not checked') {
        const step = suite.steps[event.number - 1]
        yield this.#add({
          ...ofStep(suite.name, event, this.#whyStep(event, step)),
          basis: basesOf(suite, event.name),
        })
      } else if (event.checks.length > 0) yield this.#add(ofStep(suite.name, event, undefined))
    }
  }

  #whyStep({state, reason}: StepResult, step: Step | undefined): Undone {
    const isForged = step !== undefined && !this.#settings.caller.canForge(forgeryOf(step.spec))
    if (isForged) return notCarried(step, this.#settings)
    if (reason !== undefined) return {reason, because: state === 'skipped' ? 'service' : 'endpoint'}
    return this.#lostReason
  }

  async *#behaviour(): AsyncGenerator<CertifyEvent> {
    yield {
      type: 'part',
      part: 'behaviour',
      description: 'Repeats, restarts, dropped connections, failed warm-ups, order, holds',
    }
    const {behaviour = behaviourChecks, expects} = this.#settings
    for (const check of behaviour) {
      if (this.#settings.signal.aborted) return
      if (check.needs?.includes('signature') && expects?.includes('signature') === false) continue
      if (await this.#isLost()) yield this.#skip('behaviour', check.name)
      else yield this.#add(await this.#examine(check))
      this.#long ??= await this.#beginLong()
    }
  }

  async #examine(check: BehaviourCheck): Promise<CertifiedCheck> {
    const {name, rule, run} = check
    const settings = this.#settings
    const began = performance.now()
    const exam = new Exam(settings, rule)
    const undone = this.#missing(check) ?? (await exam.whyNot(() => run(exam)))
    this.#calls += exam.sentCalls
    this.#noteLoss(name, exam)
    return this.#ofExam({part: 'behaviour', name, rule}, exam, {undone, began})
  }

  /** An endpoint that ended during a check fails it. */
  #noteLoss(name: string, exam: Exam): void {
    // After a restart that failed, perhaps nobody is there.
    if (this.#settings.known.used.restart.failure !== undefined) this.#lost ??= name
    if (!exam.isUnreachable || this.#settings.signal.aborted) return
    this.#lost ??= name
    exam.expect(THERE, 'an endpoint that can still be reached', 'unreachable', false)
  }

  #ofExam(
    {part, name, rule}: {readonly part: string; readonly name: string; readonly rule: string},
    exam: Exam,
    {undone, began}: {readonly undone: Undone | undefined; readonly began: number},
  ): CertifiedCheck {
    const {checks, calls, holds} = exam
    const curl = exam.reproduction(this.#settings.url)
    const hasFailed = checks.some(({passed}) => !passed)
    const isChecked = hasFailed || (undone === undefined && checks.length > 0)
    const source = this.#settings.rules.get(rule)?.source
    if (source === undefined) throw new Error(`The contract has no rule ${rule}.`)
    return {
      part,
      name,
      state: hasFailed ? 'failed' : isChecked ? 'passed' : 'not checked',
      ...(!isChecked && (undone ?? NOTHING_SENT)),
      basis: [source],
      checks,
      calls,
      ...(holds.length > 0 && {holds}),
      ...(curl.length > 0 && {reproduction: {curl}}),
      durationMs: tenths(performance.now() - began),
    }
  }

  /** Why a check can't be done: something is missing, or failed before. */
  #missing({needs = []}: BehaviourCheck): Undone | undefined {
    const {caller, expects, known} = this.#settings
    if (needs.includes('signature') && !caller.proofs.includes('signature')) {
      return notCarried({spec: {signature: 'wrong'}}, {caller, expects})
    }
    const commands = (['restart', 'probe'] as const).filter(need => needs.includes(need))
    const missing = commands.filter(need => this.#settings[need] === undefined)
    if (missing.length > 0) {
      const options = missing.map(need => `--${need}`)
      return wantsOption(`it needs ${options.join(' and ')}`, ...options)
    }
    const [reason] = commands.flatMap(need => known.used[need].failure ?? [])
    return reason === undefined ? undefined : {reason, because: 'run'}
  }

  async #beginLong(): Promise<readonly Begun[]> {
    const all: Begun[] = []
    for (const check of longChecks) {
      const exam = new Exam(this.#settings, check.rule)
      const [began, sent] = [performance.now(), this.#calls]
      let end: Begun['end'] = async () => undefined
      const undone = await exam.whyNot(async () => {
        end = await check.begin(exam)
      })
      all.push({check, exam, began, sent, undone, end})
    }
    return all
  }

  async *#endLong({check, exam, began, sent, undone, end}: Begun): AsyncGenerator<CertifyEvent> {
    const {signal, calls} = this.#settings
    const {name, rule, part, leastBetween = 0, leastMs = 0} = check
    if (signal.aborted) return
    yield {type: 'part', part, description: 'Calls again, after all others'}
    if (await this.#isLost()) {
      yield this.#skip(part, name)
      return
    }
    const rest = leastMs - (performance.now() - began)
    // A whole certificate lasts about as long anyway.
    if (rest > 0 && calls >= ENOUGH_CALLS)
      await delay(rest + TIMER_MS, undefined, {signal}).catch(() => undefined)
    if (signal.aborted) return
    const between = this.#calls - sent
    const seconds = Math.floor((performance.now() - began) / 1000)
    const few =
      between < leastBetween
        ? `it needs ${leastBetween} calls between, and there were ${between}`
        : seconds * 1000 < leastMs
          ? `it needs ${leastMs / 1000} s between, and there were ${seconds}`
          : undefined
    const tooFew = few === undefined ? undefined : ofFewCalls(few, calls)
    const why = undone ?? tooFew ?? (await exam.whyNot(() => end(between)))
    this.#calls += exam.sentCalls
    this.#noteLoss(name, exam)
    yield this.#add(this.#ofExam({part, name, rule}, exam, {undone: why, began}))
  }

  async *#generated(): AsyncGenerator<CertifyEvent> {
    const {seed, signal, url} = this.#settings
    if (seed === undefined || signal.aborted) return
    yield {
      type: 'part',
      part: 'generated',
      description: `Calls that nobody wrote by hand, from --seed ${seed}`,
    }
    if (await this.#isLost()) {
      yield this.#skip('generated', 'all')
      return
    }
    let began = performance.now()
    for await (const generated of generatedChecks({...this.#settings, seed, url, withinMs: LONGEST_MS})) {
      const {name, rule, exam, undone, sent, reproduction} = generated
      this.#calls += sent
      this.#countGenerated(generated)
      if (signal.aborted) return
      this.#noteLoss(name, exam)
      const check = this.#ofExam({part: 'generated', name, rule}, exam, {undone, began})
      yield this.#add({...check, ...(reproduction && {reproduction})})
      if (await this.#isLost()) {
        yield this.#skip('generated', 'the rest')
        return
      }
      began = performance.now()
    }
  }

  #countGenerated({cases, planned, sent}: Generated): void {
    const before = this.#generatedCounts ?? {kinds: 0, cases: 0, planned: 0, calls: 0}
    this.#generatedCounts = {
      kinds: before.kinds + 1,
      cases: before.cases + cases,
      planned: before.planned + planned,
      calls: before.calls + sent,
    }
  }

  async *#deadlines(): AsyncGenerator<CertifyEvent> {
    const {calls, rate, caller, signal, onProgress, now, newId, random, rules} = this.#settings
    if (signal.aborted) return
    yield {
      type: 'part',
      part: 'deadlines',
      description: `${calls} calls at ${rate}/s, each timed from when it was due`,
    }
    if (await this.#isLost()) {
      yield this.#skip('deadlines', 'the calls at a steady rate')
      return
    }
    const began = performance.now()
    const late: number[] = []
    const load = await runLoad(
      {rate: `${rate}/s`, duration: `${Math.ceil((calls * 1000) / rate)}ms`, cards: CARDS},
      {caller: noteLate(caller, late), signal, now, newId, random, ...(onProgress && {onProgress})},
    )
    this.#calls += load.calls
    if (signal.aborted) return
    this.#measured = {...load, asked: rate}
    const endedAt = performance.now()
    const measured = {
      ...{load, late, calls, endedAt, control: this.#control, rules},
      durationMs: tenths(endedAt - began),
      deadlineMs: caller.deadlineMs,
    }
    for (const check of deadlineChecks(measured)) yield this.#add(check)
  }

  *#required(): Generator<CertifyEvent> {
    const {require: wanted = [], caller, known, signal} = this.#settings
    if (signal.aborted) return
    const {used} = known
    if (wanted.length > 0) yield {type: 'part', part: 'required', description: 'What --require names'}
    for (const need of wanted) {
      const isHelp = need === 'probe' || need === 'restart'
      const times = isHelp ? used[need].times : 0
      const got = isHelp
        ? (used[need].failure ??
          (times > 0 ? counted(times) : this.#settings[need] ? 'it was not needed' : `no --${need}`))
        : `calls have ${proofsInWords(caller.proofs)}`
      const passed = isHelp ? times > 0 && used[need].failure === undefined : caller.proofs.includes(need)
      const expected = isHelp ? `--${need} works` : `calls have ${proofsInWords([need])}`
      yield this.#add({
        part: 'required',
        name: expected,
        state: passed ? 'passed' : 'failed',
        basis: ['decided'],
        checks: [{what: need, expected, got, passed, basis: 'decided', why: 'The owner requires it'}],
        calls: [],
        durationMs: 0,
      })
    }
  }

  /** Whether nobody answers any more. Restarts the endpoint if that is possible. */
  async #isLost(): Promise<boolean> {
    if (this.#lost === undefined) return false
    if ((await this.#isThere()) || ((await this.#restarts()) && (await this.#isThere()))) {
      this.#lost = undefined
      return false
    }
    return true
  }

  async #isThere(): Promise<boolean> {
    const {caller, signal} = this.#settings
    this.#calls++
    return (await caller.warmUp({signal})).outcome !== 'unreachable'
  }

  /** One that has failed is not tried again: it may take a minute to fail. */
  async #restarts(): Promise<boolean> {
    const {restart, known} = this.#settings
    if (restart === undefined || known.used.restart.failure !== undefined) return false
    const {problem} = await restart()
    if (problem !== undefined) known.used.restart.failure = problem
    return problem === undefined
  }

  get #lostReason(): Undone {
    const reason = `the endpoint no longer answered; this showed first at: ${this.#lost}`
    return {reason, because: 'run'}
  }

  #skip(part: string, name: string): CertifyEvent {
    const check = {part, name, state: 'not checked', ...this.#lostReason} as const
    return this.#add({...check, basis: [], checks: [], calls: [], durationMs: 0})
  }

  /** What no lines of a shell can show again is named by what does: the step of its suite, or the same run. */
  #withReproduction(check: CertifiedCheck): CertifiedCheck {
    const {part, name, state, reproduction} = check
    if (state !== 'failed' || reproduction !== undefined || part === 'required') return check
    const {suites, seed, url, caller} = this.#settings
    const isStep = suites.some(suite => suite.name === part)
    const {variables, options} = shellOptions(caller.forms)
    const command = new SuggestedCommand(['webhook', 'test', part, '--to', url, '--only', name])
    const step = [...variables, [String(command), ...options].join(' ')]
    const run = `# by no single call: run webhook certify again${seed === undefined ? '' : `, with --seed ${seed}`}`
    return {...check, reproduction: {curl: isStep ? step : [run]}}
  }

  /** A call that was late says nothing about the endpoint if this machine was busy then. */
  #add(check: CertifiedCheck): CertifyEvent {
    const failed = check.checks.filter(({passed}) => !passed)
    const isLate = failed.length > 0 && failed.every(({rule}) => rule === 'deadline')
    const {deadlineMs} = this.#settings.caller
    const to = performance.now()
    const ms = isLate ? busyMs(this.#control, {from: to - check.durationMs, to, deadlineMs}) : undefined
    const shown: CertifiedCheck =
      ms === undefined || check.part === 'deadlines'
        ? check
        : {...check, state: 'not checked', reason: busyReason(ms), because: 'run', checks: []}
    const told = this.#withReproduction(shown)
    this.#checks.push(told)
    return {type: 'check', ...told}
  }
}

interface Begun {
  readonly check: LongCheck
  readonly exam: Exam
  readonly began: number
  /** How many calls were sent before. */
  readonly sent: number
  readonly undone: Undone | undefined
  end(between: number): Promise<void>
}

const CARDS = 500
/** A timer may end a moment too early. */
const TIMER_MS = 100
const MOST_KEPT = 4
/** For generated calls of one kind. */
const LONGEST_MS = 60_000

const counted = (times: number): string => (times === 1 ? 'once' : `${times} times`)

const tenths = (ms: number): number => Math.round(ms * 10) / 10

/** What the expectations of a step rest on, which did not run. */
const basesOf = ({steps}: Suite, name: string): readonly Basis[] => [
  ...new Set(
    steps
      .filter(step => step.name === name)
      .flatMap(({spec}) => specsOf(spec.expect).flatMap(({basis}) => basis ?? [])),
  ),
]

const NOTHING_SENT: Undone = {reason: 'nothing was sent', because: 'run'}

function ofStep(part: string, step: StepResult, undone: Undone | undefined): CertifiedCheck {
  const {name, checks, calls, load, durationMs} = step
  const basis = [...new Set(checks.flatMap(check => check.basis ?? []))]
  const kept = calls.filter(({failed}, at) => at === 0 || failed === true).slice(0, MOST_KEPT)
  const about = {part, name, basis, calls: kept, durationMs, ...(load && {load})}
  if (undone) return {...about, state: 'not checked', ...undone, checks: []}
  return {...about, state: step.state === 'failed' ? 'failed' : 'passed', checks}
}
