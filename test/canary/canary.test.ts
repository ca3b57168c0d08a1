// Secrets are planted wherever the tool meets some; afterwards none may be found in what it printed or kept.
import {glob, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {OUTPUT_FORMATS} from '../../src/cli/flags.ts'
import {encodeKept} from '../../src/cli/proposal-content.ts'
import {part} from '../helpers/whole.ts'
import {soakLines} from '../soak/operation-lines.ts'
import {canaries, leaksIn} from './canaries.ts'
import {type CanaryHome, openCanaryHome, PROFILES} from './canary-home.ts'
import {type CanaryLine, otherLines} from './command-lines.ts'
import {MODES, type Mode} from './leaky-service.ts'

const COMMANDS = join(import.meta.dirname, '../../src/commands')

let home: CanaryHome
beforeAll(async () => {
  home = await openCanaryHome()
})
afterAll(() => home.remove())

let turn = 0
const next = <T>(list: readonly T[]): T => list[turn++ % list.length] as T

it.each(Object.entries(canaries))('a leak of the %s would be seen', (name, value) => {
  expect(leaksIn(`x ${value} y`)).toEqual([name])
})

/** The soak runs everything in every format; here each mode meets every eighth line, in a format that changes. */
const full = process.env.CARDCTL_CANARY === 'full'
const sampled = (mode: Mode) => [...soakLines].filter((_, at) => full || at % 8 === MODES.indexOf(mode) % 8)
const formats = () => (full ? OUTPUT_FORMATS : [next(OUTPUT_FORMATS)])

async function hasNoLeak(mode: Mode, {argv, stdin}: CanaryLine): Promise<void> {
  for (const format of formats()) {
    const env = {
      CANARY_TOKEN: canaries.bearer,
      TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }
    const options = {mode, profile: next(PROFILES), env, ...(stdin === undefined ? {} : {stdin})}
    const line = [...argv, '-o', format, ...next([[], ['--debug'], ['--debug', '--log-format', 'json']])]
    expect(await home.leaks(line, options), line.join(' ')).toEqual([])
  }
}

describe.each(MODES)('a service that answers %s', mode => {
  it.each(sampled(mode))('%s', async (_, make) => {
    await home.run(['sandbox', 'reset', '--yes'])
    await hasNoLeak(mode, await make(home))
  })

  it.runIf(full || mode === 'wordy')(
    'everything else',
    async () => {
      for (const line of await otherLines(home)) await hasNoLeak(mode, line)
    },
    120_000,
  )
})

it('a defect of cardctl quotes nothing, wherever it occurs', async () => {
  const line = [
    'accounts',
    'patch',
    '2001',
    '--type',
    'credit',
    '-F',
    'creditLimit=5004',
    '-o',
    'json',
    '--debug',
  ]
  let struck = 0
  for (let at = 1; at <= 12; at++) {
    let asked = 0
    const now = () => {
      if (++asked !== at) return Date.now()
      struck++
      throw new Error(`no clock for ${canaries.pan} ${canaries.bearer}`)
    }
    expect(await home.leaks(line, {mode: 'well', profile: 'bearer', now})).toEqual([])
  }
  expect(struck).toBeGreaterThan(5)
})

it('no usage error quotes what may be a secret', async () => {
  const wrong = [
    [canaries.pan, '--bogus', canaries.pan],
    [`--bogus=${canaries.pan}`],
    ['-o', canaries.pan],
    ['x', 'y', 'z', canaries.pan],
  ]
  let turn = 0
  for await (const file of glob('**/*.ts', {cwd: COMMANDS, exclude: ['index.ts', '**/shared/**']})) {
    const words = file.replace(/\.ts$/, '').split(/[/\\]/)
    for (const more of full ? wrong : part(wrong, wrong.length, turn++)) {
      // With a card number that is not waived no command is reached (test/cli/argv-secrets.test.ts).
      const line = [...words, '--not-a-card-number', '--no-input', ...more]
      const leaks = await home.leaks(line, {mode: 'well', profile: 'bearer'})
      expect(leaks, `${words.join(' ')} ${more.join(' ')}`).toEqual([])
    }
  }
}, 120_000)

/** Commands that serve until they are ended: processes of their own, in test/binary; `mcp` and `gate` in test/commands. */
const SERVERS = ['gate serve', 'mcp', 'sandbox serve', 'webhook serve']

it('every command was run further than its usage errors', async () => {
  // Apart from the others, whose profiles and formats take turns.
  const [rows, plan, job] = ['planned.csv', 'limits.plan', 'moved.ndjson'].map(name =>
    join(home.folder, name),
  ) as [string, string, string]
  await writeFile(rows, 'id,creditLimit\n2001,5000\n')
  // A plan lives for a day.
  const now = () => Date.UTC(2060, 0, 1)
  const [at, expiresAt] = [now(), now() + 3_600_000].map(time => new Date(time).toISOString()) as [
    string,
    string,
  ]
  const body = {creditLimit: 5, name: 'Aino'}
  const request = {operation: 'accounts.patchCredit.v4', input: {path: {id: '2001'}, query: {}, body}}
  const service = {service: '{"address":"api.example:443"}', serviceWords: 'https://api.example'}
  const asked = {at, expiresAt, auditUser: 'aino', ...service, requests: [request]}
  const {id, bytes} = encodeKept(asked)
  const [proposal, approval] = [`${id}.json`, 'signed.json'].map(name => join(home.folder, name)) as [
    string,
    string,
  ]
  await writeFile(proposal, bytes)
  for (const argv of [
    ['requests', 'sign', proposal, '--to', approval, '--confirm', id.slice(0, 10)],
    ['webhook', 'link'],
    ['data', 'keys'],
    ['policy', 'show'],
    ['policy', 'check'],
    ['policy', 'test', 'cards get 3001'],
    ['bulk', 'run', 'accounts.patchCredit.v4', '--from', rows, '--yes'],
    ['bulk', 'export', 'last', '--to', job],
    ['bulk', 'import', job],
    ['bulk', 'plan', 'accounts.patchCredit.v4', '--from', rows, '--out', plan],
    ['plan', 'show', plan],
    ['apply', plan, '--yes'],
  ])
    expect(await home.leaks(argv, {mode: 'well', profile: 'bearer', now}), argv.join(' ')).toEqual([])
  const unblock = {mode: 'refusal', profile: 'bearer', stdin: `${canaries.newPin}\n`} as const
  expect(await home.leaks(['pin', 'unblock', '3004'], unblock)).toEqual([])
  const ids: string[] = []
  for await (const file of glob('**/*.ts', {cwd: COMMANDS, exclude: ['index.ts', '**/shared/**']}))
    ids.push(file.replace(/\.ts$/, '').replaceAll(/[/\\]/g, ' '))
  const meant = ({argv}: {argv: readonly string[]}) =>
    ids.filter(id => `${argv.join(' ')} `.startsWith(`${id} `)).sort((a, b) => b.length - a.length)[0]
  const driven = new Set(home.ran.filter(({code}) => code !== 2).map(meant))
  expect(ids.filter(id => !driven.has(id)).sort()).toEqual([...SERVERS].sort())
})

it('no file in the home has one, except the file of secrets', () => {
  const files = home.files()
  const leaky = files.filter(({leaks}) => leaks.length > 0)
  expect(leaky.map(({path}) => path)).toEqual(['.local/share/cardctl/secrets.json'])
  expect(leaky[0]?.leaks).toContain('bearer')
  for (const kept of ['audit.ndjson', 'webhook/events.db']) {
    expect(files.map(({path}) => path)).toContain(`.local/share/cardctl/${kept}`)
  }
  expect(files.filter(({path}) => /journal\/127\.0\.0\.1_.+\.db$/.test(path)).length).toBeGreaterThan(0)
})

it('data where knows every file that the commands left', async () => {
  const listed = await home.json<{name: string; path: string}[]>(['data', 'where'])
  expect(listed.filter(({name}) => name === 'other')).toEqual([])
  expect(listed.length).toBeGreaterThan(6)
})
