// A disk that fails while an import is placed: everything that was here is as before, and used again at once.
import fs, {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {syncBuiltinESMExports} from 'node:module'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {generateX25519Identity, identityToRecipient} from 'age-encryption'
import {afterAll, afterEach, beforeEach, expect, it} from 'vitest'
import {Database} from '../../src/sqlite/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'

/** The number of the operation that fails while the mark of an import is there; what was seen of them. */
const disk = {mark: '', fails: 0, seen: [] as string[]}
const {existsSync: isThere} = fs
const step = (name: string): void => {
  if (disk.mark === '' || !isThere(disk.mark) || name === `rmSync ${disk.mark}`) return
  disk.seen.push(name)
  // A copy takes the place of a hard link.
  const isCopy = name.startsWith('copy') && disk.seen.length === disk.fails + 1
  if (disk.seen.length === disk.fails || isCopy)
    throw Object.assign(new Error('ENOSPC: no space left on device'), {code: 'ENOSPC', errno: -28})
}

const OPERATIONS = [
  ...(['copyFileSync', 'fsyncSync', 'linkSync', 'mkdirSync'] as const),
  ...(['openSync', 'renameSync', 'rmSync', 'writeSync'] as const),
]
const real = Object.fromEntries(OPERATIONS.map(name => [name, fs[name]]))
/** Where a folder can't be synced, its files are safe nevertheless. */
const isFolderSync = (name: string, [first, flags]: unknown[]): boolean =>
  (name === 'openSync' && flags === 'r') ||
  (name === 'fsyncSync' && fs.fstatSync(Number(first)).isDirectory())
for (const name of OPERATIONS) {
  const operation = real[name] as (...given: unknown[]) => unknown
  Object.assign(fs, {
    [name]: (...given: unknown[]) => {
      if (!isFolderSync(name, given))
        step(`${name} ${given.filter(each => typeof each === 'string').join(' ')}`)
      return operation(...given)
    },
  })
}
syncBuiltinESMExports()
const run = Database.prototype.run
Database.prototype.run = function (this: Database, sql, values) {
  if (sql === 'COMMIT' || sql.startsWith('INSERT')) step(sql.slice(0, 40))
  return run.call(this, sql, values)
}
afterAll(() => {
  Object.assign(fs, real)
  syncBuiltinESMExports()
  Database.prototype.run = run
})

const DATA = '.local/share/cardctl'
const identity = await generateX25519Identity()
const recipient = await identityToRecipient(identity)

let home: Home
let other: Home
let third: Home
let keys: string
beforeEach(async () => {
  ;[home, other, third] = [await openHome(), await openHome(), await openHome()]
  keys = join(home.folder, 'key.txt')
  writeFileSync(keys, `${identity}\n`)
})
afterEach(async () => {
  disk.mark = ''
  for (const each of [home, other, third]) await each.remove()
})

const change = (at: Home, limit: number) =>
  at.run(['accounts', 'patch', '2001', '--type', 'credit', '-F', `creditLimit=${limit}`])

const exportAt = async (at: Home, name: string, ...more: string[]) => {
  const file = join(home.folder, name)
  const argv = ['data', 'export', file, '--recipient', recipient, '--yes', ...more]
  const {signedBy} = await at.json<{signedBy: string}>(argv)
  return ['data', 'import', file, '--identity', keys, '--yes', '--trust', signedBy]
}

/** Every file of the data folder, with its bytes. A temporary file that can't be removed stays. */
const bytesOf = (at: Home): Record<string, string> => {
  const folder = join(at.folder, DATA)
  if (!existsSync(folder)) return {}
  const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter(
    each => each.isFile() && !/\.\d+\.[0-9a-f]{12}$/.test(each.name),
  )
  return Object.fromEntries(
    files.map(({parentPath, name}) => {
      const path = join(parentPath, name)
      return [path, readFileSync(path).toString('base64')]
    }),
  )
}

const situations: Record<string, () => Promise<{at: Home; argv: string[]; merges?: boolean}>> = {
  'nothing is here': async () => {
    await change(home, 6000)
    return {at: other, argv: await exportAt(home, 'a.age')}
  },
  'a journal that was moved away comes back, and the trail continues': async () => {
    await change(home, 6000)
    const there = await exportAt(home, 'a.age', '--move')
    await other.run(there)
    await change(other, 6001)
    return {at: home, argv: await exportAt(other, 'b.age', '--move')}
  },
  'a journal in use gets what it lacks': async () => {
    await change(home, 6000)
    await change(home, 6001)
    const argv = await exportAt(home, 'a.age')
    const journal = new DatabaseSync(join(home.folder, DATA, 'journal/sandbox.db'))
    journal.exec('DELETE FROM request WHERE rowid = (SELECT min(rowid) FROM request)')
    journal.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    journal.close()
    return {at: home, argv, merges: true}
  },
}

it.each(Object.entries(situations))('%s', async (_, prepare) => {
  const {at, argv, merges = false} = await prepare()
  let before = bytesOf(at)
  let faults = 0
  for (let fails = 1; ; fails++) {
    Object.assign(disk, {mark: join(at.folder, DATA, 'importing'), fails, seen: []})
    const {code, stderr} = await at.run(argv)
    disk.mark = ''
    const fault = disk.seen[fails - 1]
    if (fault === undefined) {
      expect({code, stderr}).toMatchObject({code: 0})
      break
    }
    faults++
    if (code === 0) throw new Error(`${fault} failed, and the import says it is done`)
    expect({fault, code, stderr}).toEqual({fault, code: 3, stderr: expect.not.stringContaining('INTERNAL')})
    const after = bytesOf(at)
    expect({fault, files: Object.keys(after)}).toEqual({fault, files: Object.keys(before)})
    for (const [path, bytes] of Object.entries(after)) {
      // The end of the trail is committed last. What a journal in use got by then is finished requests, and more of them.
      const isLastCommit = fault === 'COMMIT' && disk.seen.slice(0, fails - 1).includes('COMMIT')
      if (merges && isLastCommit && path.endsWith('sandbox.db')) continue
      if (bytes !== before[path]) throw new Error(`${fault} failed, and ${path} is another file now`)
    }
    before = after
  }
  expect(faults).toBeGreaterThan(5)
  expect((await at.run(['audit', 'verify'])).code).toBe(0)
})
