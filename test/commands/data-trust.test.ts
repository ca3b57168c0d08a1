// Files of data export that somebody else made or changed, and what was erased before an import.
import {hash} from 'node:crypto'
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {Decrypter, Encrypter, generateX25519Identity, identityToRecipient} from 'age-encryption'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {fingerprintOf, signExport} from '../../src/commands/data/shared/machine-key.ts'
import {type Packed, packed, unpack} from '../../src/commands/data/shared/tar.ts'
import {type Home, openHome} from '../helpers/cli.ts'

const identity = await generateX25519Identity()
const recipient = await identityToRecipient(identity)

let home: Home
let other: Home
let file: string
let keys: string
beforeEach(async () => {
  home = await openHome()
  other = await openHome()
  file = join(home.folder, 'data.age')
  keys = join(home.folder, 'key.txt')
  writeFileSync(keys, `${identity}\n`)
})
afterEach(() => Promise.all([home.remove(), other.remove()]))

const dataOf = (at: Home, name = '.') => join(at.folder, '.local/share/cardctl', name)
const change = (at: Home, limit: number, ...more: string[]) =>
  at.run(['accounts', 'patch', '2001', '--type', 'credit', '-F', `creditLimit=${limit}`, ...more])
const exportAt = async (at: Home): Promise<string> =>
  (await at.json<{signedBy: string}>(['data', 'export', file, '--recipient', recipient])).signedBy
const importAt = (at: Home, ...more: string[]) =>
  at.run(['data', 'import', file, '--identity', keys, '--yes', ...more])

/** Every file of the data folder and its content. */
const filesOf = (at: Home): string[] =>
  readdirSync(dataOf(at), {recursive: true, withFileTypes: true})
    // Looking for a trail makes an empty head.
    .filter(each => each.isFile() && each.name !== 'audit.ndjson.head')
    .map(each => join(each.parentPath, each.name))
    .sort()
    .map(path => `${path} ${hash('sha256', readFileSync(path))}`)

interface Forged {
  /** Changes the files of the archive in their folder, where `/` is `_`. */
  readonly change?: (folder: string) => void
  /** Signs with another key; otherwise the signature stays as it was. */
  readonly signs?: boolean
  /** The name of a file in the new archive. */
  readonly rename?: (name: string) => string
}

/** Makes the file again, as anybody can who knows the public key of age. @returns the fingerprint of the forger */
async function forge({change, signs = true, rename = name => name}: Forged): Promise<string> {
  const folder = mkdtempSync(join(other.folder, 'forge-'))
  const age = new Decrypter()
  age.addIdentity(identity)
  const clear = await age.decrypt(readFileSync(file))
  const names = await unpack(once(clear), folder, () => true)
  change?.(folder)
  const bytes = (name: string) => readFileSync(join(folder, name.replaceAll('/', '_')))
  const manifest = JSON.parse(bytes('manifest.json').toString())
  const rest = names.filter(name => !['manifest.json', 'signature.json'].includes(name))
  if (signs) for (const name of rest) manifest.files[rename(name)] = hash('sha256', bytes(name))
  const text = `${JSON.stringify(manifest)}\n`
  const forger = join(folder, 'forger')
  mkdirSync(forger)
  const signature = signs ? signExport(forger, text) : JSON.parse(bytes('signature.json').toString())
  const files: Packed[] = [
    {name: 'manifest.json', content: text},
    {name: 'signature.json', content: `${JSON.stringify(signature)}\n`},
    ...rest.map(name => {
      const path = join(folder, name.replaceAll('/', '_'))
      return {name: rename(name), content: {file: path, size: bytes(name).length}}
    }),
  ]
  const pieces: Uint8Array[] = []
  for await (const piece of packed(files, 0)) pieces.push(piece)
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  writeFileSync(file, await encrypter.encrypt(Buffer.concat(pieces)))
  return fingerprintOf(signature.publicKey)
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

const inJournal =
  (...statements: readonly string[]) =>
  (folder: string): void => {
    const db = new DatabaseSync(join(folder, 'journal_sandbox.db'))
    for (const sql of statements) db.exec(sql)
    db.close()
  }

describe('data import trusts', () => {
  it('a machine that the user named, or agreed to at a terminal, and then without asking', async () => {
    await change(home, 6000)
    const signedBy = await exportAt(home)
    expect(signedBy).toMatch(/^[a-p]{4}(?:-[a-p]{4}){7}$/)
    const refused = await importAt(other)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`--trust ${signedBy}`)])
    const another = await importAt(other, '--trust', 'a'.repeat(32))
    expect([another.code, another.stderr]).toEqual([
      2,
      expect.stringContaining('not with the one of --trust'),
    ])
    const line = ['data', 'import', file, '--identity', keys]
    const declined = await other.run(line, {typed: [['Continue?', 'n']]})
    expect([declined.code, declined.stderr]).toEqual([
      2,
      expect.stringContaining('Nothing was sent or changed.'),
    ])
    expect((await other.run(line, {typed: [['Continue?', 'y']]})).code).toBe(0)
    expect((await importAt(other)).code).toBe(0)
  })

  it('its own exports', async () => {
    await change(home, 6000)
    await exportAt(home)
    expect((await importAt(home)).code).toBe(0)
  })
})

describe('data import refuses and changes nothing', () => {
  beforeEach(async () => {
    await change(home, 6000)
    await exportAt(home)
    await other.run(['cards', 'get', '3001'])
  })

  const refused = async (code: number, word: string, ...more: string[]) => {
    const before = filesOf(other)
    const result = await importAt(other, ...more)
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(word)])
    expect(filesOf(other)).toEqual(before)
  }

  it('a file that was changed and not signed again', async () => {
    const signedBy = await forge({change: inJournal(`UPDATE request SET outcome = 'none'`), signs: false})
    await refused(2, 'incomplete or was changed', '--trust', signedBy)
  })

  it('a file that somebody else signed', async () => {
    await forge({change: inJournal(`UPDATE request SET outcome = 'none'`)})
    await refused(2, 'CONFIRMATION_REQUIRED')
  })

  it.each([
    [
      'a trigger',
      `CREATE TRIGGER t AFTER INSERT ON request BEGIN DELETE FROM request WHERE id = NEW.id; END`,
    ],
    ['a view', 'CREATE VIEW v AS SELECT * FROM request'],
    ['another table', 'DROP TABLE kept_input'],
    ['another service', `UPDATE belongs_to SET service = 'https://api.example'`],
    ['no service', 'DELETE FROM belongs_to'],
    ['another key', `UPDATE belongs_to SET key_check = '0'`],
  ])('a journal with %s, whoever signed it', async (_, sql) => {
    const trust = await forge({change: inJournal(sql)})
    await refused(2, `A journal in ${file} is damaged: `, '--trust', trust)
    expect((await importAt(other, '--trust', trust)).stderr).not.toContain('transfer-')
    expect((await change(other, 6000)).code).toBe(0)
  })

  it.each(['..', 'local', 'api.example-0123456789ab'])('a journal with the id %s', async id => {
    const trust = await forge({
      rename: name => name.replace('journal/sandbox.', `journal/${id}.`),
      change: folder => {
        const path = join(folder, 'manifest.json')
        writeFileSync(path, readFileSync(path, 'utf8').replace('"id":"sandbox"', `"id":"${id}"`))
      },
    })
    await refused(2, 'it belongs to another service than its name says', '--trust', trust)
  })

  it.each([
    ['the trail', 'audit.key', ''],
    ['the trail', 'audit.key', 'ab'.repeat(31)],
    ['a journal', 'journal_sandbox.key', ''],
  ])('a damaged key of %s: %s', async (_, name, content) => {
    const trust = await forge({change: folder => writeFileSync(join(folder, name), content)})
    await refused(2, 'A key in the file is damaged', '--trust', trust)
  })

  it('a trail with another key', async () => {
    const trust = await forge({change: folder => writeFileSync(join(folder, 'audit.key'), 'ab'.repeat(32))})
    await refused(2, 'names another key', '--trust', trust)
  })
})

it('data import takes rows alone, with what was decided about proposals', async () => {
  await change(home, 6000)
  await exportAt(home)
  const trust = await forge({
    change: inJournal(
      `UPDATE request SET proposal = 'p_0123456789abcdef'`,
      'PRAGMA journal_mode = DELETE',
      'PRAGMA auto_vacuum = NONE',
      'PRAGMA page_size = 16384',
      'VACUUM',
    ),
  })
  const imported = await importAt(other, '--trust', trust)
  expect(imported.code, imported.stderr).toBe(0)
  const db = new DatabaseSync(dataOf(other, 'journal/sandbox.db'))
  expect(db.prepare('PRAGMA page_size').get()).toEqual({page_size: 4096})
  expect(db.prepare('PRAGMA auto_vacuum').get()).toEqual({auto_vacuum: 2})
  expect(db.prepare('SELECT DISTINCT proposal FROM request').all()).toEqual([
    {proposal: 'p_0123456789abcdef'},
  ])
  db.close()
})

describe('what was erased', () => {
  /** What the journals have of the words. */
  const left = (at: Home, words: readonly string[]) =>
    readdirSync(dataOf(at, 'journal'))
      .filter(name => name !== 'processes')
      .map(name => readFileSync(dataOf(at, join('journal', name))))
      .flatMap(bytes => words.filter(word => bytes.includes(word)))

  beforeEach(async () => {
    await change(home, 6000, '--note', 'Aino Planted called')
    const rows = join(home.folder, 'planted-file.csv')
    writeFileSync(rows, 'id,creditLimit\n2001,6001\n2002,6101\n')
    const bulk = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', rows, '--yes']
    // The second account has no limit, so its row fails.
    expect((await home.run(bulk)).code).toBe(11)
  })

  it('goes with the name of the file of a bulk job', async () => {
    expect(left(home, ['planted-file']).length).toBeGreaterThan(0)
    await home.json(['data', 'erase', '--account', '2001', '--yes'])
    expect(left(home, ['planted-file', 'Planted'])).toEqual([])
    expect(await home.json(['bulk', 'status', 'last'])).toMatchObject({source: 'erased', done: 1, failed: 1})
  })

  it.each(['merged', 'replaced'])('does not come back with a backup: %s', async result => {
    await exportAt(home)
    const words = ['Planted', 'planted-file', 'account:2001', '/2001']
    await home.json(['data', 'erase', '--account', '2001', '--yes'])
    if (result === 'replaced') {
      const db = new DatabaseSync(dataOf(home, 'journal/sandbox.db'))
      db.exec(`INSERT OR REPLACE INTO home VALUES (1, 'copy', 0, 0)`)
      db.close()
    } else {
      // As if they had been pruned too.
      const db = new DatabaseSync(dataOf(home, 'journal/sandbox.db'))
      db.exec('DELETE FROM request; DELETE FROM bulk_row; DELETE FROM bulk_job')
      db.close()
    }
    const {code, stdout, stderr} = await importAt(home, '-o', 'json')
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({journals: [{result}]})
    expect(left(home, words)).toEqual([])
    expect(await home.json(['requests', 'list', '--resource', '2001'])).toEqual([])
    expect(await home.json(['requests', 'list'])).toHaveLength(3)
    expect(await home.json(['bulk', 'status', 'last'])).toMatchObject({source: 'erased', done: 1, failed: 1})
    // Of another person.
    expect(await home.json(['requests', 'list', '--resource', '2002'])).toHaveLength(1)
  })
})
