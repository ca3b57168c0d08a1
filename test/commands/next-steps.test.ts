// The command that comes next, named on stderr to a person at a terminal, and to nobody else.
import {afterEach, beforeEach, describe, expect, it, onTestFinished} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const onTerminal = (...argv: string[]) => home.run(argv, {columns: 80})
const nextOf = ({stderr}: {stderr: string}) => stderr.split('\n').filter(line => line.startsWith('Next: '))
const create = (...more: string[]) =>
  onTerminal('a2a', 'create', '--transfer', '2006:2007:12.50:EUR', '--yes', ...more)

describe('a card', () => {
  it.each(['3002', '3005'])('%s, which somebody took out of use, leads to its history', async id => {
    expect(nextOf(await onTerminal('cards', 'get', id))).toEqual([
      `Next: cardctl history card ${id} -p sandbox (what was done to it from here)`,
    ])
  })

  it('in use leads nowhere', async () => {
    expect(nextOf(await onTerminal('cards', 'get', '3001'))).toEqual([])
  })

  it('with a blocked PIN names its cure in the view', async () => {
    for (let tries = 0; tries < 3; tries++)
      await home.run(
        'sandbox authorize --card 3001 --amount 5 --currency EUR -F wrongPin=true -p sandbox'.split(' '),
      )
    const {stdout} = await onTerminal('cards', 'get', '3001')
    expect(stdout).toMatch(/blocked, 3 of 3 wrong tries; see cardctl pin unblock 3001/)
  })
})

describe('a batch', () => {
  it('with an id like a flag is followed by its id', async () => {
    const service = await openService(undefined, (own, {method, url}) =>
      method === 'POST' && url.includes('batches')
        ? reply(own.status, {...JSON.parse(Buffer.from(own.body).toString()), id: '--yes'})
        : own,
    )
    onTestFinished(() => service.close())
    const created = await home.run(['a2a', 'create', '--transfer', '2006:2007:12.50:EUR', '--yes'], {
      columns: 80,
      env: {CARDCTL_BASE_URL: service.url},
    })
    expect(nextOf(created).join()).toContain('cardctl a2a watch -- --yes (')
  })

  it('that was made or is open is followed', async () => {
    const watch = (id: string) => [`Next: cardctl a2a watch ${id} -p sandbox (follows it to its end)`]
    expect(nextOf(await create())).toEqual(watch('88001'))
    expect(nextOf(await onTerminal('a2a', 'status', '88000'))).toEqual(watch('88000'))
  })

  it('with failures leads to a file of them, by the command as it is named', async () => {
    await create('--transfer', '2006:9999:2:EUR', '--wait')
    for (const read of ['a2a get 88001', 'a2a status 88001', 'report batch 88001'])
      expect(nextOf(await onTerminal(...read.split(' '))), read).toEqual([
        'Next: cardctl a2a get 88001 --failed-to failed-88001.csv -p sandbox (writes the failed transfers to a file)',
      ])
    const file = `${home.folder}/failed.csv`
    const written = await onTerminal('a2a', 'get', '88001', '--failed-to', file)
    expect(written).toMatchObject({code: 0, stderr: expect.stringContaining('1 failed transfer written')})
    expect(nextOf(written)).toEqual([])
  })

  it('without failures leads nowhere', async () => {
    await create('--wait')
    expect(nextOf(await onTerminal('a2a', 'get', '88001'))).toEqual([])
  })
})

it.each([
  ['in a pipe', ['cards', 'get', '3002'], undefined],
  ['as JSON', ['cards', 'get', '3002', '-o', 'json'], 80],
  ['of a query', ['cards', 'get', '3002', '--query', 'status'], 80],
  ['with --quiet', ['cards', 'get', '3002', '--quiet'], 80],
])('nothing is named %s', async (_, argv, columns) => {
  expect(nextOf(await home.run(argv, columns === undefined ? {} : {columns}))).toEqual([])
})
