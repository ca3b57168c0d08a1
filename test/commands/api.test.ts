import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {withoutDemo} from '../helpers/without-demo.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

describe('api --paginate', () => {
  const ids = (from: number): string[] => Array.from({length: 3136 - from}, (_, at) => String(from + at))

  it.each([
    ['/v4/customer/1003', ids(3101)],
    ['/v4/customer/1003?size=5', ids(3101)],
    ['/v4/customer/1003?size=7', ids(3101)],
    ['/v4/customer/1003?size=10&page=1', ids(3111)],
  ])('%s goes to the end of the list, each item once', async (path, expected) => {
    const cards = await home.json<{id: string}[]>(['api', 'GET', path, '--paginate'])
    expect(cards.map(({id}) => id)).toEqual(expected)
  })

  it('follows a cursor too', async () => {
    for (const amount of ['1', '2', '3']) {
      await home.json(['a2a', 'create', '--transfer', `2006:2007:${amount}:EUR`, '--yes'])
    }
    const batches = await home.json<{id: string}[]>(['api', 'GET', '/v1/a2a/batches?size=1', '--paginate'])
    expect(new Set(withoutDemo(batches).map(({id}) => id)).size).toBe(3)
  })
})

it.each(['/v4/3001#top', '/v4/customer/1003?size=5#x', '/v1/a2a/batches?q=#'])(
  'a fragment is refused before anything is sent: %s',
  async path => {
    const {code, stdout, stderr} = await home.run(['api', 'GET', path])
    expect({code, stdout}).toEqual({code: 2, stdout: ''})
    expect(stderr).toContain('The path holds a #')
    expect(stderr).toContain('Write %23')
  },
)
