import {createHash} from 'node:crypto'
import {isObject} from '../../errors/is-object.ts'
import type {Proof} from '../send/forge-credentials.ts'
import type {Basis} from '../suite/index.ts'
import type {Check, LoadResult, SentCall} from '../suite/results.ts'
import type {Because} from './check.ts'
import type {Reproduction} from './generated/run.ts'
import type {Expected} from './proofs.ts'

/** What was really done with a command of the endpoint's owner. */
export interface Used {
  times: number
  /** Why it failed, as a sentence without a full stop. It was not used any more then. */
  failure?: string
}

/** `not checked`: it could not be checked; this says nothing about the endpoint. */
export type CheckState = 'passed' | 'failed' | 'not checked'

/** What the probe printed for a call. */
export interface ProbedHolds {
  /** The `metadata.id` of the call. */
  readonly id: string
  readonly expected: string
  readonly got: string
}

/** One check of a certificate with its evidence. Everything in it is masked. */
export interface CertifiedCheck {
  /** The suite that it is from, `behaviour` or `deadlines`. */
  readonly part: string
  readonly name: string
  readonly state: CheckState
  /** Why it was not checked, as a sentence without a full stop. */
  readonly reason?: string
  /** What kept it from being checked, and the flags that it needs if these were not passed. */
  readonly because?: Because
  readonly options?: readonly string[]
  /** What it rests on; several for a step whose expectations differ. */
  readonly basis: readonly Basis[]
  readonly checks: readonly Check[]
  /** What was sent and what came: the first calls, and those that failed. */
  readonly calls: readonly SentCall[]
  readonly holds?: readonly ProbedHolds[]
  /** Of generated calls that failed: how to see that again. */
  readonly reproduction?: Reproduction
  readonly load?: LoadResult
  readonly durationMs: number
}

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly notChecked: number
  /** How many of those were not asked for: they need a flag that was not passed, or a call that the service never sends. */
  readonly notAsked: number
  /** Calls that were sent. */
  readonly calls: number
}

/** Calls that nobody wrote by hand. */
export interface GeneratedCounts {
  /** Properties that were checked. */
  readonly kinds: number
  /** Each is one or more calls. Fewer than planned if the time for a kind was over, or if one failed. */
  readonly cases: number
  readonly planned: number
  readonly calls: number
}

/**
 * `limited`: nothing failed, and all that was asked for was checked, but a flag for more was not passed. `incomplete`:
 * nothing failed, but something that was asked for could not be checked.
 */
export type CertificateResult = 'passed' | 'limited' | 'incomplete' | 'failed'

/** The machine that measured. */
export interface Machine {
  readonly system: string
  readonly processors: number
  readonly processor: string
  readonly memoryGiB: number
  readonly node: string
}

/** What was checked of an endpoint, and how that ended. */
export interface Certificate {
  readonly result: CertificateResult
  readonly counts: Counts
  readonly endpoint: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly endedAt: string
  readonly tool: string
  /** The version of the contract. */
  readonly contract: string
  readonly machine: Machine
  /** Of the generated calls: `--seed` repeats them. */
  readonly seed: number
  /** The generated calls. Null if none were sent. */
  readonly generated: GeneratedCounts | null
  /** How often holds were read, and how often the endpoint was restarted. Null without the command for it. */
  readonly probe: Used | null
  readonly restart: Used | null
  /** How calls proved who sent them. */
  readonly carried: readonly Proof[]
  /** How calls have to prove it, as the endpoint's owner declared it. Null if nobody did. */
  readonly expects: Expected | null
  readonly deadlineMs: number
  /** The calls at a steady rate. Null if they were not made. */
  readonly measured: (LoadResult & {readonly asked: number}) | null
  readonly checks: readonly CertifiedCheck[]
  /** SHA-256 of everything else, see `digestOf`. */
  readonly sha256: string
}

export function resultOf(
  {failed, notChecked, notAsked}: Counts,
  generated: Certificate['generated'],
): CertificateResult {
  if (failed > 0) return 'failed'
  if (notChecked > notAsked) return 'incomplete'
  const isShort = generated === null || generated.cases < generated.planned
  return notAsked > 0 || isShort ? 'limited' : 'passed'
}

/** SHA-256, in hex, of a certificate without its `sha256`: as JSON without whitespace, fields sorted by name. */
export function digestOf({sha256: _, ...certificate}: Readonly<Record<string, unknown>>): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(certificate)), 'utf8')
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map(name => [name, sorted((value as Record<string, unknown>)[name])]))
}
