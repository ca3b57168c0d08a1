import {inWords} from '../../contract/unknown-members.ts'
import {Latencies} from './latencies.ts'
import type {Verdict} from './verdict.ts'

type Outcome = Exclude<Verdict['outcome'], 'ready'>

/** More different reasons than these are one: a count must not grow with what an endpoint says. */
const MOST_REASONS = 20

/** Counts of what came of calls; its size doesn't depend on how many. */
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
  /** What nobody will read of answers, and how often it came. */
  readonly unread = new Map<string, number>()
  calls = 0

  /** @param ms from the moment the call should have left; a call that got nothing in time counts with that time. */
  add({outcome, status, reason, unknown = []}: Counted, ms: number): void {
    if (outcome === 'ready') return
    this.calls++
    this.outcomes[outcome]++
    // A connection that fails fast must not make an endpoint look fast.
    if (status !== undefined || outcome === 'late') this.latencies.add(ms)
    if (reason !== undefined) count(this.reasons, reason)
    for (const violation of unknown) count(this.unread, inWords(violation))
  }

  /** No answer at all, or none of the contract. */
  get invalid(): number {
    return this.outcomes.invalid + this.outcomes.unreachable
  }
}

type Counted = Pick<Verdict, 'outcome' | 'status' | 'reason' | 'unknown'>

function count(counts: Map<string, number>, reason: string): void {
  const known = counts.has(reason) || counts.size < MOST_REASONS ? reason : 'something else'
  counts.set(known, (counts.get(known) ?? 0) + 1)
}
