import {Failure} from '../errors/failure.ts'
import {type PointerTree, pointerTree} from '../sensitive/json-pointer.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {Secret} from '../sensitive/secret.ts'
import {isSecretName} from '../sensitive/secret-names.ts'
import {outward, renameMembers} from './words.ts'

type Words = Readonly<Record<string, string>>

/** The wire: the one place where secrets in a body are opened. */
function openSecrets(value: unknown): unknown {
  if (value instanceof Secret) {
    const open: unknown = value.open()
    return Buffer.isBuffer(open) ? open.toString('utf8') : open
  }
  if (Array.isArray(value)) return value.map(openSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, openSecrets(item)]))
}

/**
 * The bytes of a body, made once: every try of a request sends the same.
 *
 * @throws Failure INPUT_INVALID if the value can't be written as JSON.
 */
export function bodyBytes(body: unknown, words: Words): Buffer | undefined {
  if (body === undefined) return undefined
  try {
    return Buffer.from(JSON.stringify(openSecrets(renameMembers(body, outward(words)))), 'utf8')
  } catch {
    throw new Failure('INPUT_INVALID', {
      message:
        'The body cannot be written as JSON: it is nested too deep, or holds something that is no JSON value.',
      effect: 'none',
    })
  }
}

function seal(value: unknown, tree: PointerTree): unknown {
  if (value === undefined || value === null || value instanceof Secret) return value
  if (tree.ends) return new Secret(typeof value === 'string' ? value : JSON.stringify(value))
  if (tree.next.size === 0 || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    return value.map((item, at) => {
      const next = tree.next.get('*') ?? tree.next.get(String(at))
      return next ? seal(item, next) : item
    })
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const next = tree.next.get(name)
      return [name, next ? seal(item, next) : item]
    }),
  )
}

/** Where no contract says what is secret, names and card numbers in a text do. */
function sealByName(value: unknown): unknown {
  if (value instanceof Secret) return value
  if (typeof value === 'string') return maskText(value) === value ? value : new Secret(value)
  if (typeof value === 'number')
    return maskText(String(value)) === String(value) ? value : new Secret(String(value))
  if (Array.isArray(value)) return value.map(sealByName)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isSecretName(name) && item !== null ? seal(item, pointerTree([''])) : sealByName(item),
    ]),
  )
}

/**
 * The body as it would go out, with a `Secret` in place of every sensitive member: by the contract's pointers, or by
 * names and looks where there is none.
 */
export function sealedBody(body: unknown, sensitive: readonly string[] | undefined, words: Words): unknown {
  const sealed = sensitive === undefined ? sealByName(body) : seal(body, pointerTree(sensitive))
  return renameMembers(sealed, outward(words))
}
