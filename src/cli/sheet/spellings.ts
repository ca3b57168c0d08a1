/** Letters that some keyboards and systems lack, as they are written there with others. */
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  å: 'aa',
  æ: 'ae',
  ø: 'oe',
  œ: 'oe',
}
/** And what is left of those that have no mark to leave out. */
const PLAIN: Readonly<Record<string, string>> = {ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe'}

const withoutMark = (letter: string): string =>
  PLAIN[letter] ?? letter.normalize('NFD').replaceAll(/\p{M}/gu, '')

/** What would be an English word for something else: `payé` is none of them. */
const OTHER_WORDS = new Set(['payee', 'paye'])

/** Words in lower case as they are, without the marks of their letters, and with such letters written out: `beløb`, `belob`, `beloeb`. */
export function spellingsOf(words: string): readonly [string, string, string] {
  const whole = words.normalize('NFC').toLowerCase()
  const letters = [...whole]
  const known = (spelled: string): string => (OTHER_WORDS.has(spelled.trim()) ? whole : spelled)
  return [
    whole,
    known(letters.map(withoutMark).join('')),
    known(letters.map(letter => WRITTEN_OUT[letter] ?? withoutMark(letter)).join('')),
  ]
}

const CLASS_OR_LETTER = /\\.|\[(?:\\.|[^\]\\])*\]|(?![a-z])\p{L}/giu

/** The pattern for all spellings of its words, whose letters with marks are in lower case. */
export function inAllSpellings({source, flags}: RegExp): RegExp {
  const spelled = source.normalize('NFC').replaceAll(CLASS_OR_LETTER, part => {
    if (part.startsWith('\\') || part.startsWith('[^')) return part
    const letters = [...part].filter(letter => /(?![a-z])\p{L}/iu.test(letter))
    const others = letters.flatMap(letter => [withoutMark(letter), WRITTEN_OUT[letter] ?? ''])
    const more = [...new Set(others)].filter(text => text !== '')
    return more.length === 0 ? part : `(?:${[part, ...more].join('|')})`
  })
  return new RegExp(spelled, flags)
}
