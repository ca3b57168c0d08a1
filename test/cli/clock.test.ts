import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

describe('the clock', () => {
  it('may be set back between two runs', async () => {
    const now = Date.now()
    const write = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'reason=x']
    expect((await home.run(write, {now: () => now})).code).toBe(0)
    expect((await home.run(write, {now: () => now - 86_400_000})).code).toBe(0)
    expect((await home.run(['cards', 'get', '3001'], {now: () => now - 2 * 86_400_000})).code).toBe(0)
    expect(await home.json<unknown[]>(['requests', 'list'])).toHaveLength(2)
  })

  it('may run backwards during a run: nothing is lost, left open or done twice', async () => {
    let at = Date.now()
    const now = () => (at -= 60_000)
    const write = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000']
    const transfer = ['a2a', 'create', '--transfer', '2006:2007:1.50:EUR', '--wait', '--yes']
    for (const argv of [write, transfer, ['pin', 'view', '3001']]) {
      const {code, stderr} = await home.run(argv, {now})
      expect({code, stderr}).toEqual({code: 0, stderr: expect.not.stringMatching(/-\d+ (m?s|min)|NaN/)})
    }
    expect(await home.json(['sandbox', 'state', 'show', 'account', '2001'])).toMatchObject({effects: 1})
    expect(await home.json(['sandbox', 'state', 'show', 'balance', '2006-EUR'])).toMatchObject({
      booked: 9998.5,
    })
    const requests = await home.json<{state: string; durationMs: number}[]>(['requests', 'list'])
    expect(requests.map(({state}) => state)).toEqual(Array(4).fill('done'))
    expect(requests.filter(({durationMs}) => !(durationMs >= 0))).toEqual([])
    expect(await home.json(['audit', 'verify'])).toMatchObject({ok: true, lines: 4})
  })
})
