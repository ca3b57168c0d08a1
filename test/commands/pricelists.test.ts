import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const pricelists = (line: string) => home.run(['pricelists', ...line.split(' ')])
const state = (kind: string, id: string) => home.run(['sandbox', 'state', 'show', kind, id])

describe('pricelists', () => {
  it('changes the code of a list', async () => {
    expect((await pricelists('patch 5001 -F code=STANDARD-2027')).code).toBe(0)
    expect(await home.json(['sandbox', 'state', 'show', 'pricelist', '5001'])).toMatchObject({
      code: 'STANDARD-2027',
    })
  })

  it('changes a period of the future, and clears its end with null', async () => {
    expect((await pricelists('period patch 6003 -F value=2.5 -F validTo=null')).code).toBe(0)
    expect(await home.json(['sandbox', 'state', 'show', 'period', '6003'])).toMatchObject({
      value: 2.5,
      validTo: null,
    })
  })

  it('takes what people set most as flags of their own, which win over a field', async () => {
    expect((await pricelists('patch 5001 --code OWN -F code=OTHER')).code).toBe(0)
    expect(await home.json(['sandbox', 'state', 'show', 'pricelist', '5001'])).toMatchObject({code: 'OWN'})
    expect((await pricelists('period patch 6003 --value 2.5 --valid-to null')).code).toBe(0)
    expect(await home.json(['sandbox', 'state', 'show', 'period', '6003'])).toMatchObject({
      value: 2.5,
      validTo: null,
    })
    const refused = await pricelists('period patch 6003 --value much')
    expect(refused).toMatchObject({code: 2, stderr: expect.stringContaining('value must be')})
  })

  it('takes a date for a time: its first moment in UTC', async () => {
    const ended = await pricelists('period patch 6003 --valid-to 2099-07-01')
    expect(ended.code).toBe(0)
    expect(ended.stderr).toContain(
      'The period ends as 2099-07-01 begins (00:00 UTC): its last day is 2099-06-30.',
    )
    const {validTo} = await home.json<{validTo: string}>(['sandbox', 'state', 'show', 'period', '6003'])
    expect(Date.parse(validTo)).toBe(Date.UTC(2099, 6, 1))
  })

  it.each([
    ['2099-02-31', 'validTo is not a date.'],
    ['5/6/2099', 'validTo may be Friday, 5 June 2099 or Wednesday, 6 May 2099.'],
    ['2027-01-31T10:00', '--valid-to must be a time in UTC such as 2027-01-31T10:00:00Z'],
  ])('says once what is wrong with the time %s', async (time, words) => {
    const {code, stderr} = await pricelists(`period patch 6003 --valid-to ${time}`)
    expect(code).toBe(2)
    expect(stderr.split(words)).toHaveLength(2)
  })

  it.each([
    ['period patch 6001 -F value=1', 'only validTo can be changed'],
    ['period patch 6002 -F value=1', 'The period has expired'],
    ['period delete 6001 --yes', 'period'],
    ['period delete 6002 --confirm 6002', 'period'],
    ['delete 5001 --yes', 'The price list has an active period'],
  ])('%s is refused in the words of the service: %s', async (line, words) => {
    const {code, stdout, stderr} = await pricelists(line)
    expect(code).toBe(6)
    expect(stdout).toBe('')
    expect(stderr).toContain('409')
    expect(stderr).toContain(words)
  })

  it.each([
    ['6003 --valid-from 2030-01-01', '6001 --valid-to 2030-01-01T00:00:00Z'],
    ['6001 --valid-to 2091-01-01', '6003 --valid-from 2091-01-01T00:00:00Z'],
  ])('names the period that %s would overlap, and what to change first', async (line, first) => {
    const {code, stderr} = await pricelists(`period patch ${line}`)
    expect(code).toBe(6)
    expect(stderr).toContain(`overlaps with period ${first.slice(0, 4)}`)
    expect(stderr).toContain(`first: cardctl pricelists period patch ${first}`)
    expect((await pricelists(`period patch ${first}`)).code).toBe(0)
    expect((await pricelists(`period patch ${line}`)).code).toBe(0)
  })

  it('lets an active period end earlier or later', async () => {
    const {validFrom} = await home.json<{validFrom: string}>(['sandbox', 'state', 'show', 'period', '6001'])
    const end = new Date(Math.max(Date.now(), Date.parse(validFrom)) + 60_000).toISOString()
    expect((await pricelists(`period patch 6001 -F validTo=${end}`)).code).toBe(0)
  })

  it.each([
    ['period', '6003', 'period delete 6003'],
    ['pricelist', '5001', 'delete 5001'],
  ])('destroys a %s only when it was confirmed by name or --yes', async (kind, id, line) => {
    for (const flags of ['', ' --confirm', ' --confirm 9999', ' --no-input']) {
      const {code, stdout} = await pricelists(line + flags)
      expect(code).toBe(2)
      expect(stdout).toBe('')
    }
    expect((await state(kind, id)).code).toBe(0)
    expect(await home.json(['requests', 'list'])).toEqual([])
  })

  it.each(['--yes', '--confirm 6003'])('%s confirms', async flag => {
    expect((await pricelists(`period delete 6003 ${flag}`)).code).toBe(0)
    expect((await state('period', '6003')).code).toBe(5)
  })

  it.each([
    ['patch 5001'],
    ['patch 5001 -F codes=X'],
    ['patch'],
    ['period patch 6003 -F validFrom=null'],
    ['period patch 6003 -F validFrom=soon'],
    ['period patch 6003 -F value=lots'],
  ])('%s is refused before anything is sent', async line => {
    const {code, stdout} = await pricelists(line)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(await home.json(['requests', 'list'])).toEqual([])
  })

  it.each(['patch 5999 -F code=X', 'delete 5999 --yes', 'period delete 6999 --yes'])(
    '%s finds nothing',
    async line => {
      expect((await pricelists(line)).code).toBe(5)
    },
  )
})
