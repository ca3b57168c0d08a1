import {HIDDEN, kindOf, OTHER, SPACE} from './character-kinds.ts'

/** A text, or what counts how often it is read. */
export interface Characters {
  readonly length: number
  charCodeAt(place: number): number
}

/** What stands before a digit of a run. Any further value is a gap that only fits gaps of the same value. */
export const SAME_GROUP = 0
/** Nothing visible, such as a zero-width space. */
export const UNSEEN = 1
/** One to three spaces, or a dash. */
export const PLAIN = 2
const ALIKE = 4
/** What a decimal number has once. */
export const LONE_DOT = ALIKE + 3

/** Digits of a text that may belong together. */
export interface DigitRun {
  readonly count: number
  /** 0 to 9 each. */
  readonly values: Uint8Array
  /** Where each digit begins in the text. */
  readonly places: Uint32Array
  /** Code units of each digit: 1, or 2 above the basic plane. */
  readonly widths: Uint8Array
  /** The gap before each digit; the first has none. */
  readonly gaps: Uint8Array
}

const MOST_VISIBLE = 3

/**
 * The runs of at least `shortest` digits in a text, in one pass over it. Between two digits of a run there is nothing, or
 * at most three spaces, dashes and dots. Characters that cannot be seen don't count, digits of all scripts do.
 */
export function* digitRuns(text: Characters, shortest: number): Generator<DigitRun, void, undefined> {
  let run = new GrowingRun()
  let visible = 0
  let shape = 0
  let unseen = false
  for (let place = 0; place < text.length; place++) {
    const code = codePointAt(text, place)
    const kind = kindOf(code)
    const width = code > 0xffff ? 2 : 1
    if (kind < OTHER) {
      run.add(kind, place, width, gapOf(visible, shape, unseen))
      visible = 0
      shape = 0
      unseen = false
    } else if (run.count > 0) {
      if (kind === HIDDEN) unseen = true
      else if (kind === OTHER || visible === MOST_VISIBLE) {
        if (run.count >= shortest) {
          yield run
          run = new GrowingRun()
        }
        run.count = 0
        visible = 0
        shape = 0
        unseen = false
      } else {
        visible++
        shape = shape * 4 + kind - SPACE + 1
      }
    }
    place += width - 1
  }
  if (run.count >= shortest) yield run
}

function codePointAt(text: Characters, place: number): number {
  const first = text.charCodeAt(place)
  if (first < 0xd800 || first > 0xdbff || place + 1 >= text.length) return first
  const second = text.charCodeAt(place + 1)
  if (second < 0xdc00 || second > 0xdfff) return first
  return (first - 0xd800) * 0x400 + (second - 0xdc00) + 0x10000
}

/** `shape` has two bits for each visible character, in order: 1 a space, 2 a dash, 3 a dot. */
function gapOf(visible: number, shape: number, unseen: boolean): number {
  if (visible === 0) return unseen ? UNSEEN : SAME_GROUP
  const isPlain = shape === 0b01 || shape === 0b0101 || shape === 0b010101 || shape === 0b10
  return isPlain ? PLAIN : ALIKE + shape
}

/** Grows by doubling, so that all that is ever copied is no more than what was added. */
class GrowingRun implements DigitRun {
  count = 0
  values = new Uint8Array(32)
  places = new Uint32Array(32)
  widths = new Uint8Array(32)
  gaps = new Uint8Array(32)

  add(value: number, place: number, width: number, gap: number): void {
    const at = this.count
    if (at === this.values.length) this.#grow(at * 2)
    this.values[at] = value
    this.places[at] = place
    this.widths[at] = width
    this.gaps[at] = at === 0 ? SAME_GROUP : gap
    this.count++
  }

  #grow(size: number): void {
    const {values, places, widths, gaps} = this
    this.values = new Uint8Array(size)
    this.places = new Uint32Array(size)
    this.widths = new Uint8Array(size)
    this.gaps = new Uint8Array(size)
    this.values.set(values)
    this.places.set(places)
    this.widths.set(widths)
    this.gaps.set(gaps)
  }
}
