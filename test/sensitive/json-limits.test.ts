import fc from 'fast-check'
import {expect, test} from 'vitest'
import {beyondLimits} from '../../src/sensitive/json-limits.ts'

/** How deep and of how many values a JSON value is, by walking through it. */
function sizeOf(value: unknown): {depth: number; values: number} {
  if (typeof value !== 'object' || value === null) return {depth: 0, values: 0}
  const inner = Object.values(value).map(sizeOf)
  return {
    depth: 1 + Math.max(0, ...inner.map(({depth}) => depth)),
    values: Math.max(1, inner.length) + inner.reduce((sum, {values}) => sum + values, 0),
  }
}

test('what is counted before the parse is what the parse gives', () => {
  fc.assert(
    fc.property(fc.jsonValue({maxDepth: 5}), value => {
      const text = JSON.stringify(value)
      const {depth, values} = sizeOf(value)
      expect(beyondLimits(text, {depth, values})).toBeUndefined()
      if (depth > 0) expect(beyondLimits(text, {depth: depth - 1, values})).toContain('nested deeper')
      if (values > 0) expect(beyondLimits(text, {depth, values: values - 1})).toContain('more than')
    }),
    {numRuns: 500},
  )
})

test('what stands in strings does not count', () => {
  const text = JSON.stringify({'[[[,,,"\\': ['{{{,,,\\"', '\\\\', '"]']})
  expect(beyondLimits(text, {depth: 2, values: 4})).toBeUndefined()
})

test('text that is no JSON is no trouble', () => {
  for (const text of ['', '"', '"\\', ']]]]', 'x'.repeat(1000)]) {
    expect(beyondLimits(text, {depth: 1, values: 1})).toBeUndefined()
  }
})
