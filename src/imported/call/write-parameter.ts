import {serializeArrayParam, serializeObjectParam} from 'openapi-fetch'
import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import type {DocumentParameter, ParameterStyle} from '../document/document.ts'

export interface Style {
  readonly style: ParameterStyle
  readonly explode: boolean
  readonly allowReserved?: boolean | undefined
}

/**
 * A value in the style of its parameter, percent-encoded: `limit=5`, `;id=5`, `filter%5Bfrom%5D=1`. Empty if there is
 * nothing to write.
 */
export function writeParameter(name: string, value: unknown, style: Style): string {
  const key = encoded(name)
  const isPath = style.style === 'simple' || style.style === 'label' || style.style === 'matrix'
  if (Array.isArray(value)) return list(key, value, style)
  if (isObject(value)) {
    if (style.style === 'deepObject') return deepMembers(key, value, style).join('&')
    // Delimited objects are written as the list of their names and values.
    if (style.style === 'spaceDelimited' || style.style === 'pipeDelimited') {
      return list(key, Object.entries(value).flat(), {...style, explode: false})
    }
    const members = Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined && member !== null)
        .map(([member, inner]) => [encoded(member), plain(member, inner)]),
    )
    return serializeObjectParam(key, members as never, style as never)
  }
  const text = reservedOr(plain(name, value), style)
  if (!isPath) return `${key}=${text}`
  if (style.style === 'matrix') return `;${key}=${text}`
  return style.style === 'label' ? `.${text}` : text
}

function list(key: string, values: readonly unknown[], style: Style): string {
  const items = values.map(item => plain(key, item))
  return serializeArrayParam(key, items, style as never).replaceAll('|', '%7C')
}

function deepMembers(key: string, value: Readonly<Record<string, unknown>>, style: Style): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = `${key}%5B${encoded(name)}%5D`
    if (member === undefined || member === null) return []
    if (Array.isArray(member)) {
      return member.flatMap((item, at) =>
        isObject(item)
          ? deepMembers(`${inner}%5B${at}%5D`, item, style)
          : [`${inner}%5B%5D=${reservedOr(plain(name, item), style)}`],
      )
    }
    if (isObject(member)) return deepMembers(inner, member, style)
    return [`${inner}=${reservedOr(plain(name, member), style)}`]
  })
}

/** A header's value, not percent-encoded. @throws Failure INPUT_INVALID for a value that a header can't hold */
export function writeHeader(
  {name, explode}: Pick<DocumentParameter, 'name' | 'explode'>,
  value: unknown,
): string {
  const text = Array.isArray(value)
    ? value.map(item => plain(name, item)).join(',')
    : isObject(value)
      ? Object.entries(value)
          .map(([member, inner]) => `${member}${explode ? '=' : ','}${plain(member, inner)}`)
          .join(',')
      : plain(name, value)
  if (/^[\t\x20-\x7e]*$/.test(text)) return text.trim()
  throw new Failure('INPUT_INVALID', {
    message: `The value of the header ${name} holds a character that no header takes.`,
    effect: 'none',
  })
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/**
 * RFC 6570: `allowReserved` leaves these characters unencoded. Characters that would end the query or the parameter are
 * encoded.
 */
const reservedOr = (text: string, {allowReserved}: Style): string =>
  allowReserved
    ? encoded(text).replace(/%(?:3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B)/g, decodeURIComponent)
    : encoded(text)

/** @throws Failure INPUT_INVALID for an object inside a list or object, which no style can write */
function plain(name: string, value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value)
  if (value === null) return ''
  throw new Failure('INPUT_INVALID', {
    message: `${name} is a list or object inside of another, which cannot be written in a parameter.`,
    effect: 'none',
  })
}
