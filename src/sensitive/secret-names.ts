import {type PointerTree, pointerTree} from './json-pointer.ts'
import {MASK, Secret} from './secret.ts'

/**
 * Names that card services give to secrets. They decide only where no contract does: unknown fields, headers, query
 * parameters, form fields.
 */

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** A name with one of these words holds a secret, unless a later word says that it only describes one. */
const SECRET_WORDS = setOf(`
  authorization authorisation cav cookie credential cryptogram csc cvc cvn cvv cvx jwt mnemonic otp pan passcode passphrase passwd
  password pin pinblock pwd secret signature token track tzpk zpk
`)

/** Words that mean a secret only in combination. */
const SECRET_PHRASES = [
  'card number',
  'primary account number',
  'security code',
  'verification code',
  'verification value',
  'client assertion',
  'recovery code',
  'backup code',
  'seed phrase',
  'magic link',
  'one time code',
  'activation code',
  'invite code',
  'invitation code',
  'security answer',
  'authentication answer',
  'code verifier',
  'access code',
  'card nonce',
]

/** Names written as one word, or secret only in exactly this form. */
const SECRET_NAMES = setOf(`
  accesskey accesstoken apikey authtoken bearertoken cardnumber clientassertion clientkey clientsecret
  controltoken encryptedpin fullcardnumber idtoken newpin oldpin primaryaccountnumber privatekey refreshtoken
  secretkey securitycode session sessionid sessiontoken setcookie sharedsecret signingkey subscriptionkey
  symmetrickey trackdata
`)

/** Kinds of keys that are not secret. A bare `key` can be the name of anything; every other kind is secret. */
const HARMLESS_KEYS = setOf(`
  cache evaluated event foreign group idempotency map message natural object partition primary public record
  routing row sort unique
`)

/** Words after the name of a secret that only describe it: its state, its kind, when it ends, who requested it. */
const TELLS_OF_IT = setOf(`
  address algorithm allowed amount amounts assurance at attempt attempts blocked capability category changed color colour
  count counter created currency cycle date days decision delivery details enabled entry expiration expired expires expiry
  failures file fingerprint format hours id identifier indicator kind last left length limit mailer masked method minutes
  mode percent percentage policy prefix present provider range reason ref reference remaining requested requestor requester
  required requirement reset result retries scheme score seconds sequence set source state status suffix time timestamp
  tries truncated type unblock updated usage valid verified version
`)

/** Words before the name of a secret that only describe it: a yes or no, a number, or what is left. */
const IS_NOT_IT = setOf('failed has is masked max min needs requires truncated wrong')

/** From the contract: an RSA public key, which others encrypt with. The cryptogram of a chip is printed on receipts. */
const HARMLESS_NAMES = new Set(['encryptionkey', 'applicationcryptogram'])

/**
 * Whether a field, header or parameter with this name holds a secret. Reads the name word by word: `newPin`,
 * `cvc2Value` and `track_2_data` are secret like `pin`, `cvc` and `track`; `pinStatus` and `tokenReferenceID` aren't.
 */
export function isSecretName(name: string, more: readonly string[] = []): boolean {
  return isSecretByWords(name) || more.some(other => plainName(other) === plainName(name))
}

/** A cache, because a log has the same few names in every line. */
const known = new Map<string, boolean>()
const MOST_KNOWN = 500
const LONGEST_KNOWN = 40

function isSecretByWords(name: string): boolean {
  const before = known.get(name)
  if (before !== undefined) return before
  const found = readByWords(name)
  if (known.size >= MOST_KNOWN) known.clear()
  if (name.length <= LONGEST_KNOWN) known.set(name, found)
  return found
}

function readByWords(name: string): boolean {
  const words = wordsOf(name)
  const plain = words.join('')
  if (SECRET_NAMES.has(plain)) return true
  const behind = wordsBehindSecret(words)
  if (behind === undefined || HARMLESS_NAMES.has(plain) || IS_NOT_IT.has(words[0] ?? '')) return false
  return !behind.some(word => TELLS_OF_IT.has(word))
}

const plainName = (name: string): string => name.toLowerCase().replace(/[-_. ]/g, '')

/** The words of a name in lower case, without digits: `accessTokenV2` gives access, token, v. */
function wordsOf(name: string): readonly string[] {
  const {starts, ends, others} = /[^\x20-\x7e]/.test(name) ? ALL_LETTERS : ASCII_LETTERS
  const spaced = name.replace(starts, '$1 $2').replace(ends, '$1 $2')
  const words = spaced.toLowerCase().split(others)
  return words.filter(word => word !== '')
}

/** Where words start and end in a name, and what is between words. */
const ALL_LETTERS = {
  starts: /([\p{Ll}\d])(\p{Lu})/gu,
  ends: /(\p{Lu})(\p{Lu}\p{Ll})/gu,
  others: /[^\p{L}]+/u,
}

/** The same for most names. V8 needs 0.6 ms to compile the expressions for all letters. */
const ASCII_LETTERS = {starts: /([a-z\d])([A-Z])/g, ends: /([A-Z])([A-Z][a-z])/g, others: /[^a-z]+/}

/** The words after the last one that makes the name secret; undefined if none does. */
function wordsBehindSecret(words: readonly string[]): readonly string[] | undefined {
  const last = words.findLastIndex(
    (word, at) => isSecretWord(word) || isSecretKey(words, at) || endsPhrase(words, at),
  )
  return last < 0 ? undefined : words.slice(last + 1)
}

const isSecretWord = (word: string): boolean =>
  SECRET_WORDS.has(word) || SECRET_WORDS.has(singular(word)) || (word !== 'session' && SECRET_NAMES.has(word))

const isSecretKey = (words: readonly string[], at: number): boolean =>
  at > 0 && singular(words[at] ?? '') === 'key' && !words.slice(0, at).some(word => HARMLESS_KEYS.has(word))

const endsPhrase = (words: readonly string[], at: number): boolean =>
  SECRET_PHRASES.some(phrase =>
    ` ${[...words.slice(Math.max(0, at - 2), at), singular(words[at] ?? '')].join(' ')}`.endsWith(
      ` ${phrase}`,
    ),
  )

/** The words of a name in lower case: `cardProduct_token2` has card, product, token2. */
export const nameWords = (name: string): readonly string[] =>
  name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(word => word !== '')

/** A word in the singular: `entries` is entry, `address` is itself. */
export const singular = (word: string): string =>
  word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : /(?:ss|us|is)$/.test(word)
      ? word
      : word.replace(/(?<=s|x|ch|sh)es$|s$/, '')

interface Stripped {
  readonly value: unknown
  /** Whether anything was left out. */
  readonly hid: boolean
}

const NOWHERE = pointerTree([])
const DEEPEST = 100

/**
 * A copy of a JSON value with sensitive fields (by pointer, type or name, unless it is an id) replaced by a constant. Unlike a mask for
 * display, it leaves every other value exactly as it is: two requests that differ must stay different.
 */
export function withoutSensitive(
  value: unknown,
  sensitive: readonly string[],
  ids: readonly string[] = [],
): Stripped {
  let hid = false
  const hide = (): string => {
    hid = true
    return MASK
  }

  function visit(item: unknown, tree: PointerTree, plain: PointerTree, depth: number): unknown {
    if (item === null || item === undefined) return item
    if (tree.ends || item instanceof Secret || ArrayBuffer.isView(item) || depth > DEEPEST) return hide()
    if (Array.isArray(item)) {
      const every = tree.next.get('*') ?? NOWHERE
      const known = plain.next.get('*') ?? NOWHERE
      return item.map((one: unknown, index) =>
        visit(one, tree.next.get(String(index)) ?? every, known, depth + 1),
      )
    }
    if (typeof item !== 'object') return item
    return Object.fromEntries(
      Object.entries(item).map(([name, member]: [string, unknown]) => {
        const known = plain.next.get(name) ?? NOWHERE
        const isSecret = isSecretName(name) && !known.ends
        if (isSecret && member !== null && member !== undefined) return [name, hide()]
        return [name, visit(member, tree.next.get(name) ?? NOWHERE, known, depth + 1)]
      }),
    )
  }

  return {value: visit(value, pointerTree(sensitive), pointerTree(ids), 0), hid}
}

/** Fields without a mark whose names say that they are secret. @param ids pointers to what is an id, whatever its name. */
export function underSecretNames(value: unknown, ids: readonly string[]): unknown[] {
  const inside = (one: unknown, tree: PointerTree): unknown[] => {
    if (typeof one !== 'object' || one === null || one instanceof Secret) return []
    return Object.entries(one).flatMap(([name, item]) => {
      const id = tree.next.get(name) ?? (Array.isArray(one) ? tree.next.get('*') : undefined)
      return [...(isSecretName(name) && id === undefined ? [item] : []), ...inside(item, id ?? NOWHERE)]
    })
  }
  return inside(value, pointerTree(ids))
}
