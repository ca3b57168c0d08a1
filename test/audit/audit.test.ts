import {createHash} from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {describe, expect, it} from 'vitest'
import {type AuditFilter, formatAnchor} from '../../src/audit/index.ts'
import {Failure} from '../../src/errors/failure.ts'
import {mountSmallDisk} from '../helpers/small-disk.ts'
import {DAY, entryOf, linesOf, NOON, room} from './fixtures.ts'

describe('the trail', () => {
  it('is one line per entry, for the owner alone, each with the hash of the one before', () => {
    using r = room()
    const audit = r.open()
    audit.append(entryOf('2001'))
    audit.append([entryOf('2002', {kind: 'reveal', status: undefined, durationMs: 1.6}), entryOf('2003')])
    expect(statSync(r.file).mode & 0o777).toBe(0o600)
    const lines = linesOf(r.file)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      seq: 1,
      at: '2027-01-04T12:00:00.000Z',
      ...entryOf('2001'),
      prev: '0'.repeat(64),
    })
    let prev = '0'.repeat(64)
    for (const line of lines) {
      const parsed = JSON.parse(line)
      expect(parsed.prev).toBe(prev)
      const withoutHash = line.replace(/,"hash":"[0-9a-f]{64}"/, '')
      expect(parsed.hash).toBe(createHash('sha256').update(withoutHash).digest('hex'))
      prev = parsed.hash
    }
    expect(audit.verify()).toEqual({ok: true, lines: 3, fragments: 0, pruned: 0, unsealed: 0})
  })

  it('has no control characters when shown raw, and returns the text unchanged', () => {
    using r = room()
    const audit = r.open()
    const nasty = 'a\u001b[31m\u009b2J\u202egnp.exe\u2028<script>=HYPERLINK("x")ä😀\u007f'
    audit.append(entryOf('1', {auditUser: nasty, resources: [nasty]}))
    expect(readFileSync(r.file, 'latin1')).toMatch(/^[\x20-\x7e]+\n$/)
    expect([...audit.newest()][0]).toMatchObject({auditUser: nasty, resources: [nasty]})
    expect(audit.verify().ok).toBe(true)
  })

  it('masks a card number that somebody typed as a name', () => {
    using r = room()
    r.open().append(
      entryOf('900000000003001', {auditUser: 'me 4111111111111111', osUser: '4111111111111111'}),
    )
    expect(readFileSync(r.file, 'latin1')).not.toContain('4111111111111111')
    expect(readFileSync(r.file, 'latin1')).toContain('900000000003001')
  })

  it('is listed newest first, and filtered', () => {
    using r = room()
    const audit = r.open()
    expect([...audit.newest()]).toEqual([])
    audit.append(entryOf('1'))
    r.clock.at += DAY
    audit.append(
      entryOf('2', {kind: 'reveal', profile: 'test', auditUser: 'bo', outcome: 'refused', operation: 'x'}),
    )
    r.clock.at += DAY
    audit.append(entryOf('3'))
    const list = (filter: AuditFilter & {limit?: number}) =>
      [...audit.newest(filter)].map(({resources}) => resources?.[0])
    expect(list({})).toEqual(['3', '2', '1'])
    expect(list({limit: 2})).toEqual(['3', '2'])
    expect(list({since: NOON + DAY, until: NOON + 2 * DAY})).toEqual(['2'])
    for (const filter of [
      {kind: 'reveal'},
      {profile: 'test'},
      {auditUser: 'bo'},
      {outcome: 'refused'},
      {operation: 'x'},
      {resource: '2'},
    ] as const) {
      expect(list(filter)).toEqual(['2'])
    }
    expect([...audit.iterate()].map(({seq}) => seq)).toEqual([1, 2, 3])
  })

  it('lists newest first, whatever the length of the lines', () => {
    using r = room()
    const audit = r.open()
    const lengths = [1, 65_000, 300_000, 2, 65_536, 130_000, 7, 64_900]
    for (const length of lengths) audit.append([entryOf('x'.repeat(length)), entryOf('y')])
    const oldest = [...audit.iterate()]
    expect(oldest).toHaveLength(2 * lengths.length)
    expect([...audit.newest()]).toEqual(oldest.reverse())
  })

  it('reads the newest entries without the older ones', () => {
    using r = room()
    const audit = r.open()
    audit.append(Array.from({length: 40}, (_, at) => entryOf(`${at + 1}`)))
    const lines = readFileSync(r.file)
    // A hole of 64 GiB in place of what came before: reading it takes minutes.
    const file = openSync(r.file, 'w')
    writeSync(file, lines, 0, lines.length, 64 * 2 ** 30)
    closeSync(file)
    expect([...audit.newest({limit: 30})].map(({seq}) => seq)).toEqual(
      Array.from({length: 30}, (_, at) => 40 - at),
    )
  })

  it('finds lines by time although the clock was set back after them', () => {
    using r = room()
    const audit = r.open()
    r.clock.at += DAY
    audit.append(entryOf('1'))
    // The clock was wrong for a while.
    r.clock.at -= 30 * DAY
    audit.append(entryOf('2'))
    expect([...audit.newest({since: NOON})].map(({seq}) => seq)).toEqual([1])
    expect([
      ...audit.newest({resource: '1', profile: 'prod', operations: ['accounts.patchCredit.v4']}),
    ]).toHaveLength(1)
  })
})

describe('a broken trail', () => {
  function three() {
    const r = room()
    const audit = r.open()
    for (const resource of ['1', '2', '3']) audit.append(entryOf(resource))
    return {
      r,
      audit,
      lines: linesOf(r.file),
      rewrite: (lines: string[]) => writeFileSync(r.file, `${lines.join('\n')}\n`),
    }
  }

  it('is named by its line: a change, a removal, a swap, a copy, an addition', () => {
    const {r, audit, lines, rewrite} = three()
    using _ = r
    const [a = '', b = '', c = ''] = lines
    const cases: [string[], number][] = [
      [[a, b.replace('"done"', '"none"'), c], 2],
      [[a, c], 2],
      [[b, c], 1],
      [[a, c, b], 2],
      [[a, b, b, c], 3],
      [[a, b, c, '{"seq":4}'], 4],
      [[a, '', b, c], 2],
      [[a, b], 3],
      [[a, b, 'hello', c], 3],
      [[a.slice(0, -1), b, c], 1],
    ]
    for (const [changed, line] of cases) {
      rewrite(changed)
      expect(audit.verify()).toMatchObject({ok: false, firstBroken: {line}})
    }
    rewrite(lines)
    expect(audit.verify().ok).toBe(true)
  })

  it('is every single changed byte', () => {
    const {r, audit, lines} = three()
    using _ = r
    const bytes = readFileSync(r.file)
    const lengths = lines.map(line => line.length + 1)
    for (let place = 0; place < bytes.length; place += 3) {
      const changed = Buffer.from(bytes)
      changed[place] = (changed[place] ?? 0) ^ 0x01
      writeFileSync(r.file, changed)
      const line = place < (lengths[0] ?? 0) ? 1 : place < (lengths[0] ?? 0) + (lengths[1] ?? 0) ? 2 : 3
      const {ok, firstBroken} = audit.verify()
      expect(ok).toBe(false)
      expect(Math.abs((firstBroken?.line ?? 0) - line)).toBeLessThanOrEqual(1)
    }
  })

  it.each<[string, (a: string, b: string, c: string) => string[]]>([
    ['the last line removed', (a, b) => [a, b]],
    ['all but the first removed', a => [a]],
    ['the last line changed', (a, b, c) => [a, b, c.replace('"done"', '"none"')]],
    ['the last line made longer', (a, b, c) => [a, b, c.replace('"done"', '"refused"')]],
    ['the last line cut', (a, b, c) => [a, b, c.slice(0, 40)]],
  ])('shows also after further lines were appended: %s', (_name, change) => {
    const {r, audit, lines, rewrite} = three()
    using _ = r
    const [a = '', b = '', c = ''] = lines
    rewrite(change(a, b, c))
    audit.append(entryOf('4'))
    audit.append(entryOf('5'))
    expect(audit.verify().ok).toBe(false)
    expect([...audit.newest({limit: 1})][0]?.resources?.[0]).toBe('5')
  })

  it('is a missing trail, and a new one in its place', () => {
    const {r, audit} = three()
    using _ = r
    writeFileSync(r.file, '')
    expect(audit.verify()).toMatchObject({ok: false, firstBroken: {line: 1}})
    audit.append(entryOf('4'))
    expect(audit.verify()).toMatchObject({ok: false, firstBroken: {line: 1}})
    expect([...audit.newest()].map(({kind}) => kind)).toEqual(['write', 'gap'])
  })
})

describe('without the key', () => {
  /** A trail of three lines, and what somebody can do to its files who has no key. */
  function three() {
    const r = room()
    const audit = r.open()
    for (const resource of ['1', '2', '3']) audit.append(entryOf(resource))
    audit.close()
    const head = `${r.file}.head`
    return {r, lines: linesOf(r.file), head}
  }
  /** The lines as a chain of its own, with hashes that fit. */
  function chained(members: readonly object[]): string {
    let prev = '0'.repeat(64)
    return members
      .map(each => {
        const open = JSON.stringify({...each, prev, hash: undefined})
        prev = createHash('sha256').update(open).digest('hex')
        return `${open.slice(0, -1)},"hash":"${prev}"}\n`
      })
      .join('')
  }

  it('a trail whose head was removed is broken, cut or not, and stays so', () => {
    for (const kept of [3, 2, 1]) {
      const {r, lines, head} = three()
      using _ = r
      for (const name of [head, `${head}-wal`, `${head}-shm`]) rmSync(name, {force: true})
      writeFileSync(r.file, `${lines.slice(0, kept).join('\n')}\n`)
      expect(r.open().verify()).toMatchObject({ok: false, firstBroken: {line: kept + 1}})
      r.open().append(entryOf('4'))
      expect(r.open().verify()).toMatchObject({ok: false, firstBroken: {line: kept + 1}})
    }
  })

  it('a recomputed chain is broken, with or without a new head', () => {
    const {r, lines, head} = three()
    using _ = r
    const members = lines.map(line => ({...JSON.parse(line), resource: '9'}))
    const text = chained(members)
    writeFileSync(r.file, text)
    expect(r.open().verify()).toMatchObject({ok: false})
    const db = new DatabaseSync(head)
    const hash = /"hash":"([0-9a-f]{64})"\}\n$/.exec(text)?.[1] ?? ''
    db.prepare('UPDATE head SET hash = ?, size = ?').run(hash, text.length)
    db.close()
    expect(r.open().verify()).toMatchObject({ok: false, firstBroken: {why: expect.stringContaining('seal')}})
    r.open().append(entryOf('4'))
    expect(r.open().verify().ok).toBe(false)
    // With the key that somebody put in place of ours it is no better.
    expect(r.open(8).verify().ok).toBe(false)
  })

  it('an older head is not taken for the end', () => {
    const {r, head} = three()
    using _ = r
    const older = room()
    using __ = older
    const other = older.open()
    other.append(entryOf('other'))
    other.close()
    copyFileSync(`${older.file}.head`, head)
    for (const name of [`${head}-wal`, `${head}-shm`]) rmSync(name, {force: true})
    expect(r.open().verify().ok).toBe(false)
  })

  it('a line added after the end counts as unsealed, and stays reported', () => {
    const {r, lines} = three()
    using _ = r
    const members = lines.map(line => JSON.parse(line))
    const forged = chained([...members, {...members[2], seq: 4, resource: 'forged'}])
    expect(forged.split('\n').slice(0, 3)).toEqual(lines)
    writeFileSync(r.file, forged)
    const audit = r.open()
    expect(audit.verify()).toMatchObject({ok: true, lines: 4, unsealed: 1})
    audit.append(entryOf('5'))
    expect(audit.verify()).toMatchObject({ok: true, lines: 6, unsealed: 0})
    expect([...audit.newest({kind: 'unsealed'})]).toMatchObject([
      {note: expect.stringContaining('not sealed: 1')},
    ])
  })
})

describe('an anchor', () => {
  const text = (audit: ReturnType<ReturnType<typeof room>['open']>) => {
    const {last} = audit.anchor()
    if (!last) throw new Error('There is no line.')
    return formatAnchor(last)
  }

  it('is found while its entry is there, and reported as pruned afterwards', () => {
    using r = room()
    const audit = r.open()
    for (const resource of ['1', '2']) audit.append(entryOf(resource))
    const value = text(audit)
    r.clock.at += DAY
    audit.append(entryOf('3'))
    expect(audit.verify(value)).toMatchObject({ok: true, anchor: 'found'})
    const exportTo = join(r.folder, 'removed')
    audit.prune({before: NOON + 1, exportTo, osUser: 'root', auditUser: 'bo'})
    expect(audit.verify(value)).toMatchObject({ok: true, anchor: 'pruned'})
    expect(audit.verify(text(audit))).toMatchObject({ok: true, anchor: 'found'})
  })

  it('detects changes by an owner of the key: a new trail, a cut, older copies of all files', () => {
    using r = room()
    const audit = r.open()
    audit.append(entryOf('1'))
    audit.close()
    for (const name of [r.file, `${r.file}.head`]) copyFileSync(name, `${name}.older`)
    const later = r.open()
    later.append(entryOf('2'))
    const value = text(later)
    later.close()
    using anew = room()
    const other = anew.open()
    for (const resource of ['7', '8', '9']) other.append(entryOf(resource))
    expect(other.verify()).toMatchObject({ok: true})
    expect(other.verify(value)).toMatchObject({ok: false, firstBroken: {line: 2}})
    for (const name of [r.file, `${r.file}.head`]) copyFileSync(`${name}.older`, name)
    for (const name of [`${r.file}.head-wal`, `${r.file}.head-shm`]) rmSync(name, {force: true})
    const back = r.open()
    expect(back.verify()).toMatchObject({ok: true})
    expect(back.verify(value)).toMatchObject({ok: false, firstBroken: {line: 2}})
    rmSync(r.file)
    expect(back.verify(value)).toMatchObject({ok: false})
  })

  it('that was copied incompletely is a usage error, not an alarm', () => {
    using r = room()
    const audit = r.open()
    audit.append(entryOf('1'))
    const value = text(audit)
    expect(audit.verify(` ${value}\n`).anchor).toBe('found')
    for (let place = 0; place < value.length; place++) {
      const sign = value[place] === '1' ? '2' : '1'
      const slip = value.slice(0, place) + sign + value.slice(place + 1)
      expect(() => audit.verify(slip), slip).toThrow(/did not come from audit anchor/)
    }
    expect(() => audit.verify(value.slice(1))).toThrow(Failure)
  })
})

describe('a file that cannot be written', () => {
  it('is reported before the request has an effect', () => {
    using r = room()
    const audit = r.open()
    mkdirSync(r.file)
    for (const attempt of [() => audit.ready(), () => audit.append(entryOf('1'))]) {
      expect(attempt).toThrow(Failure)
      expect(attempt).toThrow(r.file)
    }
  })

  it('holds nothing of an append that could not be sealed', () => {
    const disk = mountSmallDisk(1)
    if (disk === undefined) return
    using r = room(disk.folder)
    try {
      const audit = r.open()
      audit.append(entryOf('1'))
      disk.fill()
      expect(() => audit.append(entryOf('2'))).toThrow(/full/)
      expect(linesOf(r.file)).toHaveLength(1)
      disk.free()
      audit.append(entryOf('3'))
      expect(audit.verify()).toEqual({ok: true, lines: 2, fragments: 0, pruned: 0, unsealed: 0})
    } finally {
      disk.remove()
    }
  })

  it('differs from one that can', () => {
    using r = room()
    const audit = r.open()
    audit.ready()
    expect(audit.verify()).toEqual({ok: true, lines: 0, fragments: 0, pruned: 0, unsealed: 0})
  })
})
