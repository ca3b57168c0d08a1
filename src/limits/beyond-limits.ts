import {inBytes, type JsonLimits} from './limits.ts'

/** Why a text is not parsed. */
export interface Beyond {
  /** The end of a sentence: "is nested deeper than 100 levels". */
  readonly why: string
  /** The offset in the text from which on it is too much. */
  readonly at: number
}

/**
 * What is too much in a JSON text, or undefined. Told in one pass before it is parsed: a few bytes of brackets and commas,
 * compressed, would else become gigabytes of objects, and nothing can stop a parser on its way. Whether the text is JSON
 * at all is not looked at.
 */
export function beyondLimits(json: string, {depth, values, text}: JsonLimits): Beyond | undefined {
  let open = 0
  let count = 0
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(json, at)
        if (end - at - 1 > text) return {why: `holds a text of more than ${inBytes(text)}`, at}
        at = end
        break
      }
      case COMMA:
        count++
        break
      case LIST:
      case OBJECT:
        open++
        count++
        break
      case LIST_END:
      case OBJECT_END:
        open--
        break
      default:
        continue
    }
    if (open > depth) return {why: `is nested deeper than ${depth} levels`, at}
    if (count > values) return {why: `holds more than ${values} values`, at}
  }
  return undefined
}

const [QUOTE, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d]
const BACKSLASH = 0x5c

/** The place of the quote that ends the string that begins here. */
function endOfString(text: string, from: number): number {
  for (let place = from + 1; place < text.length; place++) {
    const code = text.charCodeAt(place)
    if (code === QUOTE) return place
    if (code === BACKSLASH) place++
  }
  return text.length
}
