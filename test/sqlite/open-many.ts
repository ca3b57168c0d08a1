// Opens one database from many processes at once and adds rows under the write lock.
import {immediate, openDatabase} from '../../src/sqlite/index.ts'

const [file = '', rows = '0', synchronous = 'NORMAL'] = process.argv.slice(2)
const migrations = [
  'CREATE TABLE counter (id INTEGER PRIMARY KEY, value INTEGER)',
  'INSERT INTO counter VALUES (1, 0)',
]
using db = openDatabase(file, {
  kind: 'journal',
  migrations,
  synchronous: synchronous === 'FULL' ? 'FULL' : 'NORMAL',
  busyTimeoutMs: 30_000,
})
for (let i = 0; i < Number(rows); i++) {
  immediate(db, () => {
    const row = db.get<{value: number}>('SELECT value FROM counter WHERE id = 1')
    db.run('UPDATE counter SET value = ? WHERE id = 1', [(row?.value ?? 0) + 1])
  })
}
