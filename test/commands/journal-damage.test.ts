import {readdir, readFile, rename, rm, truncate, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {withoutDemo} from '../sandbox/helpers/without-demo.ts'

const CREATE = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:rent', '--yes']

let home: Home
let journal: string
beforeEach(async () => {
  home = await openHome()
  journal = join(home.folder, '.local/share/cardctl/journal')
  expect((await home.run(CREATE)).code).toBe(0)
})
afterEach(() => home.remove())

const batches = async () => withoutDemo(await home.json<{id: string}[]>(['a2a', 'list', '--all'])).length
const file = (name: string) => join(journal, name)
/** Of all files but the locks of processes. */
const contents = async () => {
  const entries = await readdir(journal, {withFileTypes: true})
  return Promise.all(entries.filter(entry => entry.isFile()).map(({name}) => readFile(file(name))))
}
const withoutLog = async () => {
  for (const name of await readdir(journal)) if (/-(wal|shm)$/.test(name)) await rm(file(name))
}

describe('warns before the protection against sending transfers twice is lost', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['the key is gone', () => rename(file('local.key'), file('local.key.bak'))],
    ['the key is zeroes', () => writeFile(file('local.key'), Buffer.alloc(32))],
    ['the key is another', () => writeFile(file('local.key'), Buffer.alloc(32, 7))],
    ['the key is cut', () => truncate(file('local.key'), 16)],
    ['the journal is gone', () => rm(file('sandbox.db'))],
    ['the journal is empty', () => truncate(file('sandbox.db'), 0)],
    ['the journal is cut', () => truncate(file('sandbox.db'), 100)],
    ['the journal is cut to a page', () => truncate(file('sandbox.db'), 4096)],
    [
      'the journal is an empty database',
      async () => {
        await rm(file('sandbox.db'))
        new DatabaseSync(file('sandbox.db')).close()
        const db = new DatabaseSync(file('sandbox.db'))
        db.exec('PRAGMA journal_mode = WAL; VACUUM')
        db.close()
      },
    ],
  ])('%s', async (_, harm) => {
    await withoutLog()
    await harm()
    const before = await contents()
    const {code, stderr} = await home.run(CREATE)
    expect(code).toBe(3)
    expect(stderr).toContain(journal)
    expect(stderr).toMatch(/Restore (it|\S+) from a backup\. Without one/)
    const after = await contents()
    expect(after).toEqual(before)
    expect(await batches()).toBe(1)
  })

  test('the hint works', async () => {
    await rm(file('sandbox.db'))
    await withoutLog()
    const {stderr} = await home.run(CREATE)
    await rm(/remove (\S+\.json)\. The new journal/.exec(stderr)?.[1] ?? '')
    // The audit trail still knows them.
    expect((await home.run(CREATE)).code).toBe(14)
    expect((await home.run([...CREATE, '--again'])).code).toBe(0)
  })

  test('without its key the journal can still be read', async () => {
    await rename(file('local.key'), file('elsewhere'))
    expect(await home.json(['requests', 'list'])).toHaveLength(1)
    await rename(file('elsewhere'), file('local.key'))
    expect((await home.run(CREATE)).stderr).toContain('same transfers')
  })
})
