import {isLuhnValid} from './luhn.ts'
import {type MaskStyle, SHOWN_FIRST, SHOWN_LAST} from './mask-style.ts'

const SHORTEST = 13
const LONGEST = 19

/** At least 13 digits, with at most one space or dash (also the no-break and typographic ones) between any two. */
const RUN = /[0-9](?:[ \u00a0\u202f\u2010\u2011\u2013-]?[0-9]){12,}/g
/** The shortest of them, as the source of an expression. */
export const BEGINNING_OF_RUN = RUN.source.replace('{12,}', '{12}')

/** A UUID with at least one letter; one of digits only could as well be a card number in groups. */
const UUID = /(?<![0-9a-z])(?=[0-9-]{0,35}[a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])/gi

/**
 * Text with every digit run that looks like a card number masked: 13 to 19 digits that pass the Luhn check, alone or
 * in groups split by single spaces or dashes. In a longer run of groups (`number expiry cvv`) every row of whole
 * groups is tried. First 6 and last 4 stay readable, except at an end where further digits follow after a separator:
 * what is readable there could form a new card number with them. All other text stays as it was, UUIDs too. Masking
 * twice changes nothing; the time is linear in the length of the text.
 *
 * For free text and unknown members only: payment references pass Luhn by construction, so members that the contract
 * types as something else must not come here. An unbroken run of 20 digits and more is no card number and stays.
 */
export function maskDigitRuns(text: string, style: MaskStyle = {}): string {
  const filler = style.filler ?? '•'
  let result = ''
  let place = 0
  for (const uuid of text.matchAll(UUID)) {
    result += maskPlain(text.slice(place, uuid.index), filler) + uuid[0]
    place = uuid.index + uuid[0].length
  }
  return result + maskPlain(text.slice(place), filler)
}

function maskPlain(text: string, filler: string): string {
  return text.replace(RUN, run => maskRun(run, filler))
}

function maskRun(run: string, filler: string): string {
  const groups = [...run.matchAll(/[0-9]+/g)].map(match => ({at: match.index, digits: match[0]}))
  const hidden = new Set<number>()
  for (let first = 0; first < groups.length; first++) {
    let digits = ''
    const places: number[] = []
    for (let last = first; last < groups.length; last++) {
      const group = groups[last]
      if (group === undefined || digits.length + group.digits.length > LONGEST) break
      digits += group.digits
      for (let i = 0; i < group.digits.length; i++) places.push(group.at + i)
      if (digits.length < SHORTEST || !isLuhnValid(digits)) continue
      const from = first === 0 ? SHOWN_FIRST : 0
      const to = last === groups.length - 1 ? places.length - SHOWN_LAST : places.length
      // Where two candidates overlap, a digit stays readable only if both would show it.
      for (const place of places.slice(from, to)) hidden.add(place)
    }
  }
  if (hidden.size === 0) return run
  return run
    .split('')
    .map((character, place) => (hidden.has(place) ? filler : character))
    .join('')
}
