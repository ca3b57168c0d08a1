import {constants, createReadStream, openSync} from 'node:fs'
import {stat} from 'node:fs/promises'
import type {Readable} from 'node:stream'
import {Failure} from '../errors/failure.ts'

/**
 * The bytes of a file or a pipe that somebody named. Waits for a pipe's writer no longer than until the signal.
 *
 * @throws the system's error; Failure INTERRUPTED or TERMINATED at the signal.
 */
export async function* readInput(path: string, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  const stream = await openInput(path)
  try {
    yield* untilAborted(stream, signal)
  } finally {
    stream.destroy()
  }
}

/** What comes out of a stream, which stays open for the next reader. @throws as `readInput`. */
export async function* untilAborted(
  stream: Readable,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const end = () => stream.destroy()
  signal.addEventListener('abort', end, {once: true})
  if (signal.aborted) end()
  try {
    for await (const piece of stream.iterator({destroyOnReturn: false})) {
      yield Buffer.isBuffer(piece) ? piece : Buffer.from(piece as string)
    }
  } catch (error) {
    throw signal.aborted ? stopped(signal) : error
  } finally {
    signal.removeEventListener('abort', end)
  }
  if (signal.aborted) throw stopped(signal)
}

/** To open a pipe that nobody writes to holds a thread, and with it the end of the process: such a one is polled. */
async function openInput(path: string): Promise<Readable> {
  if (!(await stat(path)).isFIFO()) return createReadStream(path)
  const {Socket} = await import('node:net')
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return new Socket({fd, readable: true, writable: false})
}

const stopped = ({reason}: AbortSignal): Failure =>
  new Failure(reason === 'SIGTERM' ? 'TERMINATED' : 'INTERRUPTED', {
    message: 'Stopped while input was waited for.',
    hint: 'Nothing was sent.',
    effect: 'none',
  })
