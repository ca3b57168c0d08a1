import type {Position} from '../../user-files/index.ts'
import type {Drop} from '../endpoint.ts'
import type {ValueSpec} from '../rules/rule-file.ts'
import type {Forgery} from '../send/forge-credentials.ts'

/** What a step does. Each step has exactly one of these fields. */
export const VERBS = [
  'send',
  'body',
  'raw',
  'warmUp',
  'repeat',
  'increment',
  'reverse',
  'clear',
  'wait',
  'clock',
  'load',
] as const
export type Verb = (typeof VERBS)[number]

/** Verbs whose value is the name of an earlier step. */
export const FOLLOW_UPS = ['repeat', 'increment', 'reverse', 'clear'] as const

/** What an expectation rests on: the outline of the service, a known fact about it, a decision of cardctl. */
export type Basis = 'outline' | 'known' | 'decided'

/** An expectation as written. All its fields must hold. */
export interface ExpectSpec {
  readonly decision?: ValueSpec
  readonly code?: ValueSpec
  readonly amount?: ValueSpec
  readonly within?: string
  readonly status?: ValueSpec
  readonly sameAs?: string
  readonly orStatus?: number
  readonly schema?: object | boolean
  readonly query?: string | readonly string[] | Readonly<Record<string, unknown>>
  readonly p50?: string
  readonly p95?: string
  readonly p99?: string
  readonly p999?: string
  readonly max?: string
  readonly inTime?: string
  readonly invalid?: number
  readonly rule?: string
  readonly basis?: Basis
  readonly why?: string
}

export type Expected = string | ExpectSpec | readonly (string | ExpectSpec)[]

export type FieldValues = Readonly<Record<string, unknown>>

export interface LoadSpec {
  readonly rate: string
  readonly duration: string
  readonly mix?: Readonly<Record<string, number>>
  readonly cards?: number
  readonly concurrency?: number
}

/** A step as written, with the values of its case in place. May contain `${step.field}`, which is known when it runs. */
export interface StepSpec {
  readonly name?: string
  readonly send?: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly raw?: string
  readonly warmUp?: true
  readonly repeat?: string
  readonly increment?: string
  readonly reverse?: string
  readonly clear?: string
  readonly wait?: string
  readonly clock?: string
  readonly load?: LoadSpec
  readonly amount?: string
  readonly remaining?: string
  readonly set?: FieldValues
  readonly without?: readonly string[]
  readonly card?: 'new'
  readonly keepId?: boolean
  readonly after?: string
  readonly times?: number
  readonly sameId?: boolean
  readonly parallel?: boolean
  readonly slow?: string
  readonly drop?: Drop
  readonly padTo?: number
  readonly credentials?: Forgery['credentials']
  readonly signature?: Forgery['signature']
  readonly certificate?: Forgery['certificate']
  readonly cases?: readonly Readonly<Record<string, unknown>>[]
  readonly expect?: Expected
}

export interface Step {
  readonly spec: StepSpec
  readonly verb: Verb
  /** Unique in the suite. */
  readonly name: string
  /** Names of earlier steps that it needs. */
  readonly needs: readonly string[]
  readonly at: Position
}

/** A suite that can be run. */
export interface Suite {
  readonly name: string
  readonly description?: string | undefined
  /** What the account has at the start: `5000 EUR`. */
  readonly available?: string | undefined
  readonly within?: string | undefined
  /** `new`: the calls are of a card that no earlier run had. `each`: each step has such a card, unless it follows another. */
  readonly card?: 'new' | 'each' | undefined
  readonly set?: FieldValues | undefined
  readonly steps: readonly Step[]
}
