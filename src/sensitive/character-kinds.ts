/** What a UTF-16 code unit, or a code point above them, is between and within card numbers. */
export const OTHER = 10
/** Nothing visible: zero-width and format characters, control characters but line breaks. */
export const HIDDEN = 11
export const SPACE = 12
export const DASH = 13
export const DOT = 14
const UNKNOWN = 255

const HIDDEN_CHARACTER = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]$/u
/** Beside Pd: the minus signs of Unicode and the bullet that looks like one. */
const DASH_CHARACTER = /^[\p{Pd}\u2212\u207b\u208b\u02d7\u2043\u2796]$/u
const DOT_CHARACTER = /^[.\u00b7\u2024\u2027\u2219\u22c5\u30fb\uff0e\uff61]$/u

/** Kinds of the basic plane, filled in as they are met: expressions of Unicode classes take a hundred times longer. */
const kinds = new Uint8Array(0x10000).fill(UNKNOWN)
for (let code = 0x20; code < 0x7f; code++) kinds[code] = OTHER
for (let value = 0; value < 10; value++) kinds[0x30 + value] = value
kinds[0x20] = SPACE
kinds[0x2d] = DASH
kinds[0x2e] = DOT
const higherKinds = new Map<number, number>()

/** 0 to 9 for a decimal digit of any script, else one of the constants above. */
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
  // Others choose what stands in a text; the digits of all scripts are a few hundred.
  if (kind !== OTHER || higherKinds.size < 4096) higherKinds.set(code, kind)
  return kind
}

function findKind(code: number): number {
  const character = String.fromCodePoint(code)
  if (/^\p{Nd}$/u.test(character)) return digitValue(code)
  if (code === 0x0a || code === 0x0d) return OTHER
  if (code === 0x09 || /^\p{Zs}$/u.test(character)) return SPACE
  if (DASH_CHARACTER.test(character)) return DASH
  if (DOT_CHARACTER.test(character)) return DOT
  return HIDDEN_CHARACTER.test(character) ? HIDDEN : OTHER
}

/** Digits of a script stand side by side, beginning with its zero (The Unicode Standard, 4.6). */
function digitValue(code: number): number {
  let first = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--
  return (code - first) % 10
}
