import type {Operation} from '../contract/operation.ts'
import {isObject} from '../errors/is-object.ts'
import {operationOf} from './former-values.ts'

/** In place of a value that was not kept. */
export const UNNAMED = '…'

/** `change credit account 2001`, in the contract's words; the operation's id if the contract doesn't know it. */
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
  return kind === 'reveal' ? `show to a person: ${operation.summary}` : (words ?? operation.summary)
}

function idOf({touches}: Operation, name: string, resources: readonly string[]): string | undefined {
  const kind = touches.find(({at}) => at === `path:${name}`)?.kind
  const found = resources.find(one => one.startsWith(`${kind}:`))
  return found?.slice(found.indexOf(':') + 1)
}
