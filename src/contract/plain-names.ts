/** As a lenient service may read a word: without case, width, blanks, signs, and what nobody sees. */
export const plainWord = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * The names that a lenient service may take a name for, as plain words: also decoded, and each part of `x[status]`,
 * `status[0]` and `x.status`.
 */
export function plainNames(name: string): readonly string[] {
  const known = found.get(name)
  if (known !== undefined) return known
  const text = decodedWhole(name).normalize('NFKC')
  const names = [...new Set([text, ...text.split(/[[\].]/)].map(plainWord))].filter(one => one !== '')
  if (found.size >= MOST_KEPT) found.clear()
  found.set(name, names)
  return names
}

/** Rows of a job have the same few names. */
const found = new Map<string, readonly string[]>()
const MOST_KEPT = 1000

/** The members of a value, at any depth, that a lenient service may take for the one of this name. */
export function membersNamed(value: unknown, name: string): readonly unknown[] {
  const word = plainWord(name)
  return [...allMembers(value)].flatMap(([given, member]) =>
    given === name || plainNames(given).includes(word) ? [member] : [],
  )
}

/** All members of a value with their names, at any depth. */
function* allMembers(value: unknown): Generator<readonly [string, unknown]> {
  const open = [value]
  for (const one of open) {
    if (typeof one !== 'object' || one === null || Buffer.isBuffer(one)) continue
    if (!Array.isArray(one)) yield* Object.entries(one)
    // One by one: a list may be longer than a call has room for arguments.
    for (const inner of Object.values(one)) if (typeof inner === 'object') open.push(inner)
  }
}

/** The names of all members of a value, at any depth. */
export const memberNames = (value: unknown): readonly string[] => [...allMembers(value)].map(([name]) => name)

/** Names, and the plain words that none of them may mean. */
interface Forbidden {
  readonly names: readonly string[]
  readonly meant: RegExp | readonly string[]
}

/** The first rule of which a name is one that a lenient service may take for what is meant, with that name. */
export function findMeant<R extends Forbidden>(
  rules: readonly R[],
): (R & {readonly name: string}) | undefined {
  for (const rule of rules) {
    const {names, meant} = rule
    const isMeant = (word: string) => (meant instanceof RegExp ? meant.test(word) : meant.includes(word))
    const name = names.find(one => plainNames(one).some(isMeant))
    if (name !== undefined) return {...rule, name}
  }
  return undefined
}

/** How often a text could be decoded on its way: by proxies, and by the service. */
const DECODED = 10

/** Decoded as often as it could be on its way. */
export function decodedWhole(text: string): string {
  let whole = text
  for (let times = 0; times < DECODED && whole.includes('%'); times++)
    whole = whole.replaceAll(/(?:%[0-9a-f]{2})+/gi, run => decoded(run) ?? run)
  return whole
}

export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
