// The one door through which clear values come out.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const REVEALING = [
  ['pin view 3001 --reveal', '1234'],
  ['cards payment-info 3001 --show fullCardNumber --reveal', '4111 1111 1111 1111'],
] as const

const [OTHER_SCREEN, BACK] = ['\u001b[?1049h', '\u001b[2J\u001b[?1049l']

/** Without hashes, ids and times, which may hold any four digits by chance. */
const trail = () =>
  readFileSync(join(home.folder, '.local/share/cardctl/audit.ndjson'), 'utf8').replaceAll(
    /"(prev|hash|request|at)":"[^"]*"/g,
    '',
  )

it.each(REVEALING)(
  '%s: a screen of its own, gone afterwards, and a line in the trail',
  async (line, value) => {
    const env = {TERM: 'xterm-256color'}
    const {code, stdout} = await home.run([...line.split(' '), '--yes'], {columns: 80, env})
    expect(code).toBe(0)
    expect([stdout.startsWith(OTHER_SCREEN), stdout.endsWith(BACK)]).toEqual([true, true])
    expect(stdout).toContain(value)
    expect(trail()).toContain('"kind":"reveal"')
    expect(trail()).not.toContain(value)
  },
)

it.each(REVEALING)('%s is cleared after a minute at most', async line => {
  const waits: number[] = []
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms)
  }
  const env = {TERM: 'xterm-256color'}
  const {stdout} = await home.run([...line.split(' '), '--yes'], {columns: 80, env, sleep})
  expect(stdout.endsWith(BACK)).toBe(true)
  expect(waits.length).toBeGreaterThan(0)
  expect(Math.max(...waits)).toBeLessThanOrEqual(60_000)
})

it.each(REVEALING)('%s never goes to a pager', async (line, value) => {
  const paged = join(home.folder, 'paged')
  const env = {PAGER: `tee ${paged}`, CARDCTL_PAGER: `tee ${paged}`}
  const {stdout} = await home.run([...line.split(' '), '--yes', '--keep'], {columns: 80, rows: 1, env})
  expect(stdout).toContain(value)
  expect(() => readFileSync(paged)).toThrow('ENOENT')
})

const asked = () => readFileSync(join(home.folder, '.local/share/cardctl/audit.ndjson'), 'utf8')

it.each(REVEALING.flatMap(([line]) => ['dumb', 'linux', 'vt100', ''].map(TERM => [line, TERM] as const)))(
  '%s on TERM=%s is refused before anything is asked of the service',
  async (line, TERM) => {
    const {code, stdout, stderr} = await home.run([...line.split(' '), '--yes'], {columns: 80, env: {TERM}})
    expect({code, stdout}).toEqual({code: 2, stdout: ''})
    expect(stderr).toContain('--reveal --yes and a pipe')
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('a terminal with a second screen')
    expect(asked).toThrow('ENOENT')
  },
)

it.each(REVEALING)('%s goes to a pipe, or stays with --keep, whatever the terminal', async (line, value) => {
  const env = {TERM: 'dumb'}
  expect((await home.run([...line.split(' '), '--yes'], {env})).stdout).toContain(value)
  const kept = await home.run([...line.split(' '), '--yes', '--keep'], {columns: 80, env})
  expect(kept.stdout).toContain(value)
})
