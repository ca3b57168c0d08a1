import {join} from 'node:path'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
  await home.run(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=4000'])
})
afterEach(() => home.remove())

const lines = (file: string): readonly string[][] => [
  ['audit', 'begin', '--export', file, '--yes'],
  ['audit', 'prune', '--older-than', '1s', '--export', file, '--yes'],
]

it('is neither begun nor pruned by an agent', async () => {
  for (const argv of lines(join(home.folder, 'old.ndjson'))) {
    const {code, stderr} = await home.run(argv, {env: {CLAUDECODE: '1'}, now: () => Date.now() + 60_000})
    expect({code, stderr}).toEqual({code: 3, stderr: expect.stringMatching(/GATE_REFUSED.*An agent never/)})
  }
  const entries = await home.json<{kind: string}[]>(['audit', 'list'])
  expect(entries.map(({kind}) => kind)).toEqual(['refuse', 'refuse', 'write'])
})

it.each(lines('old.ndjson').map((argv, at) => [argv[1] ?? '', at] as const))(
  'says who ran audit %s',
  async (kind, at) => {
    const argv = lines(join(home.folder, 'old.ndjson'))[at] ?? []
    await home.json([...argv, '--as', 'job'], {now: () => Date.now() + 60_000})
    const [newest] = await home.json<Record<string, string>[]>(['audit', 'list', '--limit', '1'])
    expect(newest).toMatchObject({kind, caller: 'job'})
    expect(await home.run(['audit', 'verify'])).toMatchObject({code: 0})
  },
)
