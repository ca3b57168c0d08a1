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

/** Whom `gate serve` serves with a profile of its own. */
export interface GateCaller {
  /** Of the system. */
  readonly user: string
  readonly kind: CallerKind
  readonly profile: string
  /** As whom the service logs requests; as the profile says by default. */
  readonly auditUser?: string
  /** Of 127.0.0.1, instead of a socket. */
  readonly port?: number
  /** The file with the token that is needed there. */
  readonly token?: string
}

/** Where a caller connects. */
export const socketOf = (folder: string, {user, profile}: Pick<GateCaller, 'user' | 'profile'>): string =>
  `${folder.replace(/\/+$/, '')}/${user}/${profile}.sock`

/** A policy as docs/policy.schema.json describes it. */
export interface PolicyFile {
  readonly policy: 1
  readonly contact?: string
  readonly profiles: Readonly<Record<string, PolicyProfile>>
  /** Fingerprints of the keys with which users sign what they approve. */
  readonly keys?: Readonly<Record<string, string>>
  readonly gate?: {readonly folder: string; readonly callers: readonly GateCaller[]}
}

/** A policy that is in force. */
export interface Policy extends PolicyFile {
  /** The file that it came from. */
  readonly path: string
  /** SHA-256 of the file, in hex. */
  readonly digest: string
  /** Who may change it, for people: `root`, `the user 1001`. */
  readonly owner: string
  /** The line of a JSON pointer, for people: `/etc/cardctl/policy.yaml:12`. */
  lineOf(pointer: string): string
}

/** The amount of a sum without a currency. */
export const UNSTATED = 'UNSTATED'
