import type {Operation} from '../../../contract/operation.ts'
import type {OperationId} from '../../../contract/types.ts'
import type {ServiceResponse} from '../../../http/index.ts'

/** One place where answers differ: what the contract says, and the type of what came. Never a value. */
export interface ResponseDifference {
  /** `differs` from what the contract says, or is `more` than it knows: a new member or a new value. */
  readonly kind: 'differs' | 'more'
  /** JSON pointer in the service's own words; `*` stands for every item. Empty for the whole answer. */
  readonly pointer: string
  /** `must be text`, `is missing`. */
  readonly expected: string
  /** JSON type of what came; `absent` where nothing did. */
  readonly found: string
  /** In how many places of the answer. */
  readonly count: number
}

/** Where an answer differs from the contract, each place once. @param words as a profile has them. */
export async function differencesOf(
  {id, success}: Operation,
  {status, body, differences}: ServiceResponse,
  words: Readonly<Record<string, string>>,
): Promise<readonly ResponseDifference[]> {
  const {checkReplyStrict} = await import('../../../contract/validate.ts')
  const [usual = status] = success
  const strict =
    body === undefined
      ? []
      : await checkReplyStrict(id as OperationId, success.includes(status) ? status : usual, body)
  const known = new Set(differences.map(({pointer, message}) => `${pointer} ${message}`))
  const found = [
    ...differences.map(difference => ({...difference, kind: 'differs' as const})),
    ...strict
      // Null is usual for absent values.
      .filter(({pointer, message, unknown}) => unknown !== undefined && !known.has(`${pointer} ${message}`))
      .map(difference => ({...difference, kind: 'more' as const})),
  ]
  const places = new Map<string, ResponseDifference>()
  for (const {kind, pointer, problem, unknown} of found) {
    const place = {
      kind,
      pointer: shownPointer(pointer, words),
      // The problem names the owner of the field, which may be a name that is not shown.
      expected: unknown === 'field' ? 'is not known to the contract' : problem,
      found: typeAt(body, pointer),
    }
    const key = JSON.stringify(place)
    places.set(key, {...place, count: (places.get(key)?.count ?? 0) + 1})
  }
  return [...places.values()]
}

/** Longer names, and those with many digits, are keys that say something of a customer rather than a member. */
const ORDINARY = /^(?!(?:\D*\d){5})[\p{L}_$@][\p{L}\p{N}_$@.-]{0,47}$/u

function shownPointer(pointer: string, words: Readonly<Record<string, string>>): string {
  return pointer
    .split('/')
    .map((step, at) => {
      if (at === 0 || step === '') return step
      if (/^\d+$/.test(step)) return '*'
      const name = Object.hasOwn(words, step) ? (words[step] ?? step) : step
      return ORDINARY.test(name) ? name : '[a name that is not shown]'
    })
    .join('/')
}

function typeAt(body: unknown, pointer: string): string {
  let at = body
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return 'absent'
    at = (at as Readonly<Record<string, unknown>>)[name]
  }
  if (at === undefined) return 'absent'
  if (at === null) return 'null'
  return Array.isArray(at) ? 'list' : (TYPES[typeof at] ?? typeof at)
}

const TYPES: Readonly<Record<string, string>> = {string: 'text'}
