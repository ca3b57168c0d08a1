import {Failure} from '../errors/failure.ts'
import {untilAborted} from '../input/read-input.ts'
import {Secret} from '../sensitive/secret.ts'
import {stoppedAtQuestion} from './prompt.ts'
import type {Surroundings} from './surroundings.ts'

const LONGEST = 64 * 1024
const BULLET = '•'

/**
 * Reads one line that must not be seen: from a terminal without echo, else the first line of stdin. The bytes go
 * straight into a Buffer that the caller wipes; no string of them is ever made here.
 */
export async function readSecretLine(surroundings: Surroundings, prompt: string): Promise<Secret<Buffer>> {
  return surroundings.stdin.isTTY ? readFromTerminal(surroundings, prompt) : readLine(surroundings, prompt)
}

async function readFromTerminal(
  {stdin, stderr, signal}: Surroundings,
  prompt: string,
): Promise<Secret<Buffer>> {
  const line = new HiddenLine(text => stderr.write(text))
  stderr.write(`${prompt}: `)
  stdin.setRawMode?.(true)
  stdin.resume()
  try {
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => finish('interrupted')
      const onData = (chunk: Buffer): void => {
        const end = line.type(chunk)
        chunk.fill(0)
        if (end !== undefined) finish(end)
      }
      const finish = (end: LineEnd): void => {
        stdin.off('data', onData)
        signal.removeEventListener('abort', onAbort)
        if (end === 'entered') resolve()
        else reject(stoppedAtQuestion())
      }
      stdin.on('data', onData)
      signal.addEventListener('abort', onAbort)
    })
    return line.take()
  } finally {
    line.wipe()
    stdin.setRawMode?.(false)
    stdin.pause()
    stderr.write('\n')
  }
}

type LineEnd = 'entered' | 'interrupted'

const ENTER = [0x0d, 0x0a, 0x04]
const INTERRUPT = 0x03
const ERASE = [0x7f, 0x08]
const ERASE_LINE = 0x15

/** What is typed on a raw terminal, as bytes, shown as bullets. */
class HiddenLine {
  readonly #bytes = Buffer.alloc(1024)
  readonly #echo: (text: string) => void
  #length = 0

  constructor(echo: (text: string) => void) {
    this.#echo = echo
  }

  type(chunk: Uint8Array): LineEnd | undefined {
    for (const byte of chunk) {
      if (ENTER.includes(byte)) return 'entered'
      if (byte === INTERRUPT) return 'interrupted'
      if (ERASE.includes(byte)) this.#erase(1)
      else if (byte === ERASE_LINE) this.#erase(this.#length)
      else if (byte >= 0x20 && this.#length < this.#bytes.length) {
        this.#bytes[this.#length++] = byte
        this.#echo(BULLET)
      }
    }
    return undefined
  }

  take(): Secret<Buffer> {
    return new Secret(Buffer.from(this.#bytes.subarray(0, this.#length)))
  }

  wipe(): void {
    this.#bytes.fill(0)
  }

  #erase(count: number): void {
    const gone = Math.min(count, this.#length)
    this.#length -= gone
    this.#bytes.fill(0, this.#length, this.#length + gone)
    this.#echo('\b \b'.repeat(gone))
  }
}

async function readLine(surroundings: Surroundings, what: string): Promise<Secret<Buffer>> {
  const chunks: Buffer[] = []
  let size = 0
  let ended = false
  for await (const chunk of readStdin(surroundings, what)) {
    const end = chunk.indexOf('\n')
    const wanted = end === -1 ? chunk : chunk.subarray(0, end)
    chunks.push(wanted)
    size += wanted.length
    if (size > LONGEST)
      throw new Failure('INPUT_INVALID', {message: `${what}: stdin holds more than ${LONGEST} bytes.`})
    if (end !== -1) {
      // What follows the line belongs to the next reader, such as a second PIN or the data of --data -.
      if (end + 1 < chunk.length) surroundings.stdin.unshift(Buffer.from(chunk.subarray(end + 1)))
      ended = true
      break
    }
  }
  const joined = Buffer.concat(chunks)
  for (const chunk of chunks) chunk.fill(0)
  const trimmed = joined.at(-1) === 0x0d ? joined.subarray(0, -1) : joined
  if (trimmed.length === 0 && !ended) {
    throw new Failure('INPUT_INVALID', {
      message: `${what}: stdin was empty.`,
      hint: 'Write the value on one line to stdin, or run the command on a terminal.',
    })
  }
  return new Secret(trimmed)
}

/** What a broken stdin throws says nothing to a person. @throws Failure INPUT_INVALID; INTERRUPTED, TERMINATED. */
export async function* readStdin({stdin, signal}: Surroundings, what: string): AsyncGenerator<Buffer> {
  try {
    yield* untilAborted(stdin, signal)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('INPUT_INVALID', {message: `${what}: stdin cannot be read.`, cause: error})
  }
}
