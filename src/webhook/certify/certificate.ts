import {createHash} from 'node:crypto'
import {isObject} from '../../errors/is-object.ts'
import type {Proof} from '../send/forge-credentials.ts'
import type {Basis} from '../suite/index.ts'
import type {Check, LoadResult, SentCall} from '../suite/results.ts'
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
  /** Calls that were sent. */
  readonly calls: number
}

/** `incomplete`: nothing failed, but not everything was checked. */
export type CertificateResult = 'passed' | 'incomplete' | 'failed'

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

export const resultOf = ({failed, notChecked}: Counts): CertificateResult =>
  failed > 0 ? 'failed' : notChecked > 0 ? 'incomplete' : 'passed'

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
