import {randomBytes} from 'node:crypto'
import {sortableIds} from '../../../src/clock/sortable-ids.ts'
import {type Exchange, openRecorder, openRecording, type Recording} from '../../../src/webhook/index.ts'
import {exchangeOf, NOON, type Sample} from './sample-calls.ts'

/** How the calls of a recording follow each other, ms. */
const EVERY = 1000

/** Writes calls to a recording, the first of them the oldest. Their ids have their times, as those of a server have. */
export async function recorded(
  file: string,
  count: number,
  sampleOf: (number: number, earlier: readonly string[]) => Sample = number => ({amount: number}),
): Promise<{readonly events: readonly string[]; open(): Recording}> {
  const recorder = openRecorder({
    file,
    durability: 'relaxed',
    keepMs: Number.MAX_SAFE_INTEGER,
    now: () => NOON,
    onTrouble: trouble => {
      throw new Error(JSON.stringify(trouble))
    },
  })
  let at = 0
  const newId = sortableIds({now: () => at, randomBytes})
  const events: string[] = []
  for (let number = 1; number <= count; number++) {
    at = NOON - (count - number) * EVERY
    const exchange = exchangeOf(number, {at, ...sampleOf(number, events)})
    const event = newId('e_')
    events.push(event)
    await recorder.record({...exchange, event: {...exchange.event, event}} as Exchange)
  }
  await recorder.close()
  return {events, open: () => openRecording(file)}
}
