import {nearestName} from '../errors/nearest-name.ts'
import {neutralWords} from './stored-profile.ts'

/** One thing that is wrong with a profile. */
export interface Problem {
  /** Dotted, e.g. `groups.pin.baseUrl`. */
  readonly member: string
  /** Reads on from the member: "is not …". Quotes nothing that may be a secret. */
  readonly message: string
  readonly suggestion?: string
}

/**
 * Checks a mapping of neutral words to the service's own. Each own word must be one path segment, and no two neutral
 * words may mean the same: replies could not be read back, and one wallet's path would be another's.
 */
export function checkWords(words: Readonly<Record<string, unknown>>): readonly Problem[] {
  const problems: Problem[] = []
  for (const [neutral, own] of Object.entries(words)) {
    const member = `words.${neutral}`
    if (!(neutralWords as readonly string[]).includes(neutral)) {
      const suggestion = nearestName(neutral, neutralWords)
      problems.push({
        member,
        message: `is not a neutral word of the contract (${neutralWords.join(', ')})`,
        ...(suggestion === undefined ? {} : {suggestion}),
      })
    } else if (typeof own !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/.test(own)) {
      problems.push({member, message: 'must be one word of letters, digits and . _ ~ - (at most 64)'})
    }
  }
  if (problems.length > 0) return problems
  const owners = new Map<unknown, string>()
  for (const neutral of neutralWords) {
    const own = Object.hasOwn(words, neutral) ? words[neutral] : neutral
    const other = owners.get(own)
    if (other !== undefined) {
      const mapped = Object.hasOwn(words, neutral) ? neutral : other
      const partner = mapped === neutral ? other : neutral
      problems.push({
        member: `words.${mapped}`,
        message: `means the same as ${partner}: each needs a word of its own`,
      })
    }
    owners.set(own, neutral)
  }
  return problems
}
