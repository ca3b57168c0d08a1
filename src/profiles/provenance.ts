import type {AuthType} from './stored-profile.ts'

/** Where a value came from. `profiles use` and `default` concern the profile's name; `os user` the audit user. */
export type Source = 'flag' | `environment ${string}` | 'profile' | 'profiles use' | 'os user' | 'default'

export interface Sourced<T> {
  readonly value: T
  readonly from: Source
}

/** Where the values of a request's profile came from. */
export interface Provenance {
  readonly profile: Sourced<string>
  readonly baseUrl: Sourced<string>
  readonly auditUser: Sourced<string>
  readonly auth: Sourced<AuthType>
  readonly bid?: Sourced<string>
}
