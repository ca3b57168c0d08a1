/** The kind of a UTF-16 code unit, or of a code point above them, in and between card numbers. */
const OTHER = 10
/** Invisible: zero-width and format characters, control characters except line breaks; and marks on a digit. */
const HIDDEN = 11
const SPACE = 12
const DASH = 13
const DOT = 14
const UNKNOWN = 255

const HIDDEN_CHARACTER = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{M}]$/u
/** In addition to Pd: the minus signs of Unicode and the bullet that looks like one. */
const DASH_CHARACTER = /^[\p{Pd}\u2212\u207b\u208b\u02d7\u2043\u2796]$/u
const DOT_CHARACTER = /^[.\u00b7\u2024\u2027\u2219\u22c5\u30fb\uff0e\uff61]$/u

/** Cached kinds of the basic plane: regular expressions with Unicode classes take a hundred times longer. */
const kinds = new Uint8Array(0x10000).fill(UNKNOWN)
for (let code = 0x20; code < 0x7f; code++) kinds[code] = OTHER
for (let value = 0; value < 10; value++) kinds[0x30 + value] = value
kinds[0x20] = SPACE
kinds[0x2d] = DASH
kinds[0x2e] = DOT
const higherKinds = new Map<number, number>()

/** 0 to 9 for a digit of any script, else one of the constants above. */
export function kindOf(code: number): number {
  if (code > 0xffff) return higherKindOf(code)
  const known = kinds[code] ?? OTHER
  return known === UNKNOWN ? learn(code) : known
}

function learn(code: number): number {
  const kind = findKind(code)
  kinds[code] = kind
  return kind
}

function higherKindOf(code: number): number {
  const known = higherKinds.get(code)
  if (known !== undefined) return known
  const kind = findKind(code)
  // Bounds the cache, because the text comes from outside. All scripts together have a few hundred digits.
  if (kind !== OTHER || higherKinds.size < 4096) higherKinds.set(code, kind)
  return kind
}

function findKind(code: number): number {
  const character = String.fromCodePoint(code)
  if (/^\p{Nd}$/u.test(character)) return digitValue(code)
  const value = digitFor(character, code)
  if (value !== undefined) return value
  if (code === 0x0a || code === 0x0d) return OTHER
  if (code === 0x09 || code === BRAILLE_BLANK || /^\p{Zs}$/u.test(character)) return SPACE
  if (DASH_CHARACTER.test(character)) return DASH
  if (DOT_CHARACTER.test(character)) return DOT
  return HIDDEN_CHARACTER.test(character) ? HIDDEN : OTHER
}

const BRAILLE_BLANK = 0x2800
/** From 1 to 9: digits in black circles, and in circles of other styles, which Unicode takes for pictures. */
const CIRCLED = [0x24f5, 0x2776, 0x2780, 0x278a]
const CHINESE = '〇一二三四五六七八九'

/** What stands for one digit and is none: `⁴`, `④`, `⒋`, `❹`, `四`. */
function digitFor(character: string, code: number): number | undefined {
  const [, compatible] = /^\(?([0-9])[.,)]?$/.exec(code > 0x7f ? character.normalize('NFKC') : '') ?? []
  if (compatible !== undefined) return Number(compatible)
  const first = CIRCLED.find(each => code >= each && code < each + 9)
  if (first !== undefined) return code - first + 1
  const chinese = character === '零' ? 0 : CHINESE.indexOf(character)
  return chinese < 0 ? undefined : chinese
}

/** The digits of a script are consecutive and start with its zero (The Unicode Standard, 4.6). */
function digitValue(code: number): number {
  let first = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--
  return (code - first) % 10
}

/** A text, or an object that counts how often it is read. */
export interface Characters {
  readonly length: number
  charCodeAt(place: number): number
}

/** Values of `gaps`: the gap before a digit. Any other value is a gap that only matches gaps of the same value. */
export const SAME_GROUP = 0
/** Invisible, such as a zero-width space. */
export const UNSEEN = 1
/** One to three spaces, or a dash. */
export const PLAIN = 2
const ALIKE = 4
/** A single dot, as in a decimal number. */
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
 * Finds the runs of at least `shortest` digits in one pass over a text. Two digits of a run are adjacent, or have at
 * most three spaces, dashes and dots between them. Digits of all scripts count; invisible characters don't.
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

/** Grows by doubling, so that it never copies more than was added. */
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
