import type {Group} from '../contract/operation.ts'
import type {Secret} from '../sensitive/secret.ts'

/** What stands behind a profile. `live` moves real money: the gate asks before anything but a read. */
export type ProfileKind = 'sandbox' | 'test' | 'live'

/** Where one group of operations stands, if not below the profile's base URL and the contract's prefix. */
export interface GroupAddress {
  /** An absolute URL without a trailing slash; operations of the group go here instead of to `Target.baseUrl`. */
  readonly baseUrl?: string
  /** Put between the base URL and the path: '' or '/card'. Absent: no prefix. */
  readonly prefix?: string
}

/**
 * How requests are authenticated. Secrets are functions: a credential is read from the keyring, a file or a command
 * on first use only, once per target. Each may throw Failure SECRET_MISSING.
 */
export type Auth =
  | {readonly type: 'none'}
  | {readonly type: 'basic'; readonly user: string; readonly password: () => Promise<Secret>}
  | {readonly type: 'bearer'; readonly token: () => Promise<Secret>}
  | {readonly type: 'header'; readonly name: string; readonly value: () => Promise<Secret>}
  | {
      readonly type: 'oauth2'
      readonly tokenUrl: string
      readonly clientId: string
      readonly clientSecret: () => Promise<Secret>
      readonly scope?: string
    }

/** Transport security beyond the system's own certificate authorities. All texts are PEM. */
export interface TargetTls {
  /** Certificate authorities to trust besides the system's. */
  readonly ca?: string
  /** The client's certificate chain, for mutual TLS. */
  readonly cert?: string
  /** The client's private key, for mutual TLS. */
  readonly key?: () => Promise<Secret>
}

/** A resolved profile: all that http needs to know of the service it talks to. */
export interface Target {
  readonly name: string
  readonly kind: ProfileKind
  /** The built-in sandbox: requests stay in this process. */
  readonly embedded: boolean
  readonly readOnly: boolean
  /** Absolute, without a trailing slash; `http://sandbox.embedded` for the embedded sandbox. */
  readonly baseUrl: string
  readonly groups: Readonly<Partial<Record<Group, GroupAddress>>>
  /** Neutral word of the contract → the service's own: path segments and member names. */
  readonly words: Readonly<Record<string, string>>
  readonly auditUser: string
  /** The issuer's `customerBID` for remote checkout. */
  readonly bid?: string
  readonly auth: Auth
  readonly tls: TargetTls
  /** Which writes honour an idempotency key: those the contract marks, or every POST and PATCH. */
  readonly idempotency: 'documented' | 'all'
  /** How long a request that got no answer may still be running at the service, in milliseconds. */
  readonly settleDelayMs: number
  /** Permits `http:` to another host than loopback. */
  readonly allowInsecure: boolean
  /** An answer that differs from the contract ends with exit 8, as with `--strict`. */
  readonly strict: boolean
  /** `host` or `host:port` in lower case, the port only if it isn't the scheme's own. A credential goes nowhere else. */
  readonly hosts: readonly string[]
  /** The service's public key for card numbers in requests. */
  readonly panKey?: {
    /** A JWKS or PEM file, or an `https:` URL of one. */
    readonly source: string
    /** RFC 7638 thumbprint, SHA-256, base64url: picks and pins the key. */
    readonly thumbprint?: string
  }
}

/** The address of the embedded sandbox. It is never looked up: the dispatcher in front answers. */
export const EMBEDDED_BASE_URL = 'http://sandbox.embedded'

/** The reserved name of the built-in profile. */
export const EMBEDDED_PROFILE = 'sandbox'

/** The reserved name of an address that CARDCTL_BASE_URL gives where no profile does. */
export const AD_HOC_PROFILE = 'unnamed'
