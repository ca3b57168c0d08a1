import type {QueryConfig, QueryResultRow} from 'pg'
import type {Connections} from './connect.ts'
import {untilNotOvertaken} from './overtaken.ts'
import {isAnswered} from './reasons.ts'

/** How long a statement may wait for a lock whose holder is known, ms. */
const HELD_MS = 30_000
const LOOK_MS = 500

/**
 * One statement. If there is no response in time, its connection is closed.
 *
 * @param isHeld whether it is known to wait for others, which is no reason to end it soon.
 * @param hurry when it aborts, there is this little time left.
 * @throws the driver's error; without a code if there was no response in time.
 */
export const query = <Row extends QueryResultRow>(
  connections: Connections,
  text: string,
  values: readonly unknown[],
  responseMs: number,
  isHeld: () => boolean = () => false,
  hurry?: Hurry,
): Promise<readonly Row[]> =>
  untilNotOvertaken(() => queryOnce<Row>(connections, text, values, {responseMs, isHeld, hurry}))

/** Ends the wait for a statement that is under way. */
interface Hurry {
  readonly signal: AbortSignal
  readonly ms: number
}

async function queryOnce<Row extends QueryResultRow>(
  {connect}: Connections,
  text: string,
  values: readonly unknown[],
  {
    responseMs,
    isHeld,
    hurry,
  }: {readonly responseMs: number; readonly isHeld: () => boolean; readonly hurry: Hurry | undefined},
): Promise<readonly Row[]> {
  const client = await connect()
  const began = performance.now()
  let isOver = false
  const release = (close: boolean): void => {
    if (!isOver) client.release(close)
    isOver = true
  }
  const giveUp = (): void => {
    if (isHeld() && performance.now() - began < HELD_MS) late = setTimeout(giveUp, LOOK_MS)
    else release(true)
  }
  let late = setTimeout(giveUp, responseMs)
  const hurryUp = (): void => {
    clearTimeout(late)
    late = setTimeout(giveUp, hurry?.ms)
  }
  hurry?.signal.addEventListener('abort', hurryUp)
  try {
    const {rows} = await client.query<Row>(text, [...values])
    release(false)
    return rows
  } catch (error) {
    release(!isAnswered(error))
    throw error
  } finally {
    clearTimeout(late)
    hurry?.signal.removeEventListener('abort', hurryUp)
  }
}

/**
 * One statement, for as long as the connections allow.
 *
 * @throws the driver's error
 */
export const ask = <Row extends QueryResultRow>(connections: Connections, statement: QueryConfig) =>
  untilNotOvertaken(() => askOnce<Row>(connections, statement))

async function askOnce<Row extends QueryResultRow>(
  {connect}: Connections,
  statement: QueryConfig,
): Promise<readonly Row[]> {
  const client = await connect()
  try {
    const {rows} = await client.query<Row>(statement)
    client.release()
    return rows
  } catch (error) {
    client.release(!isAnswered(error))
    throw error
  }
}
