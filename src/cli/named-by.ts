import {namedKinds} from '../contract/resource.ts'

const NAMES = ['profile', 'operation', 'resource', 'request', 'job', ...namedKinds] as const

/** What a value is the name or id of. */
export type Named = (typeof NAMES)[number]

/**
 * What an argument or flag is the name or id of. Its description says so, "Id of the price list"; otherwise its own
 * name, `--profile`.
 */
export function namedBy(name: string, description: string): Named | undefined {
  const [, noun] = /^(?:Id|Name) of (?:the|an?) (price list|\w+)/.exec(description) ?? []
  const word = (noun ?? name.replace(/^--/, '')).replace(' ', '')
  return NAMES.find(each => each === word)
}
