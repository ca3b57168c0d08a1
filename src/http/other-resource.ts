import type {AnswerMark, AnyInput, Operation} from '../contract/operation.ts'
import {valuesAt} from '../sensitive/json-pointer.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import {MASK} from '../sensitive/secret.ts'

/** The id that a request asks for, and where a response to it names the resource. */
export interface AskedId extends Pick<AnswerMark, 'at' | 'isGuess'> {
  readonly id: string
}

/**
 * Which id a response to this request must repeat, if it has one there.
 *
 * @param chosen the profile's own pointer for the operation, or `none`.
 */
export function askedId(
  {answers, pathParams}: Pick<Operation, 'answers' | 'pathParams'>,
  {path}: Pick<AnyInput, 'path'>,
  chosen: string | undefined,
): AskedId | undefined {
  if (chosen === 'none') return undefined
  const mark = chosen === undefined ? answers : {param: answers?.param ?? pathParams.at(-1) ?? '', at: chosen}
  // A secret is no text.
  const id: unknown = mark && Object.hasOwn(path, mark.param) ? path[mark.param] : undefined
  return mark === undefined || typeof id !== 'string' ? undefined : {...mark, id}
}

/** How much of another id is quoted. */
const LONGEST = 64

/**
 * Says which other resource a response names, as a clause about the response; undefined if it names the one that was
 * asked for, or none at all. Ids are compared as text: 3001 is "3001", and "03001" is another one.
 */
export function otherResource(asked: AskedId | undefined, body: unknown): string | undefined {
  if (asked === undefined) return undefined
  const other = valuesAt(body, asked.at)
    .filter(value => typeof value === 'number' || (typeof value === 'string' && value !== ''))
    .map(String)
    .find(id => isOther(asked, id))
  if (other === undefined) return undefined
  const name = asked.at.split('/').findLast(step => step !== '*') ?? 'id'
  return `it belongs to something else: ${name} is ${quoted(other)}, not ${quoted(asked.id)}`
}

function isOther({id, isGuess}: AskedId, named: string): boolean {
  // What is hidden can't be compared.
  if (named === id || named.includes(MASK)) return false
  if (UUID.test(named) && UUID.test(id)) return named.toLowerCase() !== id.toLowerCase()
  // Where nobody promised which id comes back, a word such as `me` may stand for one, and a name for a number.
  return !isGuess || (PLAIN_NUMBER.test(named) && PLAIN_NUMBER.test(id))
}

/** RFC 9562: capitals mean the same. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const PLAIN_NUMBER = /^[1-9]\d*$/

const quoted = (id: string): string => {
  const shown = maskWithin(id, LONGEST)
  return /^[\w.-]+$/.test(shown) ? shown : JSON.stringify(shown)
}
