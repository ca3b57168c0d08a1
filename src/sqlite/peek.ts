import {statSync} from 'node:fs'
import {DatabaseSync} from 'node:sqlite'
import {pathToFileURL} from 'node:url'

/**
 * Rows of a database that other processes may be writing to. Creates nothing, locks nothing and waits for nothing: the
 * file is read as if nobody wrote to it, without its log, so what was written last may be missing.
 *
 * @throws what node:sqlite throws if there is no such file, or it is damaged or changes meanwhile.
 */
export function peek<Row>(file: string, sql: string, values: readonly string[] = []): Row[] {
  // Opening a pipe would wait for a writer.
  if (!statSync(file).isFile()) throw new Error('It is not a regular file')
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  const db = new DatabaseSync(url, {readOnly: true})
  try {
    return db.prepare(sql).all(...values) as Row[]
  } finally {
    db.close()
  }
}
