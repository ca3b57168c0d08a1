// The table of outages in docs/sandbox.md.
import {readFileSync} from 'node:fs'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
const ROW = /^\| ([^|]+) \| `(--[^`]+)` \| (\d+) \| (\d+) \|$/gm
const outages = [...page.matchAll(ROW)].map(([, name = '', flags = '', read, write]) => ({
  name,
  flags: flags.split(/ (?=--)/).flatMap(flag => {
    const [, word = '', value = ''] = /^(\S+) (.*)$/s.exec(flag) ?? []
    return [word, value.replace(/^'|'$/g, '')]
  }),
  exits: [Number(read), Number(write)],
}))

test('the page has the outages', () => expect(outages).toHaveLength(6))

test.each(outages)('$name ends as the page says', async ({flags, exits}) => {
  await home.json(['sandbox', 'faults', 'add', ...flags])
  let now = Date.now()
  const sleep = async (ms: number): Promise<void> => {
    now += ms
  }
  // Only the slow service needs a short time; the others respond at once, however busy this machine is.
  const timeout = flags.includes('--delay') ? '400ms' : '20s'
  const run = (line: string) => home.run([...line.split(' '), '--timeout', timeout], {now: () => now, sleep})
  const read = await run('cards get 3001')
  const write = await run('a2a create --transfer 2006:2007:1:EUR --yes')
  expect([read.code, write.code]).toEqual(exits)
})

test('a response that a fault gives has its headers', async () => {
  const fault = ['--status', '503', '--header', 'Retry-After:120', '--header', 'X-Trace-Id: 7']
  await home.json(['sandbox', 'faults', 'add', '--operation', 'cards.get.v4', ...fault])
  const {stdout, stderr} = await home.run(['api', 'GET', '/v4/3001', '--include', '--retries', '0'])
  expect(stdout).toMatch(/^HTTP 503\n/)
  expect(stdout).toMatch(/retry-after: 120\n/)
  expect(stdout).toMatch(/x-trace-id: 7\n/)
  expect(stderr).toContain('SERVICE_FAULT')
})
