import {valuesAt} from '../sensitive/json-pointer.ts'
import {Secret} from '../sensitive/secret.ts'
import {type AnyInput, type Operation, RESOURCE_KINDS, type ResourceKind} from './operation.ts'

/**
 * Resources are written `card:3004`, kind and id. If the kind is unknown, as in a path that the contract doesn't
 * describe, the id is written alone.
 */
export const resource = (kind: ResourceKind, id: string | number): string => `${kind}:${plainId(id)}`

/** The one text for every way to write an id, for records and questions about them: `02006 ` is 2006. */
export function plainId(id: unknown): string {
  const text = String(id).trim()
  const plain = text.normalize('NFKC').replaceAll(/[\s\p{C}]/gu, '')
  return /^\+?\d+$/.test(plain) ? plain.replace(/^[+0]+(?=\d)/, '') : text
}

/** A resource as messages name it: `card 3004`. */
export const resourceWords = (text: string): string =>
  partsOf(text)
    .filter(part => part !== undefined)
    .join(' ')

/** Kinds that a user can filter by. */
export const namedKinds: readonly ResourceKind[] = RESOURCE_KINDS.filter(kind => kind !== 'control')

/** The resources that a request touches, by ids in its path and body. No duplicates. */
export function touchedBy({touches}: Pick<Operation, 'touches'>, {path, body}: AnyInput): string[] {
  return distinct(
    touches.flatMap(({kind, at}) => {
      if (kind === 'control' || at.startsWith('reply:')) return []
      const found = at.startsWith('path:') ? [path[at.slice('path:'.length)]] : valuesAt(body, at)
      return found.filter(isId).map(id => resource(kind, id))
    }),
  )
}

/** The resources that a response names as touched, such as a new batch. */
export function touchedInResponse({touches}: Pick<Operation, 'touches'>, reply: unknown): string[] {
  return distinct(
    touches.flatMap(({kind, at}) =>
      kind === 'control' || !at.startsWith('reply:')
        ? []
        : valuesAt(reply, at.slice('reply:'.length))
            .filter(isId)
            .map(id => resource(kind, id)),
    ),
  )
}

/** The control ids in a request or its response. They are secrets: keep only their digests. */
export function controlIds(
  {touches}: Pick<Operation, 'touches'>,
  {body, reply}: {readonly body?: unknown; readonly reply?: unknown},
): string[] {
  const ids = touches.flatMap(({kind, at}) => {
    if (kind !== 'control') return []
    return at.startsWith('reply:') ? valuesAt(reply, at.slice('reply:'.length)) : valuesAt(body, at)
  })
  return ids.map(id => (id instanceof Secret ? String(id.open()) : id)).filter(id => typeof id === 'string')
}

/** Whether a resource matches a filter: `card:3004`, or `3004` for any kind. */
export function isResource(text: string, wanted: string): boolean {
  const [kind, id] = partsOf(wanted)
  const [ownKind, ownId] = partsOf(text)
  return (kind === undefined || kind === ownKind) && plainId(ownId) === plainId(id)
}

const partsOf = (text: string): readonly [string | undefined, string] =>
  hasKind(text) ? [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)] : [undefined, text]

/** Whether an id that a response names can be asked for: a path has no place for any other. */
export const isPathId = (id: string): boolean => id.isWellFormed() && !/^\.{0,2}$|[/\\]/.test(id)

/** Half of a UTF-16 pair, which no file or database holds, as JSON writes it: `\ud800`. */
export const withoutHalves = (text: string): string =>
  text.replaceAll(/\p{Surrogate}/gu, half => `\\u${half.charCodeAt(0).toString(16)}`)

const hasKind = (text: string): boolean => RESOURCE_KINDS.some(kind => text.startsWith(`${kind}:`))

const isId = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)]

/** The ids of one kind among resources such as `card:3001`. */
export const idsOf = (kind: ResourceKind, resources: readonly string[]): readonly string[] =>
  resources.filter(one => one.startsWith(`${kind}:`)).map(one => one.slice(kind.length + 1))

/** What the response says was created or changed. Omitted if the id is itself a secret, as a control id is. */
export function idIn(
  body: unknown,
  {sensitive, ids}: Partial<Pick<Operation, 'sensitive' | 'ids'>> = {},
): string | undefined {
  if (typeof body !== 'object' || body === null || sensitive?.reply.includes('/id')) return undefined
  const {id, requestTraceId} = body as {id?: unknown; requestTraceId?: unknown}
  const found = ids?.made === undefined ? (requestTraceId ?? id) : valuesAt(body, ids.made)[0]
  return typeof found === 'string' || typeof found === 'number' ? withoutHalves(String(found)) : undefined
}
