import fc from 'fast-check'
import {expect, test} from 'vitest'
import {exceededLimit, type JsonLimits} from '../../src/limits/limits.ts'

/** How deep a JSON value is, of how many values, and how long its longest text, by walking through it. */
function sizeOf(value: unknown): JsonLimits {
  const length = (text: string) => JSON.stringify(text).length - 2
  if (typeof value === 'string') return {depth: 0, values: 0, text: length(value)}
  if (typeof value !== 'object' || value === null) return {depth: 0, values: 0, text: 0}
  const inner = Object.values(value).map(sizeOf)
  const names = Array.isArray(value) ? [] : Object.keys(value).map(length)
  return {
    depth: 1 + Math.max(0, ...inner.map(({depth}) => depth)),
    values: Math.max(1, inner.length) + inner.reduce((sum, {values}) => sum + values, 0),
    text: Math.max(0, ...names, ...inner.map(({text}) => text)),
  }
}

test('what is counted before the parse is what the parse gives', () => {
  fc.assert(
    fc.property(fc.jsonValue({maxDepth: 5}), value => {
      const json = JSON.stringify(value)
      const limits = sizeOf(value)
      const {depth, values, text} = limits
      expect(exceededLimit(json, limits)).toBeUndefined()
      const why = (less: Partial<JsonLimits>) => exceededLimit(json, {...limits, ...less})?.why
      if (depth > 0) expect(why({depth: depth - 1})).toBe(`is nested deeper than ${depth - 1} levels`)
      if (values > 0) expect(why({values: values - 1})).toBe(`holds more than ${values - 1} values`)
      if (text > 0) expect(why({text: text - 1})).toBe(`holds a text of more than ${text - 1} bytes`)
    }),
    {numRuns: 500},
  )
})

test('the content of strings does not count', () => {
  const text = JSON.stringify({'[[[,,,"\\': ['{{{,,,\\"', '\\\\', '"]']})
  expect(exceededLimit(text, {depth: 2, values: 4, text: 20})).toBeUndefined()
})

test('text that is no JSON is no trouble', () => {
  for (const text of ['', '"', '"\\', ']]]]', 'x'.repeat(1000)]) {
    expect(exceededLimit(text, {depth: 1, values: 1, text: 1000})).toBeUndefined()
  }
})

test('reports the place where the limit is exceeded', () => {
  const limits = {depth: 2, values: 3, text: 5}
  expect(exceededLimit('[ [ [', limits)?.at).toBe(4)
  expect(exceededLimit('[1,2,3,4]', limits)?.at).toBe(6)
  expect(exceededLimit('["12345", "123456"]', limits)?.at).toBe(10)
})
