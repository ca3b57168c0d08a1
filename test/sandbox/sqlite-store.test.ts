// What holds of the store in SQLite files alone: others that open the file, kill -9, a full disk.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {DatabaseSync} from 'node:sqlite'
import {describe, expect, test} from 'vitest'
import {openSqliteStore} from '../../src/sandbox/store/sqlite-store.ts'
import {indexedFields, migrations, tableNames} from '../../src/sandbox/store/tables.ts'
import {openDatabase} from '../../src/sqlite/index.ts'
import {temporaryFile, testSandbox} from './helpers/sandbox.ts'

const list = (id: string, code = 'A') => ({id, code})
const entry = (path: string) => new URL(`../../src/sandbox/${path}`, import.meta.url).href

describe('the schema', () => {
  test.each(tableNames)('%s has a column and an index for each member it is looked up by', name => {
    const db = openDatabase(':memory:', {kind: 'sandbox', migrations})
    const columns = db.all<{name: string; type: string}>(
      `SELECT name, type FROM pragma_table_info('${name}')`,
    )
    const indexed = db.all<{name: string}>(`SELECT name FROM pragma_index_list('${name}') WHERE origin = 'c'`)
    db.close()
    const looked = columns.filter(column => !['seq', 'id', 'row'].includes(column.name))
    expect(Object.fromEntries(looked.map(column => [column.name, column.type]))).toEqual(indexedFields[name])
    expect(indexed).toHaveLength(looked.length)
  })
})

test('a transaction holds the write lock from its start, and reading holds none', async () => {
  const file = await temporaryFile()
  const store = openSqliteStore(file)
  const other = new DatabaseSync(file, {timeout: 0})
  const write = () => other.exec("INSERT INTO settings (id, row) VALUES (hex(randomblob(8)), '{}')")
  await store.transaction(async tx => {
    await tx.settings.get('any')
    expect(write).toThrow('locked')
  })
  await store.read(async tx => {
    const before = await tx.settings.count()
    write()
    expect(await tx.settings.count()).toBe(before)
  })
  other.close()
  await store.close()
})

describe('a group of the store', () => {
  test('is committed before anyone can see it', async () => {
    const file = await temporaryFile()
    const store = openSqliteStore(file)
    const other = new DatabaseSync(file)
    const isStored = (id: string) =>
      other.prepare('SELECT 1 FROM priceLists WHERE id = ?').get(id) !== undefined
    const stored = await Promise.all(
      Array.from({length: 250}, (_, at) => `${at}`).flatMap(id => [
        store.transaction(tx => tx.priceLists.put(list(id))).then(() => isStored(id)),
        store.read(tx => tx.priceLists.get(id)).then(found => found !== undefined && isStored(id)),
      ]),
    )
    expect(new Set(stored)).toEqual(new Set([true]))
    other.close()
    await store.close()
  })

  test('on a disk that is nearly full, only what does not fit fails', async () => {
    const file = await temporaryFile()
    const child = spawn('bash', [
      ...['-c', 'ulimit -f 2048; exec "$@"', 'bash', process.execPath, '--input-type=module', '-e'],
      ...[tooLarge, entry('store/sqlite-store.ts'), file],
    ])
    const lines = createInterface({input: child.stdout})
    const [line] = (await once(lines, 'line')) as [string]
    expect(JSON.parse(line)).toEqual(['stored', 'STORE_UNAVAILABLE', 'stored', 2])
  })
})

/** Writes three rows together, the second larger than files may be. */
const tooLarge = `
const {openSqliteStore} = await import(process.argv[1])
const store = openSqliteStore(process.argv[2])
const put = (id, code) =>
  store.transaction(tx => tx.priceLists.put({id, code})).then(() => 'stored', error => error.code)
const outcomes = await Promise.all([put('1', 'A'), put('2', 'x'.repeat(4_000_000)), put('3', 'C')])
console.log(JSON.stringify([...outcomes, await store.read(tx => tx.priceLists.count())]))
`

describe('kill -9', () => {
  test('in the middle of a group leaves nothing of it, and all of the group before', async () => {
    const file = await temporaryFile()
    const child = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      dying,
      entry('store/sqlite-store.ts'),
      file,
    ])
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    const store = openSqliteStore(file)
    expect(await store.read(async tx => (await tx.priceLists.list()).map(row => row.id))).toEqual([
      'a',
      'b',
      'c',
    ])
    await store.close()
  })

  test('loses nothing that was answered, and does nothing by half', async () => {
    const file = await temporaryFile()
    const answered = new Set<string>()
    for (const [round, most] of [20, 150].entries()) {
      const child = spawn(process.execPath, [
        ...['--input-type=module', '-e', busy, entry('index.ts'), file, `${round}`],
      ])
      const ended = once(child, 'exit')
      let left = most
      for await (const key of createInterface({input: child.stdout})) {
        answered.add(key)
        if (left-- === 0) child.kill('SIGKILL')
      }
      await ended
    }
    const db = new DatabaseSync(file)
    const kept = db
      .prepare('SELECT id FROM keptReplies')
      .all()
      .map(row => JSON.parse(String(row.id))[3] as string)
    db.close()
    expect([...answered].filter(key => !kept.includes(key))).toEqual([])
    const sandbox = await testSandbox({file})
    const {body} = await sandbox.op('sandbox.state.get', {path: {kind: 'account', id: '2002'}})
    expect(body).toMatchObject({effects: kept.length})
  })
})

/** Commits a group of three rows, then dies in the middle of another one. */
const dying = `
const {openSqliteStore} = await import(process.argv[1])
const store = openSqliteStore(process.argv[2])
const put = id => store.transaction(async tx => {
  if (id === 'f') process.kill(process.pid, 'SIGKILL')
  await tx.priceLists.put({id, code: 'A'})
})
await Promise.all(['a', 'b', 'c'].map(put))
await Promise.all(['d', 'e', 'f', 'g'].map(put))
`

/** Sends updates with keys, sixteen at a time, and prints the key of each that was answered at once. */
const busy = `
const {writeSync} = await import('node:fs')
const {createSandbox} = await import(process.argv[1])
const [, , file, round] = process.argv
const sandbox = await createSandbox({file})
let count = 0
const send = async () => {
  for (;;) {
    const key = round + '-' + count++
    const reply = await sandbox.handle({
      method: 'PATCH', url: '/v4/DEBIT/2002?auditUser=a', body: JSON.stringify({name: key}),
      headers: {'content-type': 'application/json', 'x-idempotency-key': key},
    })
    if (reply.status === 200) writeSync(1, key + '\\n')
  }
}
await Promise.all(Array.from({length: 16}, send))
`
