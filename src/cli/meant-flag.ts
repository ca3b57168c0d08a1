import {meantName} from '../errors/nearest-name.ts'

/** Flags as other programs call them, and what they are called here: the first of these that the command has. */
const CALLED_HERE: readonly (readonly [given: RegExp, here: readonly string[]])[] = [
  [/^(?:(?:from|in|input|csv)-)?(?:file|csv|input|in|path|rows)$/, ['from']],
  [/^(?:comment|remark|memo|message)$/, ['note', 'description']],
  [/^text$/, ['description']],
  [/^(?:from|after|start|begin)$/, ['since']],
  [/^(?:to|before|end)$/, ['until']],
  [/^(?:format|output-format)$/, ['output']],
  [/^(?:fields|cols)$/, ['columns']],
  [/^(?:jq|jmespath|filter)$/, ['query']],
  [/^(?:dry|simulate|preview|check)$/, ['dry-run']],
  [/^verbose$/, ['debug']],
  [/^silent$/, ['quiet']],
  [/^(?:env|environment)$/, ['profile']],
  [/^(?:account-)?type$/, ['type']],
  [/^(?:decimals|decimal-(?:comma|sign|separator))$/, ['decimal']],
  [/^charset$/, ['encoding']],
  [/^follow$/, ['wait', 'watch']],
  [/^max$/, ['limit']],
  [/^(?:last(?:-?(?:four|4|digits))?|ending|ends-(?:in|with))$/, ['last4']],
]

/**
 * The flag that was probably meant by one that doesn't exist.
 *
 * @param given with its dashes
 * @param known with their dashes
 */
export function meantFlag(given: string, known: readonly string[]): string | undefined {
  const name = given.replace(/^--/, '').toLowerCase()
  const here = CALLED_HERE.filter(([names]) => names.test(name)).flatMap(([, flags]) => flags)
  const owned = [...here, name.replace(/-id$/, '')].map(each => `--${each}`)
  return owned.find(each => known.includes(each)) ?? meantName(given, known)
}
