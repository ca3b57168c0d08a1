import {copyFileSync, mkdtempSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {Checkpointer, openDatabase} from '../../src/sqlite/index.ts'

const ROW = 'x'.repeat(1000)
const ROUNDS = 8
const ROWS = 1000

test('the log is folded in beside the writing: nothing is lost, and it does not grow', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardctl-fold-'))
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
  const file = join(folder, 'some.db')
  const migrations = ['CREATE TABLE text (content TEXT NOT NULL) STRICT']
  const db = openDatabase(file, {kind: 'journal', migrations})
  const checkpointer = new Checkpointer(db)
  /** What stands in the file without its log. */
  const folded = () => {
    const copy = join(folder, 'copy.db')
    copyFileSync(file, copy)
    using alone = openDatabase(copy, {kind: 'journal', migrations})
    return alone.get<{count: number}>('SELECT count(*) AS count FROM text')?.count
  }
  const logs: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    for (let row = 0; row < ROWS; row++) db.run('INSERT INTO text VALUES (?)', [ROW])
    checkpointer.begin()
    await expect.poll(folded).toBe(round * ROWS)
    logs.push(statSync(`${file}-wal`).size)
  }
  // Each round begins it anew.
  expect(Math.max(...logs)).toBeLessThan(2 * (logs[0] ?? 0))
  await checkpointer.close()
  db.close()
  using again = openDatabase(file, {kind: 'journal', migrations})
  expect(again.get('SELECT count(*) AS count FROM text')).toEqual({count: ROUNDS * ROWS})
})
