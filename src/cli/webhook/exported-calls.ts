import {createReadStream} from 'node:fs'
import {Failure} from '../../errors/failure.ts'
import {readNdjson} from '../../rows/index.ts'
import type {Exchange} from '../../webhook/index.ts'

/** The calls that `webhook events export` has written to a file, in its order: newest first. @throws Failure INPUT_INVALID */
export async function* exportedCalls(file: string): AsyncGenerator<Exchange, void, undefined> {
  try {
    for await (const {row, values} of readNdjson(createReadStream(file), {source: file})) {
      const {event, request} = values as Partial<Exchange>
      if (typeof event?.event !== 'string' || typeof request !== 'object' || request === null) {
        throw new Failure('INPUT_INVALID', {
          message: `${file}, row ${row}: this is no recorded call.`,
          hint: 'Write the file with webhook events export.',
        })
      }
      yield values as unknown as Exchange
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    const code = (error as NodeJS.ErrnoException).code
    throw new Failure('INPUT_INVALID', {message: `${file} cannot be read (${code}).`, cause: error})
  }
}
