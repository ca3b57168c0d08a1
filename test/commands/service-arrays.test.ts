// How lists are written in a query where the document leaves it open.
import {expect, test} from 'vitest'
import {useShop} from './imported-shop.ts'

const shop = useShop()
const list = {type: 'array', items: {type: 'string'}}

test.each([
  ['repeat', '?open=a&open=b&deep=c&styled=d%20e&named=f'],
  ['brackets', '?open%5B%5D=a&open%5B%5D=b&deep%5B%5D=c&styled=d%20e&named=f'],
])('%s', async (style, query) => {
  await shop().home.run(['profiles', 'edit', 'shop', '--array-style', style])
  await shop().importPaths({
    '/things': {
      get: {
        operationId: 'list',
        tags: ['things'],
        parameters: [
          {in: 'query', name: 'open', schema: list},
          {in: 'query', name: 'deep', style: 'deepObject', schema: list},
          {in: 'query', name: 'styled', style: 'spaceDelimited', explode: false, schema: list},
          {in: 'query', name: 'named', style: 'form', explode: true, schema: list},
        ],
        responses: {200: {description: 'All'}},
      },
    },
  })
  const argv = [
    'x',
    'things',
    'list',
    '--open',
    'a',
    '--open',
    'b',
    '--deep',
    'c',
    '--styled',
    'd',
    '--styled',
    'e',
    '--named',
    'f',
  ]
  await shop().run(argv)
  expect(shop().requested()).toEqual([`GET /base/things${query}`])
})
