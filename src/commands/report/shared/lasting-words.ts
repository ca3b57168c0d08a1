import {isDeepStrictEqual} from 'node:util'
import {operationOf} from '../../../cli/former-values.ts'
import {clearedIn, irreversibleIn} from '../../../contract/marked-values.ts'
import {isObject} from '../../../errors/is-object.ts'
import {MASK} from '../../../sensitive/secret.ts'
import type {ShiftEntry} from './shift-types.ts'

/** What an entry did, and that it is for good if it is: `close credit account 2001 for good`. */
export function didOf({did, sent, operation: id = '', state}: ShiftEntry): string {
  const operation = operationOf({operation: id})
  if (operation === undefined || !isObject(sent) || !['done', 'unknown', 'unfinished'].includes(state ?? ''))
    return did
  const [value] = irreversibleIn(operation, {path: {}, query: {}, body: sent})
  if (value === undefined) return did
  // The reason stays behind.
  const [, words = '', reason = ''] = /^(close .*?)( \(reason: .*\))?$/s.exec(did) ?? []
  return words === '' ? `${did} (${value.value} can't be undone)` : `${words} for good${reason}`
}

/**
 * Which parts of an address were set, changed or cleared. Where somebody lives is in `requests show` and in JSON.
 */
export function addressWords({sent, before, operation: id = ''}: ShiftEntry): string {
  const given = isObject(sent) && isObject(sent.address) ? sent.address : undefined
  if (given === undefined) return ''
  const former = isObject(before) && isObject(before.address) ? before.address : undefined
  const operation = operationOf({operation: id})
  const missing =
    operation === undefined
      ? []
      : clearedIn(operation, {path: {}, query: {}, body: {address: given}}).flatMap(part => part.missing)
  const gone = Object.keys(former ?? {}).filter(
    part => !Object.hasOwn(given, part) && former?.[part] !== null,
  )
  const nulled = Object.keys(given).filter(part => given[part] === null)
  const cleared = [...new Set([...nulled, ...missing, ...gone])].filter(
    part => former === undefined || (former[part] ?? null) !== null,
  )
  const filled = Object.keys(given).filter(part => given[part] !== null)
  const changed = filled.filter(part => former === undefined || !isSame(former[part], given[part]))
  return [
    changed.length === 0 ? '' : `${changed.join(', ')} ${former === undefined ? 'set' : 'changed'}`,
    cleared.length === 0 ? '' : `${cleared.join(', ')} cleared`,
  ]
    .filter(part => part !== '')
    .join('; ')
}

/** What was kept masked or shortened may have been something else. */
const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) && typeof one === 'string' && !one.includes(MASK) && !one.endsWith('…')
