import fc from 'fast-check'

const SURROGATES = 0x800
const FIRST_SURROGATE = 0xd800

/** Any character of Unicode. For its own `unit: 'binary'` fast-check first makes a table of them, which takes two seconds. */
export const codePoint = fc
  .nat(0x10ffff - SURROGATES)
  .map(at => String.fromCodePoint(at < FIRST_SURROGATE ? at : at + SURROGATES))
