import {digitRuns} from './digit-runs.ts'
import {luhnWindows, SHORTEST} from './luhn-windows.ts'
import {mayHoldRun, UUID} from './mask-text.ts'
import {networkLengths} from './network-numbers.ts'
import {withDashes} from './odd-groups.ts'

/** Whether a whole text looks like a card number: 13 to 19 digits that pass Luhn, also in groups. */
export function looksLikeCardNumber(text: string): boolean {
  if (!mayHoldRun(text)) return false
  const trimmed = text.trim()
  for (const run of digitRuns(withDashes(trimmed), SHORTEST)) {
    const last = run.count - 1
    const end = (run.places[last] ?? 0) + (run.widths[last] ?? 1)
    if (run.places[0] !== 0 || end !== trimmed.length) continue
    let isWhole = false
    luhnWindows(run, (from, to) => {
      isWhole ||= from === 0 && to === run.count
    })
    if (isWhole) return true
  }
  return false
}

/**
 * Whether a text contains a number of a card network: 13 to 19 digits, also in groups, that pass Luhn and have the
 * prefix and length of the network's numbers. In an unbroken group of 17 or more digits it must be at the start or the
 * end: nearly every long id has such digits somewhere. Stricter than the masks, because a refusal must be certain.
 */
export function holdsCardNumber(text: string): boolean {
  if (!mayHoldRun(text)) return false
  for (const run of digitRuns(withDashes(text.replace(UUID, ';')), SHORTEST)) {
    let isFound = false
    const isEdge = (at: number) => at === 0 || at === run.count || run.gaps[at] !== 0
    luhnWindows(run, (from, to) => {
      isFound ||= (isEdge(from) || isEdge(to)) && networkLengths(run.values, from).includes(to - from)
    })
    if (isFound) return true
  }
  return false
}

/** Whether a field or parameter with this name holds a reference: payment references pass Luhn by construction. */
export function isReferenceName(name: string): boolean {
  return /^ref|reference/i.test(name)
}
