import type {ProblemDetails} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {valuesAt} from '../sensitive/json-pointer.ts'
import {maskSaid} from '../sensitive/mask-encoded.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import {redact} from '../sensitive/redact.ts'
import type {ReceivedBody} from './response-body.ts'

/** What the service said about a failure. */
export interface ErrorText {
  /** Its text, unchanged except for masked card numbers and credentials. */
  readonly words?: string
  /** The JSON object it sent, sensitive values masked. */
  readonly problem?: ProblemDetails
}

/** Where an error has its parts: JSON pointers, `*` for every item of a list. */
export interface ErrorShape {
  readonly code?: string
  readonly message?: string
  readonly field?: string
}

/** A longer text is a stack trace or a page; the beginning says what it is. */
const LONGEST_TEXT = 1000

/** Fields in which services without RFC 9457 put the text for people, the best first. */
const OTHER_WORDS = ['message', 'error_description', 'errorMessage', 'description', 'error', 'reason']

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

function wordsOf(body: Record<string, unknown>): string | undefined {
  const title = textOf(body.title)
  const detail = textOf(body.detail)
  if (title !== undefined && detail !== undefined && title !== detail) return `${title}: ${detail}`
  if (title !== undefined || detail !== undefined) return detail ?? title
  for (const name of OTHER_WORDS) {
    const member = body[name]
    const text = textOf(member) ?? (isObject(member) ? wordsOf(member) : undefined)
    if (text !== undefined) return text
  }
  return undefined
}

/** More list items are only counted, more fields are left out. The JSON of the error has all of them. */
const MOST_ITEMS = 5
const MOST_MEMBERS = 6
/** Deeper than services nest their errors. */
const DEEPEST = 4

/** Fields of a list item with its place and its text. */
const WHERE = [
  'field',
  'pointer',
  'path',
  'property',
  'propertyPath',
  'name',
  'parameter',
  'location',
  'code',
]

/** One item of a list of errors: `creditLimit: must be positive`. */
function itemWords(item: unknown, depth: number): string | undefined {
  if (!isObject(item))
    return plainText(item) ?? (Array.isArray(item) ? listWords(item, depth + 1) : undefined)
  const words = wordsOf(item)
  if (words === undefined) return memberWords(item, depth + 1)
  const where = WHERE.map(name => plainText(item[name])).find(text => text !== undefined && text !== words)
  return where === undefined ? words : `${where}: ${words}`
}

function listWords(list: readonly unknown[], depth: number): string | undefined {
  if (depth > DEEPEST) return undefined
  const texts = list.slice(0, MOST_ITEMS).flatMap(item => itemWords(item, depth) ?? [])
  if (texts.length === 0) return undefined
  const more = list.length - MOST_ITEMS
  return [...new Set(texts), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** Everything that an object without known fields says: `status REJECTED, rule 12`. */
function memberWords(body: Record<string, unknown>, depth: number): string | undefined {
  if (depth > DEEPEST) return undefined
  const texts = Object.entries(body).flatMap(([name, member]) => {
    const text = plainText(member)
    if (text !== undefined) return [`${name} ${text}`]
    const inside = Array.isArray(member)
      ? listWords(member, depth + 1)
      : isObject(member)
        ? (wordsOf(member) ?? memberWords(member, depth + 1))
        : undefined
    return inside === undefined ? [] : [`${name}: ${inside}`]
  })
  return texts.length === 0 ? undefined : texts.slice(0, MOST_MEMBERS).join(', ')
}

const plainText = (value: unknown): string | undefined =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value)

/** What the lists of an error add to its text: `errors`, `subErrors`, `violations`, whatever a service calls them. */
function listedWords(body: Record<string, unknown>, said: string): readonly string[] {
  return Object.values(body).flatMap(member => {
    const words = Array.isArray(member) ? listWords(member, 1) : undefined
    return words === undefined || said.includes(words) ? [] : [words]
  })
}

/** Everything in an error that a person should read. */
function allWords(body: unknown): string | undefined {
  if (Array.isArray(body)) return listWords(body, 0)
  if (!isObject(body)) return plainText(body)
  const plain = Object.fromEntries(Object.entries(body).filter(([, member]) => !Array.isArray(member)))
  const main = wordsOf(body) ?? memberWords(plain, 0)
  const texts = [...(main === undefined ? [] : [main]), ...listedWords(body, main ?? '')]
  return texts.length === 0 ? undefined : withCode(texts.join('; '), codeOf(body))
}

/** Fields in which services put a code of their own, the best first. */
const CODES = ['code', 'errorCode', 'error_code', 'errorcode', 'reasonCode', 'reason_code', 'faultcode']

/** The service's own code for the error, if it isn't only the status of the response. */
function codeOf(body: Record<string, unknown>, depth = 0): string | undefined {
  const found = CODES.map(name => plainText(body[name])).find(
    text => text !== undefined && !STATUS.test(text),
  )
  if (found !== undefined) return found
  for (const name of ['error', 'fault', 'problem', 'errors']) {
    const inner: unknown = [body[name]].flat()[0]
    const code = isObject(inner) && depth < DEEPEST ? codeOf(inner, depth + 1) : undefined
    if (code !== undefined) return code
  }
  // OAuth 2.0 has its code in `error`; other services have a word in `type`, where RFC 9457 has an address.
  return [body.error, body.type].map(textOf).find(text => text !== undefined && WORD.test(text))
}

const STATUS = /^[1-5]\d\d$/
const WORD = /^\p{L}[\p{L}\d]*(?:[._-][\p{L}\d]+)*$/u

const withCode = (words: string, code: string | undefined): string =>
  code === undefined || words.includes(code) ? words : `${words} (${code})`

/** What the parts of an error say where the profile names their places: `creditLimit: must be positive (E12)`. */
function shapedWords(body: unknown, {code, message, field}: ErrorShape): string | undefined {
  const [list] = [code, message, field].flatMap(pointer => /^.*?\/\*/.exec(pointer ?? '')?.[0] ?? [])
  const items = list === undefined ? [body] : valuesAt(body, list)
  const texts = items.slice(0, MOST_ITEMS).flatMap(item => {
    const at = (pointer: string | undefined): string | undefined => {
      if (pointer === undefined) return undefined
      const isInside = list !== undefined && pointer.startsWith(list)
      return plainText((isInside ? valuesAt(item, pointer.slice(list.length)) : valuesAt(body, pointer))[0])
    }
    const words = [at(field), at(message)].filter(text => text !== undefined).join(': ')
    return words === '' ? (at(code) ?? []) : withCode(words, at(code))
  })
  const more = items.length - MOST_ITEMS
  const all = [...new Set(texts), ...(texts.length > 0 && more > 0 ? [`and ${more} more`] : [])]
  return all.length === 0 ? undefined : all.join('; ')
}

/** The title or first heading of a page, where a proxy or gateway in front of the service says what is wrong. */
function pageTitle(html: string): string | undefined {
  for (const element of ['title', 'h1', 'h2']) {
    const found = new RegExp(`<${element}[^<>]{0,200}>([^<]{1,300})<`, 'i').exec(html)?.[1]
    const text = found?.replace(/\s+/g, ' ').trim()
    if (text) return text
  }
  return undefined
}

/**
 * Reads the reason, for a person, from the body of an error. `sensitive` has the JSON pointers of the operation's
 * marks.
 *
 * @param shape where the profile says that errors have their parts.
 */
export function errorText(
  body: ReceivedBody,
  sensitive: readonly string[],
  shape: ErrorShape = {},
): ErrorText {
  switch (body.kind) {
    case 'empty':
      return {}
    case 'text':
      return {words: maskWithin(maskSaid(body.text.trim()), LONGEST_TEXT)}
    case 'html': {
      const title = pageTitle(body.text)
      const page = 'an HTML page, from a proxy or gateway rather than the service'
      return {words: title === undefined ? page : `${page}: "${maskWithin(maskSaid(title), LONGEST_TEXT)}"`}
    }
    case 'unreadable':
      return {words: `the body of the response cannot be read: ${body.why}`}
    case 'file':
      return {words: `the body of the response is ${body.file.type}`}
    case 'json': {
      const safe = redact(body.value, {sensitive})
      const words = shapedWords(safe, shape) ?? allWords(safe)
      return {
        ...(isObject(safe) && {problem: safe}),
        ...(words !== undefined && {words: maskWithin(maskSaid(words), LONGEST_TEXT)}),
      }
    }
  }
}
