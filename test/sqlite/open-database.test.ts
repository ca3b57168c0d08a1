import {spawn, spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {fileURLToPath} from 'node:url'
import {afterAll, afterEach, beforeEach, describe, expect, it} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {immediate, openDatabase} from '../../src/sqlite/index.ts'
import {mountSmallDisk} from '../helpers/small-disk.ts'

const kind = 'journal'
const migrations = ['CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)']
let folder: string
let file: string

const canLimit = spawnSync('prlimit', ['true']).status === 0

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardctl-sqlite-'))
  file = join(folder, 'data', 'notes.db')
})
afterEach(() => rmSync(folder, {recursive: true, force: true}))

function failureOf(work: () => unknown): Failure {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const digest = (name: string) => createHash('sha256').update(readFileSync(name)).digest('hex')

async function run(fixture: string, ...args: string[]) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(fixture, import.meta.url)), ...args])
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  return {code, stderr}
}

describe('a fresh file', () => {
  it('is made with its folder for the owner alone, -wal and -shm too', () => {
    using db = openDatabase(file, {kind, migrations})
    db.run('INSERT INTO note (text) VALUES (?)', ['a'])
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600)
  })

  it('has WAL, foreign keys and the wished durability', () => {
    using db = openDatabase(file, {kind, migrations, synchronous: 'FULL'})
    expect(db.get('PRAGMA journal_mode')).toEqual({journal_mode: 'wal'})
    expect(db.get('PRAGMA foreign_keys')).toEqual({foreign_keys: 1})
    expect(db.get('PRAGMA synchronous')).toEqual({synchronous: 2})
  })

  it('removes the permissions of others from an existing file', () => {
    openDatabase(file, {kind, migrations}).close()
    chmodSync(file, 0o644)
    openDatabase(file, {kind, migrations}).close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('works in memory', () => {
    using db = openDatabase(':memory:', {kind, migrations})
    db.run('INSERT INTO note (text) VALUES (:text)', {text: 'a'})
    expect(db.all('SELECT text FROM note')).toEqual([{text: 'a'}])
    expect([...db.iterate<{text: string}>('SELECT text FROM note')].map(row => row.text)).toEqual(['a'])
  })
})

describe('migrations', () => {
  it('run once, and only the new ones later', () => {
    const first = openDatabase(file, {kind, migrations})
    first.run('INSERT INTO note (text) VALUES (?)', ['kept'])
    first.close()
    using second = openDatabase(file, {
      kind,
      migrations: [...migrations, 'ALTER TABLE note ADD COLUMN colour TEXT'],
    })
    expect(second.all('SELECT text, colour FROM note')).toEqual([{text: 'kept', colour: null}])
  })

  it('leave nothing behind when one fails', () => {
    expect(() => openDatabase(file, {kind, migrations: [...migrations, 'CREATE TABLE note (x)']})).toThrow(
      /already exists/,
    )
    using db = openDatabase(file, {kind, migrations})
    expect(db.get('PRAGMA user_version')).toEqual({user_version: 1})
  })

  it('refuse a file of a newer version, saying both numbers', () => {
    openDatabase(file, {kind, migrations: [...migrations, 'SELECT 1', 'SELECT 1']}).close()
    const before = digest(file)
    const failure = failureOf(() => openDatabase(file, {kind, migrations}))
    expect(failure.code).toBe('STORE_UNAVAILABLE')
    expect(failure.message).toContain(file)
    expect(failure.message).toMatch(/newer version of cardctl, or .* \(schema 3, this one knows 1\)/)
    expect(digest(file)).toBe(before)
    expect(readdirSync(dirname(file))).toEqual(['notes.db'])
  })

  it.each(['DELETE', 'WAL'])('refuse a database of another program and leave it as it is (%s)', journal => {
    mkdirSync(dirname(file))
    const foreign = new DatabaseSync(file)
    foreign.exec(`PRAGMA journal_mode = ${journal}; CREATE TABLE theirs (x)`)
    foreign.close()
    chmodSync(file, 0o644)
    const before = digest(file)
    expect(failureOf(() => openDatabase(file, {kind, migrations})).message).toContain('another program')
    expect([digest(file), statSync(file).mode & 0o777]).toEqual([before, 0o644])
    expect(readdirSync(dirname(file))).toEqual(['notes.db'])
  })

  it('refuse a database of another kind and leave it as it is', () => {
    openDatabase(file, {kind: 'sandbox', migrations}).close()
    chmodSync(file, 0o644)
    const before = digest(file)
    const failure = failureOf(() => openDatabase(file, {kind, migrations: []}))
    expect(failure.code).toBe('STORE_UNAVAILABLE')
    expect(failure.message).toContain('of another kind (sandbox, not journal)')
    expect([digest(file), statSync(file).mode & 0o777]).toEqual([before, 0o644])
    expect(readdirSync(dirname(file))).toEqual(['notes.db'])
  })

  it('refuse a file with tables but without a kind', () => {
    const old = openDatabase(file, {kind: 'sandbox', migrations: ['CREATE TABLE card (id)']})
    old.exec('PRAGMA application_id = 0')
    old.close()
    const before = digest(file)
    expect(failureOf(() => openDatabase(file, {kind, migrations})).message).toContain('another program')
    expect(digest(file)).toBe(before)
  })

  it.each(['NORMAL', 'FULL'])(
    'and writes of 8 processes that start at once lose nothing (%s)',
    async synchronous => {
      const results = await Promise.all(
        Array.from({length: 8}, () => run('open-many.ts', file, '25', synchronous)),
      )
      expect(results).toEqual(Array.from({length: 8}, () => ({code: 0, stderr: ''})))
      using db = openDatabase(file, {kind, migrations: ['', '']})
      expect(db.get('SELECT value FROM counter')).toEqual({value: 200})
    },
  )
})

describe('a damaged file', () => {
  const cases: [string, (name: string) => void][] = [
    ['text', name => writeFileSync(name, 'these are not the pages of a database '.repeat(500))],
    ['a few bytes', name => writeFileSync(name, 'x')],
    ['zeros', name => writeFileSync(name, Buffer.alloc(8192))],
    ['cut short', name => truncateSync(name, 4096)],
    ['cut inside the header', name => truncateSync(name, 60)],
  ]
  it.each(cases)('with %s is named and left untouched', (_, harm) => {
    const db = openDatabase(file, {kind, migrations})
    immediate(db, () => {
      for (let i = 0; i < 500; i++) db.run('INSERT INTO note (text) VALUES (?)', [`note ${i}`.repeat(20)])
    })
    db.close()
    harm(file)
    const before = digest(file)
    const failure = failureOf(() => openDatabase(file, {kind, migrations}))
    expect(failure.code).toBe('STORE_DAMAGED')
    expect(failure.message).toContain(file)
    expect(digest(file)).toBe(before)
  })

  it('keeps its left-over -wal too', () => {
    const first = openDatabase(file, {kind, migrations})
    immediate(first, () => {
      for (let i = 0; i < 500; i++) first.run('INSERT INTO note (text) VALUES (?)', [`note ${i}`.repeat(20)])
    })
    first.close()
    const db = openDatabase(file, {kind, migrations})
    db.run('UPDATE note SET text = upper(text) WHERE id = 1')
    const wal = readFileSync(`${file}-wal`)
    db.close()
    expect(wal.length).toBeGreaterThan(0)
    const garbage = Buffer.alloc(statSync(file).size, 'no database ')
    writeFileSync(file, garbage)
    writeFileSync(`${file}-wal`, wal)
    expect(failureOf(() => openDatabase(file, {kind, migrations})).code).toBe('STORE_DAMAGED')
    expect(readFileSync(file).equals(garbage)).toBe(true)
    expect(readFileSync(`${file}-wal`).equals(wal)).toBe(true)
  })

  it('with damage in the middle is named when it is found', () => {
    const db = openDatabase(file, {kind, migrations})
    immediate(db, () => {
      for (let i = 0; i < 2_000; i++) db.run('INSERT INTO note (text) VALUES (?)', [`note ${i}`.repeat(20)])
    })
    db.close()
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0xa5, 8192, bytes.length - 4096))
    using again = openDatabase(file, {kind, migrations})
    expect(failureOf(() => again.all('SELECT * FROM note')).code).toBe('STORE_DAMAGED')
    const rows = again.iterate('SELECT * FROM note')
    expect(failureOf(() => [...rows]).code).toBe('STORE_DAMAGED')
  })
})

describe('a file that cannot be used', () => {
  const disk = mountSmallDisk(1)
  afterAll(() => disk?.remove())

  it.skipIf(!disk)('because its disk became read-only, says that, and what to do', () => {
    const there = join(disk?.folder ?? '', 'notes.db')
    openDatabase(there, {kind, migrations}).close()
    disk?.lock()
    const failure = failureOf(() => openDatabase(there, {kind, migrations}))
    expect(failure).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: `The database ${there} cannot be used: the file system is read-only.`,
    })
    expect(failure.hint).toMatch(/^Have the file system mounted/)
    const below = join(disk?.folder ?? '', 'new', 'folder', 'notes.db')
    expect(failureOf(() => openDatabase(below, {kind, migrations})).message).toContain('is read-only')
    expect(readdirSync(dirname(there))).toEqual(['notes.db'])
  })

  it.skipIf(!canLimit)('because no more files can be opened, or it may not grow, says that', () => {
    // A process of its own, whose limits change nothing for other tests.
    const program = `
      import {openDatabase} from ${JSON.stringify(new URL('../../src/sqlite/index.ts', import.meta.url).href)}
      import {closeSync, openSync} from 'node:fs'
      process.on('SIGXFSZ', () => undefined)
      const open = () => openDatabase('notes.db', {kind: 'notes', migrations: ['CREATE TABLE note (text TEXT)']})
      const told = work => { try { work() } catch (error) { console.log(error.message + error.hint) } }
      const db = open()
      const held = []
      try { for (;;) held.push(openSync('/dev/null')) } catch {}
      told(open)
      for (const each of held) closeSync(each)
      told(() => db.run('INSERT INTO note VALUES (?)', ['x'.repeat(100_000)]))`
    const limits = [
      '--nofile=64',
      `--fsize=${65_536}`,
      process.execPath,
      '--input-type=module',
      '-e',
      program,
    ]
    const {stdout, stderr} = spawnSync('prlimit', limits, {cwd: folder, encoding: 'utf8'})
    expect(stdout, stderr).toMatch(
      /^.*notes\.db cannot be used: too many files are open\..*ulimit -n.*\n.*: the limit on file sizes is reached\..*ulimit -f.*\n$/,
    )
    expect(readdirSync(folder).filter(name => name.endsWith('.tmp'))).toEqual([])
  })

  it('because it is a folder, or lies below a file, says so', () => {
    mkdirSync(file, {recursive: true})
    expect(failureOf(() => openDatabase(file, {kind, migrations})).code).toBe('STORE_UNAVAILABLE')
    const plain = join(folder, 'plain')
    writeFileSync(plain, '')
    expect(failureOf(() => openDatabase(join(plain, 'x.db'), {kind, migrations})).code).toBe(
      'STORE_UNAVAILABLE',
    )
  })

  it('reports a held lock halfway through the wait, and continues once it is released', () => {
    using holder = openDatabase(file, {kind, migrations})
    const told: string[] = []
    const held = () => {
      told.push('held')
      if (told.length > 1) holder.exec('COMMIT')
      return () => void told.push('over')
    }
    using other = openDatabase(file, {kind, migrations, busyTimeoutMs: 40, held})
    holder.exec('BEGIN IMMEDIATE')
    expect(failureOf(() => immediate(other, () => undefined)).code).toBe('FILE_LOCKED')
    expect(told).toEqual(['held', 'over'])
    expect(immediate(other, () => 'done')).toBe('done')
    expect(told).toEqual(['held', 'over', 'held', 'over'])
    expect(immediate(other, () => 'free')).toBe('free')
    expect(told).toHaveLength(4)
  })

  it('because another connection holds the lock, says so after the busy timeout', () => {
    using holder = openDatabase(file, {kind, migrations})
    using other = openDatabase(file, {kind, migrations, busyTimeoutMs: 20})
    immediate(holder, () => {
      const failure = failureOf(() => immediate(other, () => undefined))
      expect([failure.code, failure.exit]).toEqual(['FILE_LOCKED', 17])
      expect(failure.message).toContain('locked')
    })
    expect(immediate(other, () => 7)).toBe(7)
  })

  it('because there is no room left, says so and keeps what was there', () => {
    using db = openDatabase(file, {kind, migrations})
    db.run('INSERT INTO note (text) VALUES (?)', ['before'])
    const pages = db.get<{page_count: number}>('PRAGMA page_count')?.page_count ?? 0
    db.exec(`PRAGMA max_page_count = ${pages}`)
    const failure = failureOf(() =>
      immediate(db, () => {
        db.run('INSERT INTO note (text) VALUES (?)', ['x'.repeat(100_000)])
      }),
    )
    expect(failure.code).toBe('DISK_FULL')
    expect(failure.message).toContain('full')
    expect(db.inTransaction).toBe(false)
    expect(db.all('SELECT text FROM note')).toEqual([{text: 'before'}])
  })
})

describe('immediate', () => {
  it('rolls back when the work throws, joins an outer one, and lets SQL errors through', () => {
    using db = openDatabase(':memory:', {kind, migrations})
    const add = (text: string) => db.run('INSERT INTO note (text) VALUES (?)', [text])
    expect(() =>
      immediate(db, () => {
        add('a')
        immediate(db, () => add('b'))
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(db.all('SELECT * FROM note')).toEqual([])
    immediate(db, () => add('a'))
    expect(() => add('a')).toThrow(/UNIQUE/)
  })
})
