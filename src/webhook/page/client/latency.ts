import type {Call} from './call.ts'

export interface Bucket {
  /** ms; `from` is within. */
  readonly from: number
  readonly to: number
  readonly count: number
}

export interface Latency {
  readonly buckets: readonly Bucket[]
  readonly count: number
  /** By nearest rank, ms. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** Buckets for each doubling of the time, and how many lie past the deadline. */
const PER_DOUBLING = 2
const PAST = 2

/** How long decisions took, in buckets that grow by the square root of two and have the deadline as an edge. */
export function latencyOf(calls: readonly Call[], deadlineMs: number): Latency {
  const times = calls
    // How long a disconnected caller waited is unknown.
    .flatMap(({ms, deadlineMs: own, gone}) => (own === undefined || gone ? [] : [ms]))
    .sort((a, b) => a - b)
  const below = Math.max(PER_DOUBLING, Math.ceil(PER_DOUBLING * Math.log2(deadlineMs)))
  const edge = (index: number) => deadlineMs * 2 ** ((index - below) / PER_DOUBLING)
  const counts = new Array<number>(below + PAST).fill(0)
  for (const ms of times) {
    const index = below + Math.floor(PER_DOUBLING * Math.log2(ms / deadlineMs))
    const within = Math.min(counts.length - 1, Math.max(0, index))
    counts[within] = (counts[within] ?? 0) + 1
  }
  const rank = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0
  return {
    buckets: counts.map((count, index) => ({
      from: index === 0 ? 0 : edge(index),
      to: edge(index + 1),
      count,
    })),
    count: times.length,
    p50: rank(0.5),
    p95: rank(0.95),
    p99: rank(0.99),
    max: times.at(-1) ?? 0,
  }
}

/** How near to the deadline: as the lines in the terminal say it. */
export function toneOf(share: number): 'calm' | 'warn' | 'bad' {
  return share > 0.9 ? 'bad' : share > 0.5 ? 'warn' : 'calm'
}
