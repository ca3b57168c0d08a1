// The build gives the same bytes however busy the machine is: the soak same-bytes compares all of them.
import {globSync} from 'node:fs'
import {createRequire} from 'node:module'
import {resolve} from 'node:path'
import {expect, test} from 'vitest'

const require = createRequire(import.meta.url)

test('the file of a package has its entries in alphabetical order', () => {
  const entries = globSync('dist/packages/*.cjs').map(path => Object.keys(require(resolve(path)) as object))
  expect(entries.some(names => names.length > 1)).toBe(true)
  for (const names of entries) expect(names).toEqual(names.toSorted())
})
