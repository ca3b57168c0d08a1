import {setTimeout as delay} from 'node:timers/promises'
import {describeViolation} from '../../contract/unknown-fields.ts'
import type {Caller, Verdict} from './caller.ts'
import {Latencies} from './latencies.ts'

type Outcome = Exclude<Verdict['outcome'], 'ready'>

/** Further reasons count as one, so that memory doesn't grow with what an endpoint says. */
const MOST_REASONS = 20

/** Counts the outcomes of calls. Its size doesn't depend on their number. */
export class Tally {
  readonly outcomes: Record<Outcome, number> = {
    approved: 0,
    partial: 0,
    declined: 0,
    invalid: 0,
    late: 0,
    unreachable: 0,
  }
  readonly latencies = new Latencies()
  readonly reasons = new Map<string, number>()
  /** Fields of answers that the service ignores, and how often they occurred. */
  readonly unread = new Map<string, number>()
  calls = 0

  /** @param ms from the time when the call was due. A call without an answer in time counts with the full time. */
  add({outcome, status, reason, unknown = []}: Counted, ms: number): void {
    if (outcome === 'ready') return
    this.calls++
    this.outcomes[outcome]++
    // A connection that fails fast must not make an endpoint look fast.
    if (status !== undefined || outcome === 'late') this.latencies.add(ms)
    if (reason !== undefined) count(this.reasons, reason)
    for (const violation of unknown) count(this.unread, describeViolation(violation))
  }

  /** No answer, or an invalid one. */
  get invalid(): number {
    return this.outcomes.invalid + this.outcomes.unreachable
  }
}

type Counted = Pick<Verdict, 'outcome' | 'status' | 'reason' | 'unknown'>

function count(counts: Map<string, number>, reason: string): void {
  const known = counts.has(reason) || counts.size < MOST_REASONS ? reason : 'something else'
  counts.set(known, (counts.get(known) ?? 0) + 1)
}

export interface BenchOptions {
  readonly caller: Caller
  /** Calls per second. */
  readonly rate: number
  readonly durationMs: number
  /** Maximum number of calls at the same time; further calls wait, and their wait counts. */
  readonly concurrency: number
  readonly mix: readonly Share[]
  /** A whole call of a scenario, with ids of its own. */
  makeCall(scenario: string): unknown
  /** Ends the run. Calls in progress are abandoned and not counted. */
  readonly signal: AbortSignal
  onProgress?(counted: number, planned: number, failed: number, soFar: Counts): void
}

interface Counts {
  readonly all: Tally
  /** What ended in each second of the run. */
  readonly seconds: readonly Tally[]
}

interface BenchResult extends Counts {
  readonly planned: number
  /** Late calls that were never sent, because there was no free slot within their deadline. */
  readonly unsent: number
  /** From the first call to the last answer. */
  readonly elapsedMs: number
  /** Sent calls, divided by the time in which they were sent. */
  readonly achievedRate: number
  /** The longest delay of a call because this side was busy, in ms. It counts towards the endpoint's latency. */
  readonly ownDelayMs: number
  readonly byScenario: ReadonlyMap<string, Tally>
}

/** Timers are no finer. A call that is sent this little after its time is not late because of the endpoint, in ms. */
const GRAIN_MS = 2

/**
 * Calls an endpoint at a steady rate, however it responds. Each call has its time, and latency counts from there, so a
 * slow endpoint can't hide by delaying the following calls (coordinated omission).
 */
export async function runBench(options: BenchOptions): Promise<BenchResult> {
  const {caller, rate, durationMs, concurrency, mix, makeCall, signal, onProgress} = options
  const planned = Math.max(1, Math.floor((rate * durationMs) / 1000))
  const all = new Tally()
  const byScenario = new Map(mix.map(({name}) => [name, new Tally()]))
  const seconds: Tally[] = []
  const names = weightedNames(mix)
  const room = new Slots(concurrency)
  const began = performance.now()
  let unsent = 0
  let sent = 0
  let lastLeft = began

  async function call(name: string, due: number): Promise<void> {
    const leaves = performance.now()
    const waited = leaves - due > GRAIN_MS ? leaves - due : 0
    const withinMs = caller.deadlineMs - waited
    const count = (verdict: Parameters<Tally['add']>[0], ms: number) => {
      const second = Math.floor((performance.now() - began) / 1000)
      while (seconds.length <= second) seconds.push(new Tally())
      for (const tally of [all, byScenario.get(name), seconds[second]]) tally?.add(verdict, ms)
      onProgress?.(all.calls, planned, all.invalid + all.outcomes.late, {all, seconds})
    }
    if (withinMs <= 0) {
      unsent++
      return count({outcome: 'late', reason: 'no room to send it within the deadline'}, waited)
    }
    sent++
    lastLeft = leaves
    const verdict = await caller.authorise(makeCall(name), {withinMs, signal})
    if (!signal.aborted) count(verdict, waited + verdict.durationMs)
  }

  let ownDelayMs = 0
  const broken: unknown[] = []
  for (let at = 0; at < planned && !signal.aborted && broken.length === 0; at++) {
    const due = began + (at * 1000) / rate
    ownDelayMs = Math.max(ownDelayMs, await until(due, signal))
    await room.free()
    if (signal.aborted) break
    room.enter()
    call(names.next().value, due)
      .catch(error => broken.push(error))
      .finally(() => room.leave())
  }
  await room.empty()
  if (broken.length > 0) throw broken[0]
  const leftIn = Math.max(lastLeft - began, 1000 / rate)
  return {
    planned,
    unsent,
    elapsedMs: Math.round(performance.now() - began),
    achievedRate: Math.round((Math.max(sent - 1, 1) * 10_000) / leftIn) / 10,
    ownDelayMs: Math.round(ownDelayMs),
    all,
    seconds,
    byScenario,
  }
}

/** Waits until a time, and returns how many ms later it woke up; 0 if the time is past. */
async function until(due: number, signal: AbortSignal): Promise<number> {
  const ms = due - performance.now()
  // A timer of less than a millisecond takes a whole one.
  if (ms < 1) return 0
  await delay(Math.floor(ms), undefined, {signal}).catch(() => undefined)
  return Math.max(0, performance.now() - due)
}

/** Limits how many run at the same time. */
class Slots {
  readonly #size: number
  #inside = 0
  #changed: (() => void) | undefined

  constructor(size: number) {
    this.#size = size
  }

  async free(): Promise<void> {
    while (this.#inside >= this.#size) await this.#change()
  }

  enter(): void {
    this.#inside++
  }

  leave(): void {
    this.#inside--
    this.#changed?.()
  }

  async empty(): Promise<void> {
    while (this.#inside > 0) await this.#change()
  }

  /** Somebody waits for a slot. */
  #change(): Promise<void> {
    return new Promise(resolve => {
      this.#changed = resolve
    })
  }
}

export interface Share {
  readonly name: string
  /** A whole number above zero. */
  readonly weight: number
}

/**
 * Names in turn, each as often as its weight and as evenly as possible. The order is the same in every run, so that
 * runs can be compared.
 */
export function* weightedNames(mix: readonly Share[]): Generator<string, never> {
  const total = mix.reduce((sum, {weight}) => sum + weight, 0)
  const credits = mix.map(share => ({share, credit: 0}))
  for (;;) {
    for (const each of credits) each.credit += each.share.weight
    const richest = credits.reduce((best, each) => (each.credit > best.credit ? each : best))
    richest.credit -= total
    yield richest.share.name
  }
}
