import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readFileSync, renameSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {afterEach, beforeEach, describe, expect, it, onTestFinished} from 'vitest'
import {BINARY, plainEnv, until} from '../helpers/binary.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
let position: string
beforeEach(async () => {
  home = await openHome()
  position = join(home.folder, 'position.json')
})
afterEach(() => home.remove())

const change = (limit: number) =>
  home.json(['accounts', 'patch', '2001', '--type', 'credit', '-F', `creditLimit=${limit}`])
const changes = async (count: number) => {
  for (let at = 0; at < count; at++) await change(6000 + at)
}
const run = (...more: string[]) => home.run(['audit', 'export', '--position', position, ...more])
const trail = () => join(home.folder, '.local/share/cardctl/audit.ndjson')
const numbers = (ndjson: string): number[] =>
  ndjson
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line).seq)

describe('audit export --position', () => {
  it('prints each entry once, however many runs there are', async () => {
    await changes(2)
    expect(numbers((await run('-o', 'ndjson')).stdout)).toEqual([1, 2])
    expect((await run('-o', 'ndjson')).stdout).toBe('')
    await change(7000)
    const {stdout} = await run('--syslog')
    expect(stdout).toMatch(/^<109>1 .* \[meta sequenceId="3"\] \{/)
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(readFileSync(position, 'utf8'))).toMatchObject({seq: 3})
  })

  it('begins after --after, but only as long as there is no position', async () => {
    await changes(3)
    expect(numbers((await run('-o', 'ndjson', '--after', '1')).stdout)).toEqual([2, 3])
    expect(numbers((await run('-o', 'ndjson', '--after', '1')).stdout)).toEqual([])
  })

  it('names entries that were pruned before they were exported, and continues', async () => {
    await changes(1)
    await run('-o', 'ndjson')
    await changes(2)
    await prune()
    const {stdout, stderr, code} = await run('-o', 'ndjson')
    expect([code, numbers(stdout)]).toEqual([0, [4]])
    expect(stderr).toContain('Entries 2 to 3 are not in the trail')
  })

  it('continues without a warning after the entries that it exported were pruned', async () => {
    await changes(2)
    await run('-o', 'ndjson')
    await prune()
    const {stdout, stderr} = await run('-o', 'ndjson')
    expect(numbers(stdout)).toEqual([3])
    expect(stderr).not.toContain('not in the trail')
  })

  it('refuses another trail, also one that is as long', async () => {
    await changes(2)
    await run('-o', 'ndjson')
    for (const name of ['', '.head', '.key'])
      if (existsSync(`${trail()}${name}`)) renameSync(`${trail()}${name}`, `${trail()}${name}.old`)
    renameSync(join(home.folder, '.local/share/cardctl/audit.key'), `${trail()}.oldkey`)
    expect(await run('-o', 'ndjson')).toMatchObject({code: 2, stderr: expect.stringContaining('is gone')})
    await changes(1)
    expect((await run('-o', 'ndjson')).stderr).toContain('ends at entry 1, before 2')
    await changes(2)
    const {code, stdout, stderr} = await run('-o', 'ndjson')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain("Entry 2 of the audit trail isn't the one that you exported")
  })

  it('prints a changed entry, and ends with exit 3', async () => {
    await changes(2)
    await run('-o', 'ndjson')
    await change(7000)
    writeFileSync(trail(), readFileSync(trail(), 'utf8').replace(/("seq":3.*)"tester"/, '$1"nobody"'))
    const {code, stdout} = await run('-o', 'ndjson')
    expect([code, numbers(stdout)]).toEqual([3, [3]])
  })

  it('says before anything is printed that the position cannot be kept, or is none', async () => {
    await changes(1)
    const nowhere = join(home.folder, 'no/such/folder')
    const {code, stdout} = await home.run(['audit', 'export', '--syslog', '--position', nowhere])
    expect([code, stdout]).toEqual([3, ''])
    writeFileSync(position, '{"seq":"1"}')
    expect(await run('--syslog')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a position'),
    })
  })

  it.each([['-o', 'json'], ['-o', 'csv'], []])('needs a format of lines: %s %s', async (...format) => {
    expect(await run(...format)).toMatchObject({code: 2, stderr: expect.stringContaining('Add --syslog')})
  })
})

let pruned = 0
async function prune(): Promise<void> {
  const file = join(home.folder, `pruned-${pruned++}`)
  const line = ['audit', 'prune', '--older-than', '0s', '--yes', '--export', file]
  const {code, stderr} = await home.run(line, {now: () => Date.now() + 60_000})
  expect(code, stderr).toBe(0)
}

describe('audit export --follow', () => {
  /** The built program, since it waits and is killed. */
  function follow(...more: string[]) {
    const child = spawn(
      process.execPath,
      [BINARY, 'audit', 'export', '--follow', '--position', position, ...more],
      {env: plainEnv(home.folder), stdio: ['ignore', 'pipe', 'pipe']},
    )
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const texts = {stdout: '', stderr: ''}
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text
      })
    return {child, texts, ended: once(child, 'close') as Promise<[number | null, string | null]>}
  }
  const lines = (text: string) => text.split('\n').length - 1
  const kept = (): number => JSON.parse(readFileSync(position, 'utf8')).seq

  it('waits for the first entry of a new machine, and ends at SIGTERM', async () => {
    const {child, texts, ended} = follow('--syslog')
    await until(() => existsSync(position))
    await changes(2)
    await until(() => lines(texts.stdout) === 2)
    await until(() => kept() === 2)
    child.kill('SIGTERM')
    expect(await ended).toEqual([143, null])
  })

  it('ends at Ctrl-C without an error', async () => {
    await changes(1)
    const {child, texts, ended} = follow('-o', 'ndjson')
    await until(() => lines(texts.stdout) === 1)
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    expect(texts.stderr).toBe('')
  })

  it('loses nothing over kills, a prune and pauses', async () => {
    const seen: number[] = []
    for (let round = 0; round < 4; round++) {
      const {child, texts, ended} = follow('-o', 'ndjson')
      await changes(2)
      await until(() => lines(texts.stdout) >= 1)
      if (round === 2) {
        // Of what an earlier round did not print, this one prints more than its own two.
        await until(() => texts.stdout.includes('"seq":6,'))
        await prune()
      }
      child.kill('SIGKILL')
      await ended
      seen.push(...numbers(texts.stdout.slice(0, texts.stdout.lastIndexOf('\n') + 1)))
    }
    seen.push(...numbers((await run('-o', 'ndjson')).stdout))
    const last = Math.max(...seen)
    expect(last).toBe(9)
    expect([...new Set(seen)].sort((a, b) => a - b)).toEqual(Array.from({length: last}, (_, at) => at + 1))
  })

  it('ends with the entry that nobody reads any more, and prints that one again', async () => {
    await changes(1)
    const {child, texts, ended} = follow('-o', 'ndjson')
    await until(() => lines(texts.stdout) === 1)
    await until(() => kept() === 1)
    child.stdout.destroy()
    await change(7000)
    expect(await ended).toEqual([0, null])
    expect(kept()).toBe(1)
    expect(numbers((await run('-o', 'ndjson')).stdout)).toEqual([2])
  })

  it('says that the trail was moved away', async () => {
    await changes(1)
    const {texts, ended} = follow('-o', 'ndjson')
    await until(() => lines(texts.stdout) === 1)
    await until(() => kept() === 1)
    // It has checked the trail by then, and waits for new entries.
    await new Promise(resolve => setTimeout(resolve, 500))
    renameSync(trail(), `${trail()}.old`)
    expect(await ended).toEqual([2, null])
    expect(texts.stderr).toContain('was moved or removed')
  })

  it('ends with exit 3 at an entry that does not follow the one before', async () => {
    await changes(2)
    const {texts, ended} = follow('-o', 'ndjson')
    await until(() => lines(texts.stdout) === 2)
    const [first = ''] = readFileSync(trail(), 'utf8').split('\n')
    writeFileSync(trail(), `${readFileSync(trail(), 'utf8')}${first.replace('"seq":1', '"seq":3')}\n`)
    expect(await ended).toEqual([3, null])
    const rest = await run('-o', 'ndjson')
    expect([rest.code, numbers(texts.stdout + rest.stdout)]).toEqual([3, [1, 2, 3]])
  })
})
