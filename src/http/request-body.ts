import {Failure} from '../errors/failure.ts'
import {type PointerTree, pointerTree} from '../sensitive/json-pointer.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {Secret} from '../sensitive/secret.ts'
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

const NOWHERE = pointerTree([])

function seal(value: unknown, tree: PointerTree): unknown {
  if (value === undefined || value === null || value instanceof Secret) return value
  if (tree.ends) return new Secret(typeof value === 'string' ? value : JSON.stringify(value))
  if (typeof value === 'string') return holdsSecret(value) ? new Secret(value) : value
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) {
    return value.map((item, at) => seal(item, tree.next.get('*') ?? tree.next.get(String(at)) ?? NOWHERE))
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, seal(item, tree.next.get(name) ?? NOWHERE)]),
  )
}

/** Words with a card number or a credential among them. What has no space is a value: references look like card numbers. */
const holdsSecret = (text: string): boolean => /\s/.test(text) && maskText(text) !== text

/** The body as it would go out, with a `Secret` in place of every sensitive member and every text that quotes a secret. */
export function sealedBody(body: unknown, sensitive: readonly string[], words: Words): unknown {
  return renameMembers(seal(body, pointerTree(sensitive)), outward(words))
}
