import type {QueryResultRow} from 'pg'
import {type Connections, isAnswered} from './connect.ts'

/**
 * One statement. If there is no response in time, its connection is closed.
 *
 * @throws the driver's error; without a code if there was no response in time.
 */
export async function query<Row extends QueryResultRow>(
  {pool}: Connections,
  text: string,
  values: readonly unknown[],
  responseMs: number,
): Promise<readonly Row[]> {
  const client = await pool.connect()
  let isOver = false
  const release = (close: boolean): void => {
    if (!isOver) client.release(close)
    isOver = true
  }
  const late = setTimeout(() => release(true), responseMs)
  try {
    const {rows} = await client.query<Row>(text, [...values])
    release(false)
    return rows
  } catch (error) {
    release(!isAnswered(error))
    throw error
  } finally {
    clearTimeout(late)
  }
}
