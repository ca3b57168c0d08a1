import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {LIST_NAMES} from '../compile/find-paging.ts'

/** The list that a response is or holds. @throws Failure USAGE if it has none */
export function listIn(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body
  if (isObject(body)) {
    const members = Object.entries(body)
    const named = LIST_NAMES.map(name => members.find(([member]) => member.toLowerCase() === name)?.[1])
    const list = named.find(Array.isArray) ?? onlyList(members)
    if (list !== undefined) return list
    // Some services have null for an empty list.
    if (named.includes(null)) return []
    for (const name of ['_embedded', 'data', 'result', 'response']) {
      if (isObject(body[name])) return listIn(body[name])
    }
  }
  throw new Failure('USAGE', {
    message: 'The response holds no list, so it has no pages.',
    hint: 'Leave out --all and --limit, or --paginate.',
  })
}

function onlyList(members: readonly [string, unknown][]): readonly unknown[] | undefined {
  const lists = members.filter(([name, value]) => Array.isArray(value) && !/^_?links?$/i.test(name))
  return lists.length === 1 ? (lists[0]?.[1] as readonly unknown[]) : undefined
}
