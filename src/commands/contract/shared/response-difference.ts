import type {Operation} from '../../../contract/operation.ts'
import type {OperationId} from '../../../contract/types.ts'
import {checkResponseStrict} from '../../../contract/validate.ts'
import {jsonType} from '../../../contract/violation.ts'
import type {ServiceResponse} from '../../../http/index.ts'

/** One place where responses differ: what the contract says, and the type that was found. Never a value. */
export interface ResponseDifference {
  /**
   * `differs` from the contract, or has `more` than it: a new field or a new value. `unseen`: the dialect reads it, and the
   * response doesn't have it.
   */
  readonly kind: 'differs' | 'more' | 'unseen'
  /** JSON pointer in the service's own words; `*` stands for every item. Empty for the whole response. */
  readonly pointer: string
  /** `must be text`, `is missing`. */
  readonly expected: string
  /** The JSON type that was found; `absent` if there is nothing. */
  readonly found: string
  /** Number of places in the response. */
  readonly count: number
}

/**
 * Where a response differs from the contract, each place once.
 *
 * @param words as a profile has them.
 * @param isTranslated a dialect made it: what it doesn't read of theirs is not there.
 */
export async function differencesOf(
  {id, success, form}: Operation,
  {status, body, differences}: ServiceResponse,
  words: Readonly<Record<string, string>>,
  isTranslated = false,
): Promise<readonly ResponseDifference[]> {
  const [usual = status] = success
  const strict =
    // A user's own document lists what there is, and not all that may be.
    body === undefined || form !== undefined || isTranslated
      ? []
      : await checkResponseStrict(id as OperationId, success.includes(status) ? status : usual, body)
  const known = new Set(differences.map(({pointer, message}) => `${pointer} ${message}`))
  const found = [
    ...differences.map(difference => ({
      ...difference,
      kind: difference.unseen ? ('unseen' as const) : ('differs' as const),
    })),
    ...strict
      // Null is usual for absent values, so only unknown fields and values count.
      .filter(({pointer, message, unknown}) => unknown !== undefined && !known.has(`${pointer} ${message}`))
      .map(difference => ({...difference, kind: 'more' as const})),
  ]
  const places = new Map<string, ResponseDifference>()
  for (const {kind, pointer, problem, unknown, found: type} of found) {
    const place = {
      kind,
      pointer: shownPointer(pointer, form === undefined && !isTranslated ? words : {}),
      // The message may name the owner of the field, and that name may be hidden.
      expected: unknown === 'field' ? 'is not known to the contract' : problem,
      found: type ?? typeAt(body, pointer),
    }
    const key = JSON.stringify(place)
    places.set(key, {...place, count: (places.get(key)?.count ?? 0) + 1})
  }
  return [...places.values()]
}

/** Longer names, and those with many digits, are probably a customer's data and not field names. */
const ORDINARY = /^(?!(?:\D*\d){5})[\p{L}_$@][\p{L}\p{N}_$@.-]{0,47}$/u

function shownPointer(pointer: string, words: Readonly<Record<string, string>>): string {
  return pointer
    .split('/')
    .map((step, at) => {
      if (at === 0 || step === '') return step
      if (/^(?:\d+|\*)$/.test(step)) return '*'
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
  return jsonType(at)
}
