/** Words that tell nothing of what is searched for. */
const STOP_WORDS = new Set(
  'a about also am an and are as at be been being but by can could do does for from has have he her him his how hows i if im in into is it its ive let like many may me must my of on or our please she should so than that the their them there theres these they this to us use want was we what whats when where wheres which whole whos why will with would you your'.split(
    ' ',
  ),
)

export const isTelling = (word: string): boolean => !STOP_WORDS.has(word.toLowerCase())

/** Endings that tell forms of a word apart, the longest first. */
const ENDINGS =
  /(?:ations?|ently|ily|(?<!p)ly|ies|ied|encies|ency|ences?|ance|ents?|able|ible|ing|ages?|(?<!e)ed|es|s|e|y)$/
/** Those that a short word may lose too: `move`, `moved`, `moving`. */
const SHORT_ENDINGS = /(?:ing|(?<!e)ed|es|e)$/

/** Their stems would be those of other words: apple, paper, not. */
const OWN_STEMS = new Set(['apply', 'today', 'note'])

/** Forms that no ending tells. */
const IRREGULAR = new Map(
  `
  be being been; break broke broken breaking; bring brought; buy bought buying; choose chose chosen; come came comes coming;
  die died dies dying; draw drew drawn; eat ate eaten; fall fell fallen; forget forgot forgotten forgetting; get got getting gotten;
  give gave given giving; go went gone goes; grow grew grown; hang hung; know knew known; lost lose loses losing;
  make made making; mean meant; note notes noted; pay paid pays paying; put puts putting; run ran running; say said says; see saw seen sees;
  send sent; speak spoke spoken; spend spent; steal stole stolen; take took taken taking; teach taught; tell told;
  think thought; throw threw thrown; understand understood; withdraw withdrew withdrawn withdrawal; write wrote written writing;
  freeze froze frozen freezing; wear wore worn; tear tore torn; bend bent; build built building; begin began begun beginning;
  sell sold; catch caught; hide hid hidden hiding; stick stuck; split splitting; stop stopped stopping; ship shipped shipping; drop dropped dropping; plan planned planning; setting settings`
    .split(';')
    .flatMap(group => {
      const [first = '', ...others] = group.trim().split(/\s+/)
      return others.map(form => [form, first] as const)
    }),
)

/** Shorter stems would be those of other words. */
const SHORTEST = 4

/** Stems by their words: a search reads many thousands of them, and most again and again. */
const known = new Map<string, string>()

/**
 * A word without its ending, so that its forms are alike: `idempotent` and `idempotency`, `stored` and `storage`. Words
 * with a digit, a hyphen or an underscore are names, and stay.
 */
export function stemOf(word: string): string {
  const stem = known.get(word) ?? newStemOf(word)
  known.set(word, stem)
  return stem
}

function newStemOf(word: string): string {
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  if (!/^\p{L}+$/u.test(plain)) return plain
  const form = IRREGULAR.get(plain) ?? plain
  if (OWN_STEMS.has(form)) return form
  // British and American: authorise, authorize.
  const stem = form.replace(ENDINGS, '').replace(/iz$/, 'is')
  if (stem.length >= SHORTEST) return stem
  const short = form.replace(SHORT_ENDINGS, '')
  return short.length === SHORTEST - 1 && /[aeiou]/.test(short) ? short : form.replace(/(?<=..)s$/, '')
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
