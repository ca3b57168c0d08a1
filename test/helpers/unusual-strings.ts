import fc from 'fast-check'
import {codePoint} from './code-point.ts'
import {hostileTexts} from './hostile-texts.ts'

/** Texts that break what takes them for a name, a path, a number or well-formed Unicode. */
const UNUSUAL: readonly string[] = [
  ...['', ' ', '\n', '.', '..', '../..', 'a/../../b', '/', '//', '\\', '-', '--', '--yes', '-x', '~', '*'],
  ...['\ud800', 'a\udfff', '\udc00\ud800', '\u0000', '\u001b[2J', '\u009b', '\u2028', '\ufeff', '\u{10ffff}'],
  ...['__proto__', 'constructor', 'toString', 'prototype', 'length', 'then', 'toJSON', 'hasOwnProperty'],
  ...['0', '-0', '007', '1e400', '-1.5', '9007199254740993', 'NaN', 'Infinity', '0x10', 'true', 'null'],
  ...[
    '%',
    '%2e%2e',
    '%E0%A4',
    '%00',
    '?a=b',
    '#x',
    '$&',
    '$1',
    "'",
    '"',
    '`',
    '{',
    '}',
    '{id}',
    '[',
    '(',
    '\\d',
  ],
  ...[
    '4111111111111111',
    '2026-13-45T99:99:99',
    '+275760-09-13T00:00:00.001Z',
    'é',
    'e\u0301',
    '👩‍👩‍👧',
    '世',
  ],
  ...Object.values(hostileTexts),
]

export const unusual = fc.oneof(
  {weight: 8, arbitrary: fc.constantFrom(...UNUSUAL)},
  {weight: 2, arbitrary: fc.string({unit: codePoint, maxLength: 40})},
  {
    weight: 1,
    arbitrary: fc.array(fc.nat(0xffff), {maxLength: 12}).map(units => String.fromCharCode(...units)),
  },
)

/** A JSON value in which some texts, numbers and names of members became other texts. */
export function withStrings(value: unknown, next: (was: string) => string | undefined): unknown {
  if (Array.isArray(value)) return value.map(item => withStrings(item, next))
  if (typeof value === 'object' && value !== null) {
    // Made like JSON.parse makes it: a member called __proto__ is a member.
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [next(name) ?? name, withStrings(item, next)]),
    )
  }
  return typeof value === 'string' || typeof value === 'number' ? (next(String(value)) ?? value) : value
}
