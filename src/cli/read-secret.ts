import {Failure} from '../errors/failure.ts'
import {untilAborted} from '../input/read-input.ts'
import {Sink} from '../output/sink.ts'
import {glyphsFor, isAsciiOnly} from '../output/terminal.ts'
import {Secret} from '../sensitive/secret.ts'
import {endedAtQuestion, StepBack, stoppedAtQuestion, whileAsking} from './question-ends.ts'
import type {Surroundings} from './surroundings.ts'

const LONGEST = 64 * 1024

/**
 * Reads one line that must not be seen: from a terminal without echo, otherwise the first line of stdin. The bytes go
 * straight into a Buffer that the caller wipes. They never become a string.
 */
export async function readSecretLine(
  surroundings: Surroundings,
  prompt: string,
  {isOnly = false, goesBack = false}: LineSettings = {},
): Promise<Secret<Buffer>> {
  return surroundings.stdin.isTTY
    ? readFromTerminal(surroundings, prompt, goesBack)
    : readLine(surroundings, prompt, isOnly)
}

interface LineSettings {
  /** Whether nobody reads stdin afterwards: more lines that came with this one would be lost unseen, so they are refused. */
  readonly isOnly?: boolean
  /** Esc throws a StepBack. Without it, Esc leaves. */
  readonly goesBack?: boolean
}

/** How long the rest of a key that begins with Esc may take, in milliseconds: terminals send it at once. */
const REST_OF_KEY = 50

async function readFromTerminal(
  surroundings: Surroundings,
  prompt: string,
  goesBack: boolean,
): Promise<Secret<Buffer>> {
  const {env, stdin, stderr} = surroundings
  const screen = new Sink(stderr)
  const {bullet} = glyphsFor(isAsciiOnly(env))
  const line = new HiddenLine(bullet, text => screen.say(text))
  let stopWatching: (() => void) | undefined
  let onData: ((chunk: Buffer) => void) | undefined
  let escaped: NodeJS.Timeout | undefined
  // The terminal must not echo what is typed as soon as the question appears.
  stdin.setRawMode?.(true)
  screen.say(`${prompt}${goesBack ? ' (Esc back)' : ''}: `)
  stdin.resume()
  try {
    await new Promise<void>((resolve, reject) => {
      stopWatching = whileAsking(surroundings, reject)
      onData = chunk => {
        clearTimeout(escaped)
        const end = line.type(chunk)
        chunk.fill(0)
        if (line.endsInEscape) {
          escaped = setTimeout(() => {
            line.forgetEscape()
            reject(goesBack ? new StepBack() : stoppedAtQuestion('SIGINT'))
          }, REST_OF_KEY)
        }
        if (end === 'entered') resolve()
        else if (end === 'interrupted') reject(stoppedAtQuestion('SIGINT'))
        else if (end === 'ended') reject(endedAtQuestion())
      }
      stdin.on('data', onData)
    })
    return line.take()
  } finally {
    stopWatching?.()
    clearTimeout(escaped)
    if (onData) stdin.off('data', onData)
    line.wipe()
    stdin.setRawMode?.(false)
    stdin.pause()
    screen.say('\n')
  }
}

type LineEnd = 'entered' | 'interrupted' | 'ended'

const ENTER = [0x0d, 0x0a]
/** Ctrl-C and Ctrl-D, which are ordinary characters while the terminal's line editing is off. */
const INTERRUPT = 0x03
const END = 0x04
const ERASE = [0x7f, 0x08]
const ERASE_LINE = 0x15
const ESCAPE = 0x1b
/** What follows Esc in a key such as an arrow: `[` and parameters up to a letter, or `O` and one more. */
const SEVERAL = 0x5b
const ONE_MORE = 0x4f

/** The bytes typed on a raw terminal, shown as bullets. Arrows and other keys without a character are ignored. */
class HiddenLine {
  readonly #bytes = Buffer.alloc(1024)
  readonly #bullet: string
  readonly #echo: (text: string) => void
  #length = 0
  /** Where in a key that begins with Esc the last byte was. */
  #key: 'none' | 'escape' | 'several' | 'one' = 'none'

  constructor(bullet: string, echo: (text: string) => void) {
    this.#bullet = bullet
    this.#echo = echo
  }

  type(chunk: Uint8Array): LineEnd | undefined {
    for (const byte of chunk) {
      if (ENTER.includes(byte)) return 'entered'
      if (byte === INTERRUPT) return 'interrupted'
      // As in a terminal: after some text it ends the line, otherwise the input.
      if (byte === END) return this.#length > 0 ? 'entered' : 'ended'
      if (byte === ESCAPE) this.#key = 'escape'
      else if (this.#key !== 'none' && byte >= 0x20) this.#key = this.#afterEscape(byte)
      else if (ERASE.includes(byte)) this.#erase(1)
      else if (byte === ERASE_LINE) this.#erase(this.#length)
      else if (byte >= 0x20 && this.#length < this.#bytes.length) {
        this.#bytes[this.#length++] = byte
        this.#echo(this.#bullet)
      }
    }
    return undefined
  }

  /** Whether the last byte was an Esc: the key itself, or the begin of another one. */
  get endsInEscape(): boolean {
    return this.#key === 'escape'
  }

  forgetEscape(): void {
    this.#key = 'none'
  }

  #afterEscape(byte: number): 'none' | 'several' | 'one' {
    if (this.#key === 'escape' && byte === SEVERAL) return 'several'
    if (this.#key === 'escape' && byte === ONE_MORE) return 'one'
    const isLast = this.#key !== 'several' || (byte >= 0x40 && byte <= 0x7e)
    return isLast ? 'none' : 'several'
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

async function readLine(surroundings: Surroundings, what: string, isOnly: boolean): Promise<Secret<Buffer>> {
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
      if (isOnly && hasText(chunk.subarray(end + 1))) {
        for (const each of [...chunks, chunk]) each.fill(0)
        throw new Failure('INPUT_INVALID', {
          message: `${what}: stdin has more than one line.`,
          hint: 'Write the value alone to stdin. Run the command once for each value.',
          effect: 'none',
        })
      }
      // What follows the line belongs to the next reader, for example a second PIN or --data -.
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

const hasText = (bytes: Uint8Array): boolean => bytes.some(byte => byte > 0x20)

/** The error of a broken stdin means nothing to a user. @throws Failure INPUT_INVALID; as `untilAborted`. */
export async function* readStdin(
  {stdin, stderr, signal}: Surroundings,
  what: string,
): AsyncGenerator<Buffer> {
  if (stdin.isTTY) new Sink(stderr).say(`${what}: reading from this terminal, Ctrl-D ends it\n`)
  try {
    yield* untilAborted(stdin, signal)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('INPUT_INVALID', {message: `${what}: stdin cannot be read.`, cause: error})
  }
}
