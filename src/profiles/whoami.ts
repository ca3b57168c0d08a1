import type {Chosen} from './choose.ts'
import type {Provenance} from './provenance.ts'
import type {AuthType} from './stored-profile.ts'
import type {ProfileKind} from './target.ts'

/** Who would act where. Nothing here is secret, and nothing was asked of a network or keyring. */
export interface WhoAmI {
  readonly profile: string
  readonly kind: ProfileKind
  readonly embedded: boolean
  readonly address: string
  readonly auditUser: string
  readonly auth: AuthType
  readonly readOnly: boolean
  readonly bid?: string
  /** Whether somebody chose the profile; else it is the built-in sandbox by default. */
  readonly explicit: boolean
  /** For each value, which of flag, environment, profile, operating system or default it came from. */
  readonly provenance: Provenance
}

export function whoami({name, embedded, explicit, profile, auditUser, bid, provenance}: Chosen): WhoAmI {
  return {
    profile: name,
    kind: profile.kind,
    embedded,
    address: profile.baseUrl,
    auditUser,
    auth: provenance.auth.value,
    readOnly: profile.readOnly,
    ...(bid === undefined ? {} : {bid}),
    explicit,
    provenance,
  }
}
