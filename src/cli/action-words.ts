import type {AnyInput, Operation} from '../contract/operation.ts'
import {isObject} from '../errors/is-object.ts'
import {plainCommandOf} from './plain-commands.ts'

/** What a plain command does, in place of the contract's `change`. */
const PLAIN: Readonly<Record<string, string>> = {
  'accounts:block': 'block',
  'accounts:unblock': 'unblock',
  'accounts:close': 'close',
  'accounts:limit': 'change the limit of',
}

/**
 * `change credit account 2001`, in the contract's words, or `block credit account 2001` if that is what the fields do.
 * Questions, proposals and records say it alike.
 *
 * @param nameOf the value of a path parameter; undefined leaves its name in braces.
 */
export function actionWords(
  {id, action}: Operation,
  sent: unknown,
  nameOf: (parameter: string) => string | undefined,
): string | undefined {
  if (action === undefined) return undefined
  const plain = PLAIN[plainCommandOf(id, sent) ?? '']
  const words = plain === undefined ? action : action.replace(/^change\b/, plain)
  return words.replaceAll(/\{(\w+)\}/g, (braces, name: string) => nameOf(name) ?? braces)
}

/** What a request will do, for a question: with the ids of its path. */
export function actionOf(operation: Operation, {path, body}: AnyInput): string {
  const sent = isObject(body) ? body : undefined
  return actionWords(operation, sent, name => path[name]) ?? `send ${withPath(operation.summary, path)}`
}

/** The words of an imported contract, with what they are about: `PATCH /widgets/7`, or `Change a widget (id 7)`. */
function withPath(summary: string, path: AnyInput['path']): string {
  const filled = summary.replaceAll(/\{([^{}]+)\}/g, (braces, name: string) => path[name] ?? braces)
  const rest = Object.entries(path).filter(([name]) => !summary.includes(`{${name}}`))
  return rest.length === 0
    ? filled
    : `${filled} (${rest.map(([name, value]) => `${name} ${value}`).join(', ')})`
}
