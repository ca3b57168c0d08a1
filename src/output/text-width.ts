/** One sign as a reader sees it, and how many columns of a terminal it takes. */
export interface Grapheme {
  readonly text: string
  readonly width: 0 | 1 | 2
}

const segmenter = new Intl.Segmenter('en', {granularity: 'grapheme'})

/** East Asian wide and full-width signs (UAX 11), taken by script and block, rather too many than too few. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3040-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u
const emoji = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}/u
const marksOnly = /^[\p{Mn}\p{Me}]+$/u

/** The signs of a text that holds no control characters. */
export function graphemesOf(text: string): Grapheme[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split('').map(char => ({text: char, width: 1}))
  return Array.from(segmenter.segment(text), ({segment}) => ({
    text: segment,
    width: widthOfGrapheme(segment),
  }))
}

function widthOfGrapheme(grapheme: string): 0 | 1 | 2 {
  if (marksOnly.test(grapheme)) return 0
  return wide.test(grapheme) || emoji.test(grapheme) ? 2 : 1
}

/** Columns that a text without control characters takes on a terminal. */
export function textWidth(text: string): number {
  return graphemesOf(text).reduce((sum, {width}) => sum + width, 0)
}
