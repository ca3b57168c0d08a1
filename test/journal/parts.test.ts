import {once} from 'node:events'
import {readdirSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {sortableIds} from '../../src/clock/sortable-ids.ts'
import {localKeyFile} from '../../src/journal/index.ts'
import {isProcessAlive, processMark} from '../../src/journal/process-mark.ts'
import {failureOf, start, temporaryFolder} from './fixtures.ts'

describe('sortable ids', () => {
  it('rise whatever the clock does, and sort by time', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 47), {minLength: 2, maxLength: 50}), fc.nat(255), (times, byte) => {
        let at = 0
        const newId = sortableIds({
          now: () => times[at] ?? 0,
          randomBytes: size => new Uint8Array(size).fill(byte),
        })
        const ids = times.map((_, index) => {
          at = index
          return newId('r_')
        })
        expect([...ids].sort()).toEqual(ids)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      {numRuns: 100},
    )
  })

  it('are the ULIDs of their specification', () => {
    const newId = sortableIds({now: () => 1_469_918_176_385, randomBytes: size => new Uint8Array(size)})
    expect(newId('')).toBe('01ARYZ6S410000000000000000')
    expect(newId('')).toBe('01ARYZ6S410000000000000001')
  })
})

describe('the mark of a process', () => {
  it('distinguishes a running process from an ended one and from another with its pid', async () => {
    const now = Date.now()
    expect(isProcessAlive(process.pid, processMark(process.pid, now), now)).toBe(true)
    const child = start('wait-for-end.ts')
    await once(child.stdout, 'data')
    const pid = child.pid ?? 0
    const mark = processMark(pid, now)
    expect(isProcessAlive(pid, mark, now)).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(isProcessAlive(pid, mark, now)).toBe(false)
  })

  it.runIf(process.platform === 'linux')('tells a reused pid, another boot and another machine', () => {
    const now = Date.now()
    const parts = processMark(process.pid, now).split('|')
    const changed = (index: number) => parts.map((part, n) => (n === index ? `${part}0` : part)).join('|')
    expect(isProcessAlive(process.pid, changed(4), now)).toBe(false)
    expect(isProcessAlive(process.pid, changed(2), now)).toBe(false)
    expect(isProcessAlive(process.pid, changed(3), now)).toBeUndefined()
    expect(isProcessAlive(process.pid, changed(1), now)).toBeUndefined()
  })
})

describe('the local key', () => {
  it('is created once, for the owner only, whoever is first', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'data', 'journal.key')
    const children = Array.from({length: 6}, () => start('make-key.ts', file))
    const told = await Promise.all(
      children.map(async child => {
        let text = ''
        child.stdout.on('data', chunk => {
          text += chunk
        })
        await once(child, 'close')
        return text
      }),
    )
    expect(new Set(told).size).toBe(1)
    expect(told[0]).toHaveLength(64)
    expect(localKeyFile(file).open().toString('hex')).toBe(told[0])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder.path, 'data')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(folder.path, 'data'))).toEqual(['journal.key'])
  })

  it('that is cut short, or cannot be read, is named', () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'k')
    writeFileSync(file, 'short')
    expect(failureOf(() => localKeyFile(file)).code).toBe('CONFIG_DAMAGED')
    expect(failureOf(() => localKeyFile(join(file, 'below'))).code).toBe('CONFIG_UNREADABLE')
  })
})
