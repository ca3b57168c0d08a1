import type {ProblemDetails} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
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
  return texts.length === 0 ? undefined : texts.join('; ')
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
 */
export function errorText(body: ReceivedBody, sensitive: readonly string[]): ErrorText {
  switch (body.kind) {
    case 'empty':
      return {}
    case 'text':
      return {words: maskWithin(body.text.trim(), LONGEST_TEXT)}
    case 'html': {
      const title = pageTitle(body.text)
      const page = 'an HTML page, from a proxy or gateway rather than the service'
      return {words: title === undefined ? page : `${page}: "${maskWithin(title, LONGEST_TEXT)}"`}
    }
    case 'unreadable':
      return {words: `the body of the response cannot be read: ${body.why}`}
    case 'file':
      return {words: `the body of the response is ${body.file.type}`}
    case 'json': {
      const safe = redact(body.value, {sensitive})
      const words = allWords(safe)
      return {
        ...(isObject(safe) && {problem: safe}),
        ...(words !== undefined && {words: maskWithin(words, LONGEST_TEXT)}),
      }
    }
  }
}
