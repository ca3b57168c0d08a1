import {readDuration} from '../../limits/duration.ts'

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
export type ValueSpec = Scalar | readonly Scalar[] | RangeSpec

/** Ends of a range: `min` and `max` are in it, `over` and `under` aren't. With a currency it is a range of amounts. */
export interface RangeSpec {
  readonly min?: number
  readonly max?: number
  readonly over?: number
  readonly under?: number
  readonly currency?: string
  readonly not?: Scalar | readonly Scalar[]
}

export interface TimeSpec {
  readonly from?: string
  readonly to?: string
  readonly days?: readonly string[]
  readonly zone?: string
}

export interface VelocitySpec {
  readonly over: number | string
  readonly within: string
}

/** Everything else in it is a `ValueSpec` under a short name or a dotted path. */
export interface WhenSpec {
  readonly time?: TimeSpec
  readonly velocity?: VelocitySpec
  readonly probability?: string
  readonly after?: number
  readonly first?: number
}

/** What is wrong with a body that is no answer. */
export type Broken = 'json' | 'schema' | 'amount'

export type DelaySpec = string | {readonly min: string; readonly max: string}

export type ThenSpec =
  | 'approve'
  | 'no answer'
  | {
      readonly approve?: true
      readonly decline?: string | number
      readonly partial?: string
      readonly broken?: Broken
      readonly status?: number
      readonly delay?: DelaySpec
    }

/** An answer that approves nothing. */
export type FallbackSpec = 'no answer' | {readonly decline: string | number} | {readonly status: number}
