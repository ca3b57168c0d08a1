import type {Surroundings} from '../../../cli/surroundings.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {readInput, unreadableInput} from '../../../input/read-input.ts'
import {LIMITS} from '../../../limits/limits.ts'
import {readNdjson} from '../../../rows/read-rows.ts'
import type {Exchange} from '../../../webhook/index.ts'

/** The calls in a file from `webhook events export`, in its order: newest first. @throws Failure INPUT_INVALID */
export async function* exportedCalls(
  file: string,
  {signal}: Surroundings,
): AsyncGenerator<Exchange, void, undefined> {
  try {
    for await (const {row, values} of readNdjson(readInput(file, signal), {
      source: file,
      limits: LIMITS.recordedCall,
    })) {
      const {event, request} = values as Partial<Exchange>
      if (typeof event?.event !== 'string' || typeof request !== 'object' || request === null) {
        throw new Failure('INPUT_INVALID', {
          message: `${file}, row ${row}: not a recorded call.`,
          hint: advice`Write the file with ${cardctl('webhook', 'events', 'export')}`,
        })
      }
      const exchange = values as unknown as Exchange
      // `events show -o json` writes the time as ISO 8601.
      yield {...exchange, event: {...exchange.event, at: new Date(exchange.event.at).getTime()}}
    }
  } catch (error) {
    throw unreadableInput(file, error)
  }
}
