import {isObject, parseObject} from '../errors/is-object.ts'
import {addressOf, EMBEDDED, EMBEDDED_WORDS} from './service.ts'

/** Where the requests of an identity go, for people: `api.example:443/card as client portal`. */
export function placeWords(identity: string): string {
  if (identity === EMBEDDED) return EMBEDDED_WORDS
  const {address, groups, principal, tenant} = parseObject(identity) ?? {}
  const pairs = (of: unknown) => (isObject(of) ? Object.entries(of) : [])
  const others = pairs(groups).map(([group, at]) => `${group} at ${String(at)}`)
  return [
    typeof address === 'string' ? address : identity,
    ...(others.length === 0 ? [] : [`(${others.join(', ')})`]),
    ...(typeof principal === 'string' ? [`as ${principal}`] : []),
    ...pairs(tenant).map(([name, value]) => `with ${name} ${String(value)}`),
  ].join(' ')
}

/** Whether words for people, which others wrote, begin with the address of the identity beside them. */
export function isNamedBy(identity: string, words: string): boolean {
  if (identity === EMBEDDED) return words === EMBEDDED_WORDS
  const [first = ''] = words.split(' ')
  const url = URL.parse(first)
  return url !== null && addressOf(first) === parseObject(identity)?.address
}
