import {defaultProfile} from './read-profile.ts'
import type {StoredProfile} from './settings.ts'

/** The address of the embedded sandbox. It is never looked up: the dispatcher in front answers. */
export const EMBEDDED_BASE_URL = 'http://sandbox.embedded'

/** The reserved name of the built-in profile. */
export const EMBEDDED_PROFILE = 'sandbox'

/** The reserved name of an address that CARDCTL_BASE_URL gives where no profile does. */
export const AD_HOC_PROFILE = 'unnamed'

/** Whether a profile keeps its name for good; the others are only names for an address. */
export const isNamed = (profile: string): boolean =>
  profile !== AD_HOC_PROFILE && profile !== EMBEDDED_PROFILE

/** The built-in sandbox. It answers in this process, so no request is left running. */
export const embeddedProfile: StoredProfile = {
  ...defaultProfile('sandbox', EMBEDDED_BASE_URL),
  settleDelayMs: 0,
}
