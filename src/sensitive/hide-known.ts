import {decodeEscapes, mayHoldEscape} from './decode-escapes.ts'
import {MASK} from './secret.ts'

/** Shorter ones stand in many a text by chance, and hiding them would tell which. */
const SHORTEST = 6

/** How often a text may have been escaped: a JSON text in a form in a page. */
const LAYERS = 3

interface Needle {
  readonly length: number
  /** A form writes a space as a plus, so the two count as one. */
  readonly anywhere: RegExp
  /** A part of base64: what stands beside it belongs to it. */
  readonly isBase64: boolean
}

/** From where to before where, in a text. */
type Stretch = readonly [from: number, to: number]

/**
 * A function that replaces given secrets wherever they stand in a text: as they are, percent-encoded (also as forms are),
 * escaped as in JSON or HTML, up to three of these over each other, and in base64, alone or behind something else. For
 * texts of others who were told them: no rule about names or shapes knows in what words a service quotes a credential back.
 */
export function hideKnown(secrets: readonly string[], shortest = SHORTEST): (text: string) => string {
  const needles = [...new Set(secrets)].filter(secret => secret.length >= shortest).flatMap(needlesOf)
  if (needles.length === 0) return text => text
  const least = Math.min(...needles.map(({length}) => length))
  return text => {
    if (text.length < least) return text
    const found = stretchesIn(text, needles)
    return found.length === 0 ? text : without(text, found)
  }
}

/** The same in every string of a JSON value, member names and numbers included. */
export function hideIn(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value)
  if (typeof value === 'number') return hide(String(value)) === String(value) ? value : MASK
  if (Array.isArray(value)) return value.map(item => hideIn(item, hide))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [hide(name), hideIn(item, hide)]))
}

const spaced = (text: string): string => text.replaceAll('+', ' ')

/** What a secret may look like where no escape is left. One that holds what looks like an escape loses that with the text's. */
function needlesOf(secret: string): readonly Needle[] {
  const plain = new Set<string>()
  let text = secret
  for (let layer = 0; layer <= LAYERS; layer++) {
    plain.add(spaced(text))
    text = decodeEscapes(text).text
  }
  const base64 = new Set([0, 1, 2].flatMap(before => base64Parts(secret, before)))
  return [
    ...[...plain].filter(each => each.length >= SHORTEST).map(each => needle(each, false)),
    ...[...base64].map(each => needle(each, true)),
  ]
}

const needle = (text: string, isBase64: boolean): Needle => ({
  length: text.length,
  anywhere: new RegExp(
    spaced(text)
      .replace(/[\\^$.*?()[\]{}|]/g, '\\$&')
      .replaceAll(' ', '[ +]'),
    'g',
  ),
  isBase64,
})

/** The characters of base64 that a secret alone decides when so many bytes (modulo 3) stand before it. */
function base64Parts(secret: string, before: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret, 'utf8')])
  const from = Math.ceil((before * 8) / 6)
  const to = Math.floor((bytes.length * 8) / 6)
  if (to - from < SHORTEST) return []
  return (['base64', 'base64url'] as const).map(form => bytes.toString(form).slice(from, to))
}

/** In the text itself, and in what is left of it after each layer of escapes. */
function stretchesIn(text: string, needles: readonly Needle[]): readonly Stretch[] {
  const found: Stretch[] = []
  let layer = text
  let toSource = (place: number): number => place
  for (let count = 0; ; count++) {
    const source = toSource
    for (const [from, to] of occurrences(layer, needles)) found.push([source(from), source(to)])
    if (count === LAYERS || !mayHoldEscape(layer)) return found
    const decoded = decodeEscapes(layer)
    if (decoded.text.length === layer.length) return found
    toSource = place => source(decoded.starts[place] ?? layer.length)
    layer = decoded.text
  }
}

function* occurrences(text: string, needles: readonly Needle[]): Generator<Stretch> {
  for (const {anywhere, isBase64} of needles) {
    anywhere.lastIndex = 0
    for (let match = anywhere.exec(text); match !== null; match = anywhere.exec(text)) {
      let from = match.index
      let to = anywhere.lastIndex
      if (isBase64) {
        while (from > 0 && BASE64[text.charCodeAt(from - 1)] === 1) from--
        while (to < text.length && BASE64[text.charCodeAt(to)] === 1) to++
      }
      yield [from, to]
      anywhere.lastIndex = to
    }
  }
}

/** By the codes of characters. */
const BASE64 = Uint8Array.from({length: 128}, (_, code) =>
  /[A-Za-z0-9+/=_-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

function without(text: string, found: readonly Stretch[]): string {
  let hidden = ''
  let place = 0
  let end = -1
  for (const [from, to] of [...found].sort(([a], [b]) => a - b)) {
    if (from >= end) {
      hidden += text.slice(place, from) + MASK
      end = to
    } else end = Math.max(end, to)
    place = end
  }
  return hidden + text.slice(place)
}
