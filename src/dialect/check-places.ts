import {isHeaderName, isOwnHeader} from '../network/header-names.ts'
import {pointerBelow} from '../sensitive/json-pointer.ts'
import {type Location, namesIn, routeOf, type Shape} from './dialect-file.ts'

type Report = (pointer: string, message: string, what?: 'key') => void

interface Written {
  readonly request: string
  readonly input?: Shape
  readonly with?: Readonly<Record<Location, unknown>>
}

/** Where the parts of one request of theirs go: each place once, in a path that stays where it is. */
export function checkPlaces(
  {request, input = {}, with: others = {}}: Written,
  key: Location | undefined,
  report: Report,
): void {
  const {path} = routeOf(request)
  checkPath(path, report)
  const places = [
    ...Object.entries(input).map(([ours, rule]) => ({
      place: typeof rule === 'string' ? rule : rule.at,
      from: pointerBelow('/input', ours),
    })),
    ...Object.keys(others).map(place => ({place, from: pointerBelow('/with', place)})),
  ].flatMap(({place, from}) => (place === undefined ? [] : [{place, from}]))
  const names = namesIn(path)
  const filled = places.map(({place}) => place)
  for (const name of names)
    if (!filled.includes(`path:${name}`)) report('/request', `nothing is given for {${name}}`)
  for (const [at, {place, from}] of places.entries()) {
    const own = [...(key === undefined ? [] : [key]), ...filled.slice(0, at)]
    if (own.some(other => isSame(other, place))) report(from, `${place} is given twice`)
    if (place.startsWith('path:') && !names.includes(place.slice('path:'.length)))
      report('/request', `the path has no {${place.slice('path:'.length)}}`)
    if (place.startsWith('header:')) checkHeader(place, others[place], from, report)
  }
}

/** Where the idempotency key goes. */
export function checkKey(key: Location | undefined, pointer: string, report: Report): void {
  if (key?.startsWith('header:')) checkHeader(key, undefined, pointer, report)
}

/** The same place, or one that is a part of the other. */
const isSame = (one: Location, other: Location): boolean =>
  one.toLowerCase() === other.toLowerCase() ||
  (one.startsWith('/') &&
    other.startsWith('/') &&
    (one.startsWith(`${other}/`) || other.startsWith(`${one}/`)))

function checkPath(path: string, report: Report): void {
  if (path.split('/').some(segment => segment === '.' || segment === '..'))
    report('/request', 'a segment of dots would lead to another path')
}

/** Names that choose another service, another path, another method or another user. */
const REROUTING = /^(?:authorization|forwarded|x-(?:forwarded|original|rewrite|http-method).*|via)$/i

function checkHeader(place: Location, value: unknown, pointer: string, report: Report): void {
  const name = place.slice('header:'.length)
  if (!isHeaderName(name)) report(pointer, `${JSON.stringify(name)} is no name of a header`, 'key')
  else if (isOwnHeader(name) || REROUTING.test(name))
    report(pointer, `the header ${name} is not for a dialect: cardctl or the profile sets it`, 'key')
  const isText = typeof value !== 'object' || value === null
  if (value !== undefined && isText && !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(String(value)))
    report(pointer, `the header ${name} can't have this value: printable ASCII, no space at its ends`)
}
