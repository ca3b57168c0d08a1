import type {Operation} from '../contract/operation.ts'
import {isObject} from '../errors/is-object.ts'
import {operationOf} from './former-values.ts'
import {plainCommandOf} from './plain-commands.ts'

/** In place of a value that was not kept. */
export const UNNAMED = '…'

/** What a plain command does, in place of the contract's `change`. */
const PLAIN: Readonly<Record<string, string>> = {
  'accounts:block': 'block',
  'accounts:unblock': 'unblock',
  'accounts:close': 'close',
  'accounts:limit': 'change the limit of',
}

/**
 * `change credit account 2001`, in the contract's words, or `block credit account 2001` if that is what was sent; the
 * operation's id if the contract doesn't know it.
 */
export function wordsFor(
  id: string | undefined,
  kind: string,
  resources: readonly string[],
  sent?: unknown,
): string {
  const operation = id === undefined ? undefined : operationOf({operation: id})
  if (operation === undefined) return id ?? ''
  const words = operation.action?.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = isObject(sent) ? sent[name] : undefined
    return typeof value === 'string' ? value : (idOf(operation, name, resources) ?? UNNAMED)
  })
  if (kind === 'reveal') return `show to a person: ${operation.summary}`
  const plain = PLAIN[plainCommandOf(operation.id, sent) ?? '']
  return (plain === undefined ? words : words?.replace(/^change\b/, plain)) ?? operation.summary
}

function idOf({touches}: Operation, name: string, resources: readonly string[]): string | undefined {
  const kind = touches.find(({at}) => at === `path:${name}`)?.kind
  const found = resources.find(one => one.startsWith(`${kind}:`))
  return found?.slice(found.indexOf(':') + 1)
}
