import {readDuration} from '../../limits/duration.ts'
import type {components} from './types.gen.ts'

/** Milliseconds of `300ms`, `1.5s`, `10m`, `24h`, `7d`. The schema has checked the form. */
export const durationOf = (text: string): number => readDuration(text) ?? Number.MAX_SAFE_INTEGER

/** A place in a rule file, and how to report a problem there, as a sentence without a full stop. */
export interface Place {
  readonly pointer: string
  report(pointer: string, message: string): void
}

export const inside = ({pointer, report}: Place, ...steps: readonly (string | number)[]): Place => ({
  pointer: [pointer, ...steps.map(step => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join(
    '/',
  ),
  report,
})

type Schemas = components['schemas']
type Written = Schemas['file']

/** A rule file that matches its schema. */
export interface RuleFile {
  readonly rules: readonly RuleSpec[]
  /** The answer if a rule cannot be evaluated. */
  readonly fallback?: FallbackSpec
}

export interface RuleSpec {
  readonly name?: string
  readonly when?: WhenSpec
  readonly then: ThenSpec
}

export type Scalar = string | number | boolean | null
export type ValueSpec = Schemas['value']

/** Ends of a range: `min` and `max` are in it, `over` and `under` aren't. With a currency it is a range of amounts. */
export type RangeSpec = Exclude<ValueSpec, Scalar | readonly Scalar[]>

export type TimeSpec = Schemas['time']
export type VelocitySpec = Schemas['velocity']

/** Everything else in it is a `ValueSpec` under a short name or a dotted path. */
export interface WhenSpec {
  readonly time?: TimeSpec
  readonly velocity?: VelocitySpec
  readonly probability?: string
  readonly after?: number
  readonly first?: number
}

export type DelaySpec = Schemas['delay']

type ThenObject = Exclude<Written['rules'][number]['then'], string>
export type ThenSpec = 'approve' | 'no answer' | ThenObject

/** What a rule can decide beside `no answer`, by its name: `decline`, `partial` … */
export type Decisions = Required<Omit<ThenObject, 'delay'>>

/** What is wrong with a body that is no answer. */
export type Broken = Decisions['broken']

/** An answer that approves nothing. */
export type FallbackSpec = 'no answer' | Exclude<Written['fallback'], string | undefined>
