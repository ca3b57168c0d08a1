// What people say besides what they ask: greetings, politeness, times and places. It must not change what is found.
import {isTelling, termsOf} from './terms.ts'

const DAY = '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?'
const MONTH = '(?:january|february|april|june|july|august|september|october|november|december)'
const PART = '(?:morning|afternoon|evening|night|noon|midnight|weekend)'
const COUNT =
  '(?:\\d+|an?|one|two|three|four|five|six|seven|ten|few|some|couple of|several|a few|a couple of)'
const SPAN = '(?:seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)'
const PLACE =
  '(?:shop|store|supermarket|grocery|till|counter|checkout|airport|station|petrol station|gas station|restaurant|cafe|café|bar|hotel|pharmacy|bakery|office|desk|branch|market|mall|cinema|bank|cash register)'

/** Said before or after anything. */
const COURTESY: readonly RegExp[] = [
  /^(?:hello|hi|hey|dear \w+|good (?:morning|afternoon|evening|day)|greetings|excuse me|sorry|ok|okay|so|well|um+|urgent|quick question)(?: there| all| team| everyone)?(?=\W|$)[\s,.!:]*/i,
  /\b(?:please|pls|plz|thank you(?: very much)?|thanks(?: a lot| in advance)?|many thanks|cheers|kindly|asap|urgently)\b/gi,
  /\b(?:can|could|would|will) you(?:\s+(?:please|tell me|show me|help me|explain|check|find out|look up))*\b/gi,
  /\b(?:do you know|any idea|i wonder|i was wondering|tell me|help me|is it possible to|is there a way to|what do i do (?:if|when)|what if|how do i|how can i)\b/gi,
  /\bi(?: want| need| would like| have| am trying| wish)(?: you)? to(?:\s+(?:know|find out|check))?\b|\bi['’]?(?:d like|m trying) to(?: (?:know|find out|check))?\b/gi,
  /\b(?:actually|really|just now|right now|at the moment|somehow|simply|apparently|unfortunately|suddenly|immediately)\b/gi,
  /^(?:a|the|my|our) (?:customer|caller|client|colleague) (?:says|said|asks|tells me|told me|claims|reports)(?: that)?\b/i,
]

/** Times and places, for which the service has no field. */
const CIRCUMSTANCES: readonly RegExp[] = [
  new RegExp(
    `\\b(?:(?:in|for|of|from|since|during|over|within|on|at|by) )?(?:the )?(?:last|past|this|previous|earlier this|earlier) (?:${COUNT} )?(?:${SPAN}|${DAY}|${PART}|${MONTH})\\b`,
    'gi',
  ),
  new RegExp(`\\b(?:about |around )?${COUNT} ${SPAN} ago\\b`, 'gi'),
  new RegExp(`\\b(?:on|since|last|every) ${DAY}(?: ${PART})?\\b`, 'gi'),
  new RegExp(
    `\\b(?:yesterday|today)(?: ${PART})?\\b|\\btonight\\b|\\bthe other day\\b|\\ball ${PART}\\b`,
    'gi',
  ),
  new RegExp(`\\b(?:(?:in|at|during) the ${PART}|at ${PART}|in ${MONTH})\\b`, 'gi'),
  new RegExp(`\\b(?:at|in|from|inside) (?:the|a|an|my|our|her|his|their) ${PLACE}\\b`, 'gi'),
  /\bat (?:work|lunch|dinner)\b|\bout of the blue\b|\bfor no reason\b|\bby (?:phone|email)$/gi,
  /(?<=(?:ed|en|lost|down|wrong)) again\b/gi,
]

/** A question without what it has besides; the whole if nothing else tells what it is about. */
export function withoutEveryday(question: string): string {
  const asked = strippedOf(question, COURTESY)
  return strippedOf(asked, CIRCUMSTANCES)
}

function strippedOf(text: string, besides: readonly RegExp[]): string {
  const left = besides
    .reduce((rest, each) => rest.replace(each, ' ').trim(), text)
    .replaceAll(/\s+([,.!?])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s,.!]+|[\s,.!]+$/g, '')
  return saysMore(left) ? left : text
}

/** Words that say nothing of what a question is about. */
const VERBS =
  /^(?:did|done|happened|happen|changed?|was|were|someone|somebody|anyone|new|old|news|raise|wait|again|all|any|only|not|back|now|still|it|end)$/i

const saysMore = (text: string): boolean =>
  (text.match(/[\p{L}\p{N}_-]+/gu) ?? []).some(word => isTelling(word) && !VERBS.test(word))

/** What is in nearly every question of a desk: of a situation, it tells nothing more. */
const DESK_WORDS = new Set(
  termsOf(
    `account card customer client caller holder payment charge amount euro cent number off on month year week day name mr mrs
    ms miss bank one two three four five six twelve last`,
  ),
)

/** Whether a word of a question only says whose, how much or when. */
export const isOfDesk = (term: string): boolean => DESK_WORDS.has(term) || /^[\d.,]+$/.test(term)
