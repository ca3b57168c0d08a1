import {digitRuns} from './digit-runs.ts'
import {luhnWindows, SHORTEST} from './luhn-windows.ts'
import {mayHoldRun, UUID} from './mask-pan.ts'
import {networkLengths} from './network-numbers.ts'

/** Whether a whole text looks like a card number: 13 to 19 digits that pass Luhn, also in groups. */
export function looksLikeCardNumber(text: string): boolean {
  if (!mayHoldRun(text)) return false
  const trimmed = text.trim()
  for (const run of digitRuns(trimmed, SHORTEST)) {
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
 * Whether a text holds the number of a card network anywhere: 13 to 19 digits, also in groups, that pass Luhn, begin as
 * such a network's numbers do and are as long. In an unbroken group of 17 digits and more it must stand at its beginning
 * or end: somewhere in a long id nearly always one does. Stricter than the masks, for whoever refuses must be sure.
 */
export function holdsCardNumber(text: string): boolean {
  if (!mayHoldRun(text)) return false
  for (const run of digitRuns(text.replace(UUID, ';'), SHORTEST)) {
    let isFound = false
    const isEdge = (at: number) => at === 0 || at === run.count || run.gaps[at] !== 0
    luhnWindows(run, (from, to) => {
      isFound ||= (isEdge(from) || isEdge(to)) && networkLengths(run.values, from).includes(to - from)
    })
    if (isFound) return true
  }
  return false
}

/** Whether a member or parameter of this name holds a reference: those of payments pass Luhn by construction. */
export function isReferenceName(name: string): boolean {
  return /^ref|reference/i.test(name)
}
