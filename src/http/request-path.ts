import {Failure} from '../errors/failure.ts'

const invalid = (message: string): Failure => new Failure('INPUT_INVALID', {message, effect: 'none'})

/** One path segment, percent-encoded so that nothing in it can end the segment or climb out of it. */
function encodeSegment(name: string, value: string): string {
  if (value === '') throw invalid(`The value for ${name} is empty; it names a part of the path.`)
  // Servers and proxies resolve these even where they are encoded (RFC 3986, 5.2.4 and 6.2.2.3).
  if (value.split(/[/\\]/).some(part => part === '.' || part === '..')) {
    throw invalid(`The value for ${name} holds a segment of dots, which would lead to another path.`)
  }
  if (!value.isWellFormed()) throw invalid(`The value for ${name} is not well-formed text.`)
  return encodeURIComponent(value)
}

/**
 * Fills a path of the contract, such as `/v4/{id}`. Literal segments are exchanged by `words`; values of parameters
 * never are, and are percent-encoded whole.
 *
 * @throws Failure INPUT_INVALID if a value is missing, empty, holds `.` or `..` as a segment, or is not well-formed.
 */
export function requestPath(
  template: string,
  params: Readonly<Record<string, string>>,
  words: Readonly<Record<string, string>>,
): string {
  const segments = template.split('/').map(segment => {
    const parameter = /^\{(.+)\}$/.exec(segment)?.[1]
    if (parameter === undefined) {
      const word = Object.hasOwn(words, segment) ? words[segment] : undefined
      return word === undefined ? segment : encodeSegment(`the word ${segment}`, word)
    }
    const value = Object.hasOwn(params, parameter) ? params[parameter] : undefined
    if (value === undefined) throw invalid(`The path needs a value for ${parameter}.`)
    // The type says text; what came past it from a file must not become text by accident.
    if (typeof value !== 'string') throw invalid(`The value for ${parameter} is not text.`)
    return encodeSegment(parameter, value)
  })
  return segments.join('/')
}

/**
 * A prefix of a group as it goes over the wire: '' or '/card'.
 *
 * @throws Failure PROFILE_INVALID if it isn't a plain path.
 */
export function groupPrefix(group: string, prefix: string | undefined): string {
  const path = (prefix ?? '').replace(/\/+$/, '')
  if (path === '') return ''
  const rooted = path.startsWith('/') ? path : `/${path}`
  if (!/^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/.test(rooted)) {
    throw new Failure('PROFILE_INVALID', {
      message: `The prefix of the group ${group} is not a plain path such as /card.`,
      effect: 'none',
    })
  }
  return rooted
}
