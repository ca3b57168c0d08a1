export const CALLERS = ['person', 'job', 'agent'] as const
export type CallerKind = (typeof CALLERS)[number]

/** What a request does, as a policy has it. `unknown`: no contract of ours describes it. */
export type PolicyEffect = 'read' | 'write' | 'destroy' | 'disclose' | 'unknown'

export type Rule = 'allow' | 'refuse' | {readonly approvedBy: readonly string[]}

type AmountText = string | number

export interface Rules extends Readonly<Partial<Record<PolicyEffect, Rule>>> {
  readonly sums?: Readonly<Record<string, {readonly request: AmountText; readonly day: AmountText}>>
}

export interface PolicyProfile extends Readonly<Partial<Record<CallerKind, Rules>>> {
  readonly hosts: readonly string[]
  readonly kind?: 'live' | 'test' | 'sandbox'
  readonly ownNames?: boolean
}

/** A policy as docs/policy.schema.json describes it. */
export interface PolicyFile {
  readonly policy: 1
  readonly contact?: string
  readonly profiles: Readonly<Record<string, PolicyProfile>>
}

/** A policy that is in force. */
export interface Policy extends PolicyFile {
  /** The file that it came from. */
  readonly path: string
  /** Who may change it, for people: `root`, `the user 1001`. */
  readonly owner: string
  /** The line of a JSON pointer, for people: `/etc/cardctl/policy.yaml:12`. */
  lineOf(pointer: string): string
}

/** The amount of a sum without a currency. */
export const UNSTATED = 'UNSTATED'
