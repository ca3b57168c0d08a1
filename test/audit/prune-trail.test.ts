import {createHash} from 'node:crypto'
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {DAY, entryOf, linesOf, NOON, room} from './fixtures.ts'

describe('pruning', () => {
  let files = 0
  const who = ({folder}: {readonly folder: string}) => ({
    osUser: 'root',
    auditUser: 'bo',
    exportTo: join(folder, `removed-${++files}.ndjson`),
  })

  function days(count: number) {
    const r = room()
    const audit = r.open()
    for (let day = 0; day < count; day++) {
      audit.append(entryOf(String(day)))
      r.clock.at += DAY
    }
    return {r, audit}
  }

  it('leaves a sealed mark, what is young enough, and who did it', () => {
    const {r, audit} = days(5)
    using _ = r
    const settings = {before: NOON + 2 * DAY, ...who(r)}
    const before = linesOf(r.file)
    expect(audit.prune(settings)).toEqual({
      removed: 2,
      removedUntil: new Date(NOON + DAY).toISOString(),
      kept: 3,
      keptSince: new Date(NOON + 2 * DAY).toISOString(),
      exported: settings.exportTo,
    })
    expect(linesOf(settings.exportTo)).toEqual(before.slice(0, 2))
    expect(statSync(settings.exportTo).mode & 0o777).toBe(0o600)
    expect(audit.verify()).toEqual({ok: true, lines: 5, fragments: 0, pruned: 2, unsealed: 0})
    expect(statSync(r.file).mode & 0o777).toBe(0o600)
    expect([...audit.iterate()].map(({kind, resources}) => resources?.[0] ?? kind)).toEqual([
      '2',
      '3',
      '4',
      'prune',
    ])
    expect([...audit.newest({kind: 'prune'})][0]).toMatchObject({osUser: 'root', auditUser: 'bo', seq: 6})
    audit.append(entryOf('5'))
    expect(audit.verify().ok).toBe(true)
  })

  it('may be repeated, take everything, or find nothing', () => {
    const {r, audit} = days(4)
    using _ = r
    const nothing = {before: NOON, ...who(r)}
    expect(audit.prune(nothing)).toEqual({removed: 0, kept: 4, keptSince: new Date(NOON).toISOString()})
    expect(existsSync(nothing.exportTo)).toBe(false)
    audit.prune({before: NOON + DAY, ...who(r)})
    expect(audit.prune({before: NOON + 3 * DAY, ...who(r)})).toMatchObject({removed: 2, kept: 2})
    expect(audit.verify()).toMatchObject({ok: true, pruned: 3})
    expect(audit.prune({before: NOON + 99 * DAY, ...who(r)})).toMatchObject({removed: 3, kept: 0})
    expect(audit.verify()).toMatchObject({ok: true, lines: 2, pruned: 6})
    audit.append(entryOf('9'))
    expect(audit.verify().ok).toBe(true)
    using empty = room()
    expect(empty.open().prune({before: NOON, ...who(empty)})).toEqual({removed: 0, kept: 0})
  })

  it('by hand is not taken for one by cardctl', () => {
    const {r, audit} = days(3)
    using _ = r
    audit.prune({before: NOON + DAY, ...who(r)})
    const lines = linesOf(r.file)
    writeFileSync(r.file, `${lines.slice(1).join('\n')}\n`)
    expect(audit.verify()).toMatchObject({ok: false, firstBroken: {line: 1}})
    // An anchor that somebody made with another key.
    writeFileSync(r.file, `${lines.join('\n')}\n`)
    expect(audit.verify().ok).toBe(true)
    expect(r.open(8).verify()).toMatchObject({ok: false, firstBroken: {line: 1}})
  })

  it('writes the removed entries to a new file first, or removes nothing', () => {
    const {r, audit} = days(3)
    using _ = r
    const text = readFileSync(r.file, 'utf8')
    const there = join(r.folder, 'there')
    writeFileSync(there, 'mine')
    for (const exportTo of [there, r.folder, join(r.folder, 'none', 'x')]) {
      expect(() => audit.prune({...who(r), before: NOON + 2 * DAY, exportTo})).toThrow(
        /[Nn]othing was removed/,
      )
    }
    expect(readFileSync(there, 'utf8')).toBe('mine')
    expect(readFileSync(r.file, 'utf8')).toBe(text)
  })

  it('seals the mark of the cut: neither it nor the lines it stands for can be changed', () => {
    const {r, audit} = days(4)
    using _ = r
    audit.prune({before: NOON + 2 * DAY, ...who(r)})
    const [mark = '', ...rest] = linesOf(r.file)
    for (const change of [
      {seq: 1},
      {marks: ['00']},
      {brokenBefore: '2026-01-01T00:00:00.000Z'},
      {at: '2026-01-01T00:00:00.000Z'},
    ]) {
      const {hash: _old, ...members} = {...JSON.parse(mark), ...change}
      const open = JSON.stringify(members)
      const hash = createHash('sha256').update(open).digest('hex')
      writeFileSync(r.file, `${[`${open.slice(0, -1)},"hash":"${hash}"}`, ...rest].join('\n')}\n`)
      expect(audit.verify()).toMatchObject({ok: false, firstBroken: {line: 1}})
    }
  })

  it('does not touch a broken trail', () => {
    const {r, audit} = days(3)
    using _ = r
    const changed = readFileSync(r.file, 'utf8').replace('"done"', '"none"')
    writeFileSync(r.file, changed)
    expect(() => audit.prune({before: NOON + 2 * DAY, ...who(r)})).toThrow(/broken at line 1/)
    expect(readFileSync(r.file, 'utf8')).toBe(changed)
  })
})
