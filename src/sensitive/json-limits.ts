/** What a JSON text may hold. */
export interface JsonLimits {
  /** Objects and lists inside each other. */
  readonly depth: number
  /** Members and items, at all levels together. */
  readonly values: number
}

/**
 * What is too much in a JSON text, as the end of a sentence ("it is nested deeper than 100 levels"), or undefined. Told in
 * one pass before it is parsed: a few bytes of brackets and commas, compressed, would else become gigabytes of objects, and
 * nothing can stop a parser on its way. Whether the text is JSON at all is not looked at.
 */
export function beyondLimits(text: string, {depth, values}: JsonLimits): string | undefined {
  let open = 0
  let count = 0
  for (let place = 0; place < text.length; place++) {
    switch (text.charCodeAt(place)) {
      case QUOTE:
        place = endOfString(text, place)
        break
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
    if (open > depth) return `it is nested deeper than ${depth} levels`
    if (count > values) return `it holds more than ${values} values`
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
