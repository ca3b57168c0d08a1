import fc from 'fast-check'
import {expect, test} from 'vitest'
import {NumberTable} from '../../src/webhook/recording/known-calls.ts'

const KEPT = 5

/** Keys of which many begin their search in one place, and of both signs. */
const key = fc
  .tuple(fc.integer({min: -2, max: 2}), fc.integer({min: 0, max: 3}))
  .map(([high, low]) => high * 2 ** 20 + low)

test('the newest values of a key are found, and none that was not added or is older than two spans', () => {
  fc.assert(
    fc.property(fc.array(key, {maxLength: 60}), keys => {
      const table = new NumberTable(KEPT)
      const added: [key: number, value: number][] = []
      for (const one of keys) {
        added.push([one, added.length + 1])
        table.add(one, added.length)
        for (const asked of new Set(keys)) {
          const valuesOf = (entries: typeof added) =>
            entries.filter(([of]) => of === asked).map(([, value]) => value)
          const found = table.valuesOf(asked)
          expect(found).toEqual(expect.arrayContaining(valuesOf(added.slice(-KEPT))))
          expect(valuesOf(added.slice(-2 * KEPT))).toEqual(expect.arrayContaining([...found]))
        }
      }
    }),
  )
})

test('the same value of a key is kept once, and takes no room again', () => {
  const table = new NumberTable(KEPT)
  table.add(1, 1)
  for (let time = 0; time < 100; time++) table.add(7, 3)
  expect(table.valuesOf(7)).toEqual([3])
  expect(table.valuesOf(1)).toEqual([1])
})
