// A line that lacks its flags or its id is answered with the whole line.
import {chown, mkdir, readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService} from '../helpers/service.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const lineIn = (stderr: string): readonly string[] =>
  /run: cardctl (.*?)(?: -p sandbox)?$/im.exec(stderr)?.[1]?.trim().split(' ') ?? []

it.each([
  ['words', ['2006', '2007', '50'], 'For EUR 50 from account 2006 to account 2007', '2006:2007:50:EUR'],
  ['words with a currency', ['2006', '2007', '50', 'eur'], 'To send this transfer', '2006:2007:50:EUR'],
  [
    'flags of other programs',
    ['--from-account', '2006', '--to-account=2007', '--amount', '50', '--currency', 'euro'],
    'To send this transfer',
    '2006:2007:50:EUR',
  ],
  [
    'a part',
    ['--from', '2006', '--to', '2007'],
    'For example, for EUR 12.50 from account 2006',
    '2006:2007:12.50:EUR',
  ],
  ['blanks in place of colons', ['--transfer', '2006', '2007', '50', 'EUR'], 'To send', '2006:2007:50:EUR'],
])('one transfer typed as %s is answered with the line that sends it', async (_, words, says, transfer) => {
  const {code, stderr} = await home.run(['a2a', 'create', ...words])
  expect(code).toBe(2)
  expect(stderr).toContain(says)
  expect(lineIn(stderr)).toEqual(['a2a', 'create', '--transfer', transfer])
  expect(await home.run([...lineIn(stderr), '--yes'])).toMatchObject({code: 0})
})

it('nothing typed is answered with the form of a transfer and an example, which no program is told to run', async () => {
  const {stderr} = await home.run(['a2a', 'create'])
  expect(stderr).toContain(
    'A transfer is FROM:TO:AMOUNT:CURRENCY. For EUR 12.50 from account 2006 to account',
  )
  expect(stderr).toContain('cardctl a2a create --from FILE')
  const {stderr: data} = await home.run(['a2a', 'create', '2001', '2003', '-o', 'json'])
  expect(data).not.toContain('"commands"')
})

it('words that may be secrets are not repeated', async () => {
  const {stderr} = await home.run(['a2a', 'create', '4111111111111111', '2007', 'hunter2'])
  expect(stderr).not.toMatch(/4111111111111111|hunter2/)
})

it('a request without an id, or with a shortened one, is answered with the line that has it', async () => {
  const none = await home.run(['requests', 'resolve'])
  expect(none.stderr).toContain('run: cardctl requests list')
  await home.run([
    'sandbox',
    'faults',
    'add',
    '--operation',
    'a2a.create.v1',
    '--drop',
    'after',
    '--count',
    '1',
  ])
  await home.run(['a2a', 'create', '--transfer', '2006:2007:5:EUR', '--yes'])
  const [{id}] = await home.json<[{id: string}]>(['requests', 'list', '--open'])
  for (const verb of ['resolve', 'retry']) {
    const {code, stderr} = await home.run(['requests', verb])
    expect([code, lineIn(stderr)]).toEqual([2, ['requests', verb, id]])
    const short = await home.run(['requests', verb, id.slice(0, 12)])
    expect(short.code).not.toBe(0)
    expect(short.stderr).toContain(`Its whole id: cardctl requests ${verb} ${id}`)
  }
  await home.run([
    'sandbox',
    'faults',
    'add',
    '--operation',
    'a2a.create.v1',
    '--drop',
    'after',
    '--count',
    '1',
  ])
  await home.run(['a2a', 'create', '--transfer', '2006:2007:6:EUR', '--yes'])
  const several = await home.run(['requests', 'resolve'])
  expect(lineIn(several.stderr)).toEqual(['requests', 'list', '--open'])
})

it.skipIf(process.getuid?.() !== 0)(
  'a proposal without an id, or with a shortened one, is answered with the line that has it',
  async () => {
    const service = await openService()
    const folder = join(home.folder, 'proposals')
    await mkdir(folder)
    const flags = ['--kind', 'test', '--auth', 'none', '--audit-user', 'aino', '--proposals', folder]
    await home.json(['profiles', 'add', 'staging', '--base-url', service.url, ...flags])
    const other = flags.map(flag => (flag === 'aino' ? 'pekka' : flag))
    await home.json(['profiles', 'add', 'pekkas', '--base-url', service.url, ...other])
    const run = (...argv: readonly string[]) => home.run([...argv, '-p', 'staging'])
    const asPekka = (...argv: readonly string[]) => home.run([...argv, '-p', 'pekkas'])
    const propose = async (limit: string): Promise<string> => {
      const {stdout} = await run(
        ...['accounts', 'patch', '2001', '--type', 'credit', '--credit-limit', limit],
        ...['--propose', '-o', 'json'],
      )
      return (JSON.parse(stdout) as {id: string}).id
    }
    try {
      const id = await propose('6000')
      expect((await run('requests', 'approve')).stderr).toContain('No proposal waits for you.')
      for (const file of await readdir(folder)) await chown(join(folder, file), 12_345, 12_345)
      for (const verb of ['approve', 'reject']) {
        const {code, stderr} = await asPekka('requests', verb)
        expect([code, lineIn(stderr)]).toEqual([2, ['requests', verb, id, '-p', 'pekkas']])
        const short = await asPekka('requests', verb, id.slice(0, 10))
        expect(short.stderr).toContain(`Its whole id: cardctl requests ${verb} ${id} -p pekkas`)
      }
      await propose('7000')
      const several = await run('requests', 'reject')
      expect(lineIn(several.stderr)).toEqual(['requests', 'proposals', '-p', 'staging'])
    } finally {
      await service.close()
    }
  },
)
