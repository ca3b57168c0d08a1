/** Words that tell nothing of what is searched for. */
const STOP_WORDS = new Set(
  'a about also am an and are as at be been being but by can could do does for from has have he her him his how hows i if im in into is it its ive let like many may me must my of on or our please she should so than that the their them there theres these they this to us use want was we what whats when where wheres which whole whos why will with would you your'.split(
    ' ',
  ),
)

export const isTelling = (word: string): boolean => !STOP_WORDS.has(word.toLowerCase())

/** Endings that tell forms of a word apart, the longest first. */
const ENDINGS =
  /(?:ations?|ently|ily|(?<!p)ly|ies|ied|encies|ency|ences?|ance|ents?|able|ible|ing|age|ed|es|s|e|y)$/

/** Their stems would be those of other words: apple, paper. */
const OWN_STEMS = new Set(['apply', 'today'])

/** Shorter stems would be those of other words. */
const SHORTEST = 4

/**
 * A word without its ending, so that its forms are alike: `idempotent` and `idempotency`, `stored` and `storage`. Words
 * with a digit, a hyphen or an underscore are names, and stay.
 */
export function stemOf(word: string): string {
  // Nearly all words are plain, and a search reads many thousands of them.
  const isPlain = /^[a-z]+$/.test(word)
  const plain = isPlain ? word : word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  if (!isPlain && !/^\p{L}+$/u.test(plain)) return plain
  if (OWN_STEMS.has(plain)) return plain
  // British and American: authorise, authorize.
  const stem = plain.replace(ENDINGS, '').replace(/iz$/, 'is')
  return stem.length >= SHORTEST ? stem : plain.replace(/(?<=..)s$/, '')
}

/** The stems of the words of a text or question, without stop words; with them if there is nothing else. */
export function termsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu) ?? []
  const telling = words.filter(isTelling)
  return (telling.length > 0 ? telling : words).map(stemOf)
}

/** The stems of the parts of names with hyphens: of `job-key` those of job and key. */
export const partsOf = (text: string): readonly string[] =>
  (text.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+/gu) ?? []).flatMap(name => termsOf(name.replaceAll('-', ' ')))

/** Phrases with commas between them. */
export const phrasesIn = (texts: string): readonly string[] => texts.trim().split(/,\s*/)
