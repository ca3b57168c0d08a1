import {type Span, type Styled, spansOf} from './styled.ts'

const SPOKEN: readonly (readonly [sign: RegExp, words: string])[] = [
  [/[✓✔]/gu, 'ok:'],
  [/[✗✘✖]/gu, 'problem:'],
  [/⚠/gu, 'warning:'],
  [/ ?→ ?| -> /gu, ' to '],
  // A number in one piece is read as one.
  [/(?<=\d)\u202f(?=\d{3})/gu, ''],
  [/…/gu, '...'],
  [/ ?· ?/gu, ', '],
  [/ , /gu, ', '],
  // Digits that are hidden, as elsewhere.
  [/•/gu, 'x'],
  // Lines, bars, blocks and dots say nothing that is not beside them in words.
  [/[\u2500-\u25ff▰▱⠀-⣿]/gu, ''],
]

/** A text for people without the signs that a screen reader reads out by their names, or leaves out. */
export const spokenText = (text: string): string =>
  SPOKEN.reduce((said, [sign, words]) => said.replaceAll(sign, words), text)

/** A value of which nothing is shown. */
const ALL_HIDDEN = /^•+$/u

/**
 * The same for what is about to be laid out, so that the words count in its width. Spaces that set parts of a line apart
 * become commas, because nobody hears them.
 */
export function spokenStyled(styled: Styled): readonly Span[] {
  const spans = spansOf(styled)
  if (ALL_HIDDEN.test(spans.map(({text}) => text).join(''))) return [{text: 'hidden'}]
  let before = ''
  return spans.map(({text, style}) => {
    const words = spokenText(text).replace(/ {2,}/g, (run, at: number, whole: string) => {
      const said = before + whole.slice(0, at)
      if (said.trim() === '') return run // An indent.
      if (said.endsWith(' ')) return ''
      if (/[,:;]$/.test(said)) return ' '
      return ', '
    })
    before += words
    return {text: words, style}
  })
}
