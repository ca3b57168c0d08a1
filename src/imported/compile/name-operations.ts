import type {DocumentOperation} from '../document/document.ts'

const LONGEST = 60

/**
 * A name of a document as a word of a command line: `getAccountHolderV2` becomes `get-account-holder-v2`. '' if nothing
 * is left.
 */
export function kebabName(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      // PINs, SDKs: the plural of an abbreviation is one word.
      .replace(
        /(\p{Lu})(\p{Lu}+s)(?!\p{Ll})/gu,
        (_, first: string, rest: string) => first + rest.toLowerCase(),
      )
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1-$2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1-$2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, LONGEST)
      .replace(/^-+|-+$/g, '')
  )
}

/** Appends a number to the name if it is taken. */
export function distinctName(wanted: string, isTaken: (name: string) => boolean): string {
  let name = wanted
  for (let count = 2; isTaken(name); count++) name = `${wanted}-${count}`
  return name
}

export interface NamedOperation {
  readonly operation: DocumentOperation
  readonly tag: string
  /** The tag as written in the document. */
  readonly tagName: string
  readonly name: string
}

/** A name with a number, because another operation has the wanted name. */
export interface Renamed {
  readonly operation: string
  readonly wanted: string
  readonly name: string
  readonly tag: string
}

/** The commands of a document: `x <tag> <name>`, each pair unique. */
export function nameOperations(operations: readonly DocumentOperation[]): {
  named: readonly NamedOperation[]
  renamed: readonly Renamed[]
} {
  const taken = new Set<string>()
  const renamed: Renamed[] = []
  const named = operations.map((operation): NamedOperation => {
    const tagName = operation.tags[0] ?? firstWord(operation.path)
    const tag = kebabName(tagName) || 'other'
    const wanted = wantedName(operation, tag)
    const name = distinctName(wanted, one => taken.has(`${tag} ${one}`))
    taken.add(`${tag} ${name}`)
    if (name !== wanted) {
      renamed.push({operation: `${operation.method} ${operation.path}`, wanted, name, tag})
    }
    return {operation, tag, tagName, name}
  })
  return {named, renamed}
}

/** The first meaningful segment of a path: `orders` in `/v1/{tenant}/orders`. */
const firstWord = (path: string): string =>
  path
    .split('/')
    .find(segment => segment !== '' && !segment.startsWith('{') && !/^v\d+$|^api$/i.test(segment)) ?? 'other'

function wantedName({operationId, method, path}: DocumentOperation, tag: string): string {
  const fromId = operationId === undefined ? '' : kebabName(lastPart(operationId))
  if (fromId !== '') return fromId
  const words = path
    .split('/')
    .map(kebabName)
    .filter(word => word !== '' && word !== tag && !/^v\d+$/.test(word))
  return kebabName([method, ...words].join(' ')) || method.toLowerCase()
}

/** The command already contains the tag of `repos/get-branch` and `Orders.list`. */
const lastPart = (operationId: string): string =>
  operationId.split(/[/.:#]/).findLast(part => kebabName(part) !== '') ?? ''
