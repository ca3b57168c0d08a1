// The texts of transfers, which the service doesn't return, as far as the journal knows them.
import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'

const DAY = 86_400_000

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const send = async (rows: readonly string[]) => {
  const stdin = `from,to,amount,currency,text\n${rows.join('\n')}\n`
  const argv = ['a2a', 'create', '--from', '-', '--yes', '--wait', '--not-a-card-number']
  const {code, stderr} = await home.run(argv, {stdin})
  expect([0, 11], stderr).toContain(code)
  return stderr
}
const shown = async (argv: readonly string[], options: RunOptions = {}) =>
  (await home.run(argv, {columns: 120, ...options})).stdout
const textsIn = async (options?: RunOptions) =>
  (await shown(['report', 'batch', '88001', '-o', 'csv', '--columns', 'text', '--no-header'], options))
    .trimEnd()
    .split('\n')

describe('the texts of transfers', () => {
  it('are in a2a get and in the list of those that failed', async () => {
    const stderr = await send(['2006,2007,1,EUR,Rent', '2006,9999,2,EUR,To nobody'])
    expect(stderr).toMatch(/FAILED +2006 +9999 +EUR 2\.00 +To nobody/)
    const text = await shown(['a2a', 'get', '88001'])
    expect(text).toMatch(/COMPLETED +2006 +2007 +EUR 1\.00 +Rent/)
    expect(text).toMatch(/FAILED +2006 +9999 +EUR 2\.00 +To nobody/)
  })

  it('of a long list are known for a day, and of a short one longer', async () => {
    const later = {now: () => Date.now() + 2 * DAY}
    await send(['2006,2007,1,EUR,Rent'])
    expect(await textsIn(later)).toEqual(['Rent'])
    const many = Array.from({length: 21}, (_, at) => `2006,2007,${at + 2},EUR,Part ${at}`)
    await send(many)
    expect(await shown(['a2a', 'get', '88002', '--all'])).toContain('Part 20')
    expect(await shown(['a2a', 'get', '88002', '--all'], later)).not.toContain('Part')
  })

  it('of equal transfers are in the order in which they were sent', async () => {
    await send(['2006,2007,1,EUR,First', '2006,2007,1,EUR,Second'])
    expect(await textsIn()).toEqual(['First', 'Second'])
  })

  it('are left out if it is not known to which of several transfers they belong', async () => {
    // The third finds no money, so that one of three equal transfers fails.
    await send(['2006,2007,4000,EUR,First', '2006,2007,4000,EUR,Second', '2006,2007,4000,EUR,Third'])
    const csv = await shown([
      'report',
      'batch',
      '88001',
      '-o',
      'csv',
      '--columns',
      'status,text',
      '--no-header',
    ])
    expect(csv.trimEnd().split('\n').sort()).toEqual(['COMPLETED,', 'COMPLETED,', 'FAILED,'])
  })

  it('show no card number', async () => {
    await send(['2006,2007,1,EUR,for 4111111111111111', '2006,2007,2,EUR,Rent'])
    const [text] = await textsIn()
    expect(text).toMatch(/^for 411111.*1111$/)
    expect(text).not.toContain('4111111111111111')
  })

  it('are missing without the journal, and with a damaged one the batch is shown all the same', async () => {
    await send(['2006,2007,1,EUR,Rent'])
    const journal = join(home.folder, '.local/share/cardctl/journal')
    rmSync(join(journal, 'local.key'))
    const {code, stdout} = await home.run(['a2a', 'get', '88001'])
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining('EUR 1.00')})
    expect(stdout).not.toContain('Rent')
    rmSync(journal, {recursive: true})
    expect(await shown(['a2a', 'get', '88001'])).toContain('EUR 1.00')
  })
})
