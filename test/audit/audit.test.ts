import {createHash} from 'node:crypto'
import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {describe, expect, it} from 'vitest'
import type {AuditFilter} from '../../src/audit/index.ts'
import {Failure} from '../../src/errors/failure.ts'
import {DAY, entryOf, NOON, room} from './fixtures.ts'

const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')

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
    expect(audit.verify()).toEqual({ok: true, lines: 3, fragments: 0, pruned: 0})
  })

  it('has nothing in it that acts when it is shown raw, and gives the text back as it was', () => {
    using r = room()
    const audit = r.open()
    const nasty = 'a\u001b[31m\u009b2J\u202egnp.exe\u2028<script>=HYPERLINK("x")ä😀\u007f'
    audit.append(entryOf('1', {auditUser: nasty, resource: nasty}))
    expect(readFileSync(r.file, 'latin1')).toMatch(/^[\x20-\x7e]+\n$/)
    expect(audit.list()[0]).toMatchObject({auditUser: nasty, resource: nasty})
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
    expect(audit.list()).toEqual([])
    audit.append(entryOf('1'))
    r.clock.at += DAY
    audit.append(
      entryOf('2', {kind: 'reveal', profile: 'test', auditUser: 'bo', outcome: 'refused', operation: 'x'}),
    )
    r.clock.at += DAY
    audit.append(entryOf('3'))
    const list = (filter: AuditFilter & {limit?: number}) => audit.list(filter).map(({resource}) => resource)
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
})

describe('what is not in order', () => {
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
    expect(audit.list({limit: 1})[0]?.resource).toBe('5')
  })

  it('is a trail that is gone, and one begun anew in its place', () => {
    const {r, audit} = three()
    using _ = r
    writeFileSync(r.file, '')
    expect(audit.verify()).toMatchObject({ok: false, firstBroken: {line: 1}})
    audit.append(entryOf('4'))
    expect(audit.verify()).toMatchObject({ok: false, firstBroken: {line: 1}})
    expect(audit.list().map(({kind}) => kind)).toEqual(['write', 'gap'])
  })
})

describe('a file that cannot be written', () => {
  it('is named before an effect is had', () => {
    using r = room()
    const audit = r.open()
    mkdirSync(r.file)
    for (const attempt of [() => audit.ready(), () => audit.append(entryOf('1'))]) {
      expect(attempt).toThrow(Failure)
      expect(attempt).toThrow(r.file)
    }
  })

  it('is told from one that can', () => {
    using r = room()
    const audit = r.open()
    audit.ready()
    expect(audit.verify()).toEqual({ok: true, lines: 0, fragments: 0, pruned: 0})
  })
})

describe('pruning', () => {
  const who = {osUser: 'root', auditUser: 'bo'}

  function days(count: number) {
    const r = room()
    const audit = r.open()
    for (let day = 0; day < count; day++) {
      audit.append(entryOf(String(day)))
      r.clock.at += DAY
    }
    return {r, audit}
  }

  it('leaves a signed anchor, what is young enough, and who did it', () => {
    const {r, audit} = days(5)
    using _ = r
    expect(audit.prune({before: NOON + 2 * DAY, ...who})).toEqual({removed: 2})
    expect(audit.verify()).toEqual({ok: true, lines: 5, fragments: 0, pruned: 2})
    expect(statSync(r.file).mode & 0o777).toBe(0o600)
    expect([...audit.iterate()].map(({kind, resource}) => resource ?? kind)).toEqual(['2', '3', '4', 'prune'])
    expect(audit.list({kind: 'prune'})[0]).toMatchObject({osUser: 'root', auditUser: 'bo', seq: 6})
    audit.append(entryOf('5'))
    expect(audit.verify().ok).toBe(true)
  })

  it('may be repeated, take everything, or find nothing', () => {
    const {r, audit} = days(4)
    using _ = r
    expect(audit.prune({before: NOON, ...who})).toEqual({removed: 0})
    audit.prune({before: NOON + DAY, ...who})
    expect(audit.prune({before: NOON + 3 * DAY, ...who})).toEqual({removed: 2})
    expect(audit.verify()).toMatchObject({ok: true, pruned: 3})
    expect(audit.prune({before: NOON + 99 * DAY, ...who})).toEqual({removed: 3})
    expect(audit.verify()).toMatchObject({ok: true, lines: 2, pruned: 6})
    audit.append(entryOf('9'))
    expect(audit.verify().ok).toBe(true)
    using empty = room()
    expect(empty.open().prune({before: NOON, ...who})).toEqual({removed: 0})
  })

  it('by hand is not taken for one by the tool', () => {
    const {r, audit} = days(3)
    using _ = r
    audit.prune({before: NOON + DAY, ...who})
    const lines = linesOf(r.file)
    writeFileSync(r.file, `${lines.slice(1).join('\n')}\n`)
    expect(audit.verify()).toMatchObject({ok: false, firstBroken: {line: 1}})
    // An anchor that somebody made with another key.
    writeFileSync(r.file, `${lines.join('\n')}\n`)
    expect(audit.verify().ok).toBe(true)
    expect(r.open(8).verify()).toMatchObject({ok: false, firstBroken: {line: 1}})
  })

  it('does not touch a broken trail', () => {
    const {r, audit} = days(3)
    using _ = r
    const changed = readFileSync(r.file, 'utf8').replace('"done"', '"none"')
    writeFileSync(r.file, changed)
    expect(() => audit.prune({before: NOON + 2 * DAY, ...who})).toThrow(/broken at line 1/)
    expect(readFileSync(r.file, 'utf8')).toBe(changed)
  })
})
