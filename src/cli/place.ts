import {alarm, type Styled, strong} from '../output/styled.ts'
import type {ProfileSummary} from '../profiles/index.ts'
import type {Target} from '../profiles/target.ts'

/** Where something takes effect: at the service of a profile, or at a place without a profile. */
export type Place =
  | Pick<Target, 'name' | 'kind' | 'embedded' | 'baseUrl'>
  /** In words, such as a file of this machine. */
  | {readonly at: string}

/** `LIVE prod (api.example)`, `staging (test, api.example)`, `sandbox (embedded)`. A live one is highlighted. */
export function placeWords(place: Place): Styled {
  if ('at' in place) return strong(place.at)
  const {name, kind, embedded, baseUrl} = place
  if (embedded) return [strong(name), ' (embedded)']
  const host = URL.parse(baseUrl)?.host ?? baseUrl
  if (kind === 'live') return [alarm('LIVE'), strong(` ${name}`), ` (${host})`]
  return [strong(name), ` (${kind}, ${host})`]
}

export const placeText = (place: Place): string =>
  [placeWords(place)]
    .flat()
    .map(part => (typeof part === 'string' ? part : 'text' in part ? part.text : ''))
    .join('')

/** A stored profile. If it is unusable, only the name is certain. */
export function placeOfProfile(name: string, {kind, baseUrl}: Partial<ProfileSummary> = {}): Place {
  return kind === undefined || baseUrl === undefined
    ? {at: `Profile ${name}`}
    : {name, kind, baseUrl, embedded: false}
}
