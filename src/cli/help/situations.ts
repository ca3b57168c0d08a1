import type {Situation} from './entry.ts'
import {ACCOUNTS} from './situations/accounts.ts'
import {CARDS, COUNTRIES} from './situations/cards.ts'
import {LIMITS} from './situations/limits.ts'
import {PAYMENTS_AND_PRICES} from './situations/payments-and-prices.ts'
import {PHONES_AND_PINS} from './situations/phones-and-pins.ts'
import {RECORDS} from './situations/records.ts'
import {REQUESTS} from './situations/requests.ts'
import {TOOL} from './situations/tool.ts'
import {TRANSFERS} from './situations/transfers.ts'
import {alike, inWordsOfPages} from './synonyms.ts'
import {phrasesIn, termsOf} from './terms.ts'

const PLACES = new Set(termsOf(`${COUNTRIES} abroad country countries foreign`))

/** Where something happened, which tells less than what. */
export const isPlace = (term: string): boolean => PLACES.has(term)

/** Extend one of these for a new situation; a test checks that each command exists and takes its flags. */
export const SITUATIONS: readonly Situation[] = [
  ...CARDS,
  ...PHONES_AND_PINS,
  ...ACCOUNTS,
  ...LIMITS,
  ...TRANSFERS,
  ...PAYMENTS_AND_PRICES,
  ...REQUESTS,
  ...RECORDS,
  ...TOOL,
]

export const phrasesOf = ({phrases}: Situation): readonly string[] => phrasesIn(phrases)

/** The situation that the words are about; undefined if none has a phrase of them, or only shorter ones. The longest wins. */
export const situationOf = (words: readonly string[], shortest = 1): Situation | undefined =>
  longestMatch(words, shortest)?.situation

/** With the words of all its phrases that the question has. */
export function longestMatch(
  words: readonly string[],
  shortest = 1,
): {readonly situation: Situation; readonly terms: readonly string[]} | undefined {
  const given = termsOf(inWordsOfPages(words.join(' ')))
  const all = new Set(given)
  const line = ` ${given.join(' ')} `
  const others = given.map(term => [term, alike(term)] as const)
  const found: {situation: Situation; terms: readonly string[]; score: number}[] = []
  for (const {situation, terms} of readPhrases()) {
    if (terms.length < shortest) continue
    const had = terms.filter(term => all.has(term))
    if (had.length === 0) continue
    // A word stands for one of a phrase.
    const isMeant = (term: string): boolean =>
      others.some(([each, meant]) => !had.includes(each) && meant.includes(term))
    const missed = terms.filter(term => !all.has(term))
    if (!missed.every(isMeant)) continue
    const close = had.length + CLOSE * missed.length - (terms.every(isPlace) ? PLACE : 0)
    const score = close + (line.includes(` ${terms.join(' ')} `) ? TOGETHER : 0)
    found.push({situation, terms, score})
  }
  const most = Math.max(0, ...found.map(({score}) => score))
  const candidates = found
    .filter(({score}) => score === most)
    .map(({situation}) => ({
      situation,
      terms: [...new Set(found.filter(each => each.situation === situation).flatMap(({terms}) => terms))],
    }))
  // Of phrases of one length, the situation that has more of the question.
  return candidates.toSorted((a, b) => b.terms.length - a.terms.length)[0]
}

/** A word that means the same counts less, and words that stand together more. */
const CLOSE = 0.4
const TOGETHER = 0.3
const PLACE = 0.1

let phrasesRead: readonly {readonly situation: Situation; readonly terms: readonly string[]}[] | undefined

const readPhrases = (): NonNullable<typeof phrasesRead> =>
  (phrasesRead ??= SITUATIONS.flatMap(situation =>
    [...phrasesOf(situation), ...titlesOf(situation)].map(phrase => ({
      situation,
      terms: termsOf(inWordsOfPages(phrase)),
    })),
  ))

/** What a situation is called, unless that is a word of many others. */
const titlesOf = ({about}: Situation): readonly string[] =>
  about.split(/ or |, /).filter(title => new Set(termsOf(title)).size > 1)
