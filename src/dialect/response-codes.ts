import {allResponseCodes, codeOf} from '../contract/response-codes.ts'
import type {Scalar, ValueMap, WebhookFile} from './dialect-file.ts'
import {mapOf} from './map-members.ts'

/** Where our response code is. */
export const CODE = '/transactionData/authResponseCode/code'

/** How a response code of ours is told there: by a value, by an HTTP status, or by both. */
export interface ToldCode {
  readonly code: string
  /** The values for it, of which the first is sent. Empty if it has none: the member is then absent. */
  readonly words: readonly Scalar[]
  readonly status: number
}

/** What a code says: `00` approves, `10` approves a part, all others decline. */
export const sense = (code: string): 'all' | 'part' | 'nothing' =>
  code === '00' ? 'all' : code === '10' ? 'part' : 'nothing'

const ELSE = 'else'

/** The codes that a dialect names, and those of a member that has them as they are. */
export function toldCodes(
  {members, statuses, decline}: WebhookFile['answer'],
  values: Readonly<Record<string, ValueMap>>,
): readonly ToldCode[] {
  const rule = members[CODE]
  const map = typeof rule === 'object' && rule.values !== undefined ? mapOf(rule.values, {values}) : undefined
  const isPlain = rule !== undefined && map === undefined
  const named = isPlain
    ? allResponseCodes
    : [...Object.keys(map ?? {}), ...Object.keys(statuses ?? {}), ...(decline === undefined ? [] : [decline])]
  return [...new Set(named.filter(name => name !== ELSE).map(name => codeOf(name) ?? name))].flatMap(code => {
    const status = statuses === undefined ? 200 : (statuses[code] ?? statuses[ELSE])
    const words = isPlain ? [code] : ([map?.[code] ?? []].flat() as readonly Scalar[])
    return status === undefined ? [] : [{code, words, status}]
  })
}

/** Whether two codes can't be told apart in an answer. */
export const looksLike = (one: ToldCode, other: ToldCode): boolean =>
  one.status === other.status &&
  (one.words.length === 0
    ? other.words.length === 0
    : one.words.some(word => other.words.some(each => each === word)))
