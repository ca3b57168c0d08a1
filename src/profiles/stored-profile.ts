import type {Group} from '../contract/operation.ts'
import type {SecretReference} from './reference.ts'
import type {GroupAddress, ProfileKind} from './target.ts'

/** Authentication as it is stored: references instead of secrets. */
export type StoredAuth =
  | {readonly type: 'none'}
  | {readonly type: 'basic'; readonly user: string; readonly password: SecretReference}
  | {readonly type: 'bearer'; readonly token: SecretReference}
  | {readonly type: 'header'; readonly name: string; readonly value: SecretReference}
  | {
      readonly type: 'oauth2'
      readonly tokenUrl: string
      readonly clientId: string
      readonly clientSecret: SecretReference
      readonly scope?: string
    }

export type AuthType = StoredAuth['type']

/** The customer's quota at the service, and the share of it that a bulk run takes, more than 0 and at most 1. */
export interface Rate {
  readonly perSecond: number
  readonly perMinute: number
  readonly share: number
}

/** A profile of profiles.json, checked, with its defaults filled in. */
export interface StoredProfile {
  readonly kind: ProfileKind
  readonly baseUrl: string
  readonly readOnly: boolean
  readonly auditUser?: string
  readonly bid?: string
  readonly auth: StoredAuth
  readonly groups: Readonly<Partial<Record<Group, GroupAddress>>>
  readonly words: Readonly<Record<string, string>>
  /** `ca` and `cert` are absolute paths of PEM files. */
  readonly tls: {readonly ca?: string; readonly cert?: string; readonly key?: SecretReference}
  readonly idempotency: 'documented' | 'all'
  readonly settleDelayMs: number
  readonly allowInsecure: boolean
  readonly strict: boolean
  /** Hosts that may get the credentials besides those of the profile's own addresses. */
  readonly hosts: readonly string[]
  readonly panKey?: {readonly source: string; readonly thumbprint?: string}
  readonly rate: Rate
}

/** The secret member of each way to authenticate. */
export const secretMembers = {
  none: undefined,
  basic: 'password',
  bearer: 'token',
  header: 'value',
  oauth2: 'clientSecret',
} as const satisfies Record<AuthType, string | undefined>

export const kinds = ['sandbox', 'test', 'live'] as const satisfies readonly ProfileKind[]

const groupNames = {
  cards: true,
  pin: true,
  pincontrol: true,
  accounts: true,
  pricelists: true,
  a2a: true,
  wallets: true,
  remotecheckout: true,
  sandbox: true,
} as const satisfies Record<Group, true>

/** Every group of operations that may stand at an address of its own. */
export const groups = Object.keys(groupNames) as readonly Group[]

/**
 * The neutral words of the contract that stand for a service's own: segments of paths, and names of members. A test
 * holds this list against the contract.
 */
export const neutralWords = [
  'walleta',
  'walletb',
  'walletc',
  'remotecheckout',
  'NETWORK_A',
  'opaquePaymentCard',
  'opaquePaymentCardRequested',
  'cardDataUrl',
  'cardNumber',
  'clientAppID',
  'clientDeviceID',
  'clientWalletAccountID',
  'customerBID',
  'digitizationData',
  'encryptedData',
  'pinBlock',
] as const

/** 50 a second or 3,000 a minute is what the service documents; a live profile's apps share it with a bulk run. */
export function defaultRate(kind: ProfileKind): Rate {
  return {perSecond: 50, perMinute: 3000, share: kind === 'live' ? 0.2 : 1}
}

export const defaultSettleDelayMs = 2000
