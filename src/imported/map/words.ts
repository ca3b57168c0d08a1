/** The same key for all spellings of a name: `pinBlock`, `PinBlock`, `pin_block` and `PIN-BLOCK`. */
export const nameKey = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** The words of a name or a sentence, in lower case. */
export const wordsIn = (text: string): readonly string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
