import type {ProblemDetails} from '../errors/failure.ts'
import {maskWithin} from '../sensitive/mask-within.ts'
import {redact} from '../sensitive/redact.ts'
import type {ReplyBody} from './reply-body.ts'

/** What the service itself said about a failure. */
export interface ServiceWords {
  /** Its own words, unchanged but for masked card numbers and credentials. */
  readonly words?: string
  /** The JSON object it sent, sensitive values masked. */
  readonly problem?: ProblemDetails
}

/** Longer texts are a stack trace or a page; the beginning says what it is. */
const LONGEST_TEXT = 1000

/** Members under which services that know no RFC 9457 put what a person should read, the best first. */
const OTHER_WORDS = ['message', 'error_description', 'errorMessage', 'description', 'error', 'reason']

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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
  const first = Array.isArray(body.errors) ? (body.errors as unknown[])[0] : undefined
  return textOf(first) ?? (isObject(first) ? wordsOf(first) : undefined)
}

/** The title or first heading of a page: what a proxy or gateway put in front of the service says in large letters. */
function pageTitle(html: string): string | undefined {
  for (const element of ['title', 'h1', 'h2']) {
    const found = new RegExp(`<${element}[^<>]{0,200}>([^<]{1,300})<`, 'i').exec(html)?.[1]
    const text = found?.replace(/\s+/g, ' ').trim()
    if (text) return text
  }
  return undefined
}

/** Reads a person's reason out of the body of an error. `sensitive` are the JSON pointers of the operation's marks. */
export function serviceWords(body: ReplyBody, sensitive: readonly string[]): ServiceWords {
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
      return {words: `the body of the answer cannot be read: ${body.why}`}
    case 'json': {
      const safe = redact(body.value, {sensitive})
      if (!isObject(safe)) {
        const text = textOf(safe)
        return text === undefined ? {} : {words: maskWithin(text, LONGEST_TEXT)}
      }
      const words = wordsOf(safe)
      return {problem: safe, ...(words === undefined ? {} : {words: maskWithin(words, LONGEST_TEXT)})}
    }
  }
}
