import {constants, createReadStream, fstatSync, openSync, readFileSync, statSync} from 'node:fs'
import {stat} from 'node:fs/promises'
import type {Readable} from 'node:stream'
import {isatty} from 'node:tty'
import {Failure} from '../errors/failure.ts'
import {interrupted} from '../errors/interruption.ts'
import {errnoOf, isLostTerminal, reasonOf} from '../errors/system-reason.ts'

/**
 * The bytes of a file or a pipe that somebody named. Waits for a pipe's writer no longer than until the signal.
 *
 * @throws the system's error; Failure INTERRUPTED, TERMINATED or HUNG_UP at the signal, HUNG_UP at the end of a terminal
 * that was closed: what was typed by then is not all of it.
 */
export async function* readInput(path: string, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  const stream = await openInput(path)
  try {
    yield* untilAborted(stream, signal)
  } finally {
    stream.destroy()
  }
}

/** Files up to this many bytes are read at once. */
const SMALL = 256 * 1024

/** All of a file or pipe; undefined where it is longer than `most` bytes. @throws as `readInput`. */
export async function readWhole(
  path: string,
  signal: AbortSignal,
  most: number,
): Promise<Buffer | undefined> {
  const info = statSync(path)
  // The way to another thread and back takes longer.
  if (info.isFile() && info.size > 0 && info.size <= Math.min(most, SMALL)) return readFileSync(path)
  return joinPieces(readInput(path, signal), most)
}

/** All pieces as one; undefined where they are longer than `most` bytes. */
export async function joinPieces(pieces: AsyncIterable<Buffer>, most: number): Promise<Buffer | undefined> {
  const kept: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > most) return undefined
    kept.push(piece)
  }
  return Buffer.concat(kept)
}

/** The pieces of a stream, which stays open for the next reader. @throws as `readInput`. */
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
    if (signal.aborted) throw stopped(signal.reason)
    throw isLostTerminal(stream, error) ? stopped('SIGHUP') : error
  } finally {
    signal.removeEventListener('abort', end)
  }
  if (signal.aborted) throw stopped(signal.reason)
  if (isClosedTerminal(stream)) throw stopped('SIGHUP')
}

/** Whether it is there, and reading it takes nothing from the next reader: not a pipe, nor a terminal. */
export async function canReadAgain(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined)
  return info?.isFile() === true
}

/**
 * Whether the bytes come from a pipe, a socket or a terminal, whose writer may have died before the end. A file that
 * stdin reads from is a file.
 */
export async function isStreamed(
  source: string,
  stdin: Readable & {readonly fd?: unknown},
): Promise<boolean> {
  if (source !== '-') return !(await canReadAgain(source))
  return typeof stdin.fd !== 'number' || !fstatSync(stdin.fd).isFile()
}

/** Tries to read a file. Takes nothing from a pipe or terminal. @throws the system's error */
export async function tryInput(path: string, signal: AbortSignal): Promise<void> {
  if (await isReadOnce(path)) return
  for await (const _ of readInput(path, signal)) return
}

/** Whether what is read of it is gone: a pipe, as of `<(…)`, or a terminal. @throws the system's error */
export async function isReadOnce(path: string): Promise<boolean> {
  const info = await stat(path)
  return info.isFIFO() || info.isCharacterDevice()
}

/** Pipes and terminals are polled: reading a silent one like a file would hold a thread, and the process couldn't end. */
async function openInput(path: string): Promise<Readable> {
  const info = await stat(path)
  if (!info.isFIFO() && !info.isCharacterDevice()) return createReadStream(path)
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (info.isFIFO()) {
    const {Socket} = await import('node:net')
    return new Socket({fd, readable: true, writable: false})
  }
  const {ReadStream} = await import('node:tty')
  return isatty(fd) ? new ReadStream(fd) : createReadStream(path, {fd})
}

const stopped = (reason: unknown): Failure =>
  interrupted(reason, {
    message: 'Stopped while waiting for input.',
    hint: 'Nothing was sent.',
    effect: 'none',
  })

/**
 * Whether a stream that has ended is a terminal whose window was closed. Its reader sees the same end as at Ctrl-D, but
 * its file descriptor is no longer a terminal.
 */
export function isClosedTerminal(
  stream: Readable & {readonly isTTY?: boolean; readonly fd?: unknown},
): boolean {
  return stream.isTTY === true && typeof stream.fd === 'number' && !isatty(stream.fd)
}

/** Turns a system error of reading a named file or stream into a Failure INPUT_INVALID; other errors pass unchanged. */
export function unreadableInput(name: string, error: unknown): unknown {
  if (error instanceof Failure || errnoOf(error) === undefined) return error
  return new Failure('INPUT_INVALID', {
    message: name === '' ? 'The file to read has no name.' : `${name} cannot be read: ${reasonOf(error)}.`,
    effect: 'none',
    cause: error,
  })
}
