import {spawn} from 'node:child_process'
import {stripVTControlCharacters} from 'node:util'
import type {ChildEnvironment} from '../children/child-environment.ts'
import {waitForSameSignal} from '../children/same-signal.ts'
import {duration} from '../errors/duration.ts'
import {interrupted} from '../errors/interruption.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import {MASK, Secret} from '../sensitive/secret.ts'

/** Long enough for a password manager that waits for a touch on a security key, in milliseconds. */
const TIME_LIMIT = 30_000
const LONGEST = 64 * 1024
/** How long a stopped command may take to restore the terminal, in milliseconds. */
const LAST_WORDS = 300

export type CommandResult =
  | {readonly output: Secret<Buffer>}
  /** Why there is no output, with the end of what the command wrote to stderr, masked. */
  | {readonly problem: string}

/**
 * Runs a command without a shell and returns what it writes to stdout. Its stdin is empty. Of its stderr, the last line is
 * told if it fails, without what looks like a secret. Its own prompt works, on the terminal device or in a window.
 *
 * @throws Failure INTERRUPTED, TERMINATED, HUNG_UP at the signal, which also stops the command.
 */
export function runSecretCommand(
  words: readonly string[],
  env: ChildEnvironment,
  signal = new AbortController().signal,
  limitMs = TIME_LIMIT,
): Promise<CommandResult> {
  const timeLimit = Math.min(limitMs, TIME_LIMIT)
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(stopped(signal))
    const [command = '', ...rest] = words
    const child = spawn(command, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
      windowsHide: true,
    })
    const chunks: Buffer[] = []
    let size = 0
    let said = ''
    const end = (result: CommandResult): void => {
      clearTimeout(timer)
      clearTimeout(late)
      signal.removeEventListener('abort', stop)
      child.stdout.destroy()
      child.stderr.destroy()
      if (child.exitCode === null) child.kill('SIGKILL')
      // Ctrl-C or a closed terminal also stops the command. That says nothing about the secret.
      if (signal.aborted) reject(stopped(signal))
      else resolve('problem' in result ? {problem: result.problem + wordsOf(said, chunks)} : result)
    }
    let late: NodeJS.Timeout | undefined
    const stop = (): void => {
      child.kill('SIGTERM')
      late = setTimeout(() => end({problem: 'it was stopped'}), LAST_WORDS)
    }
    signal.addEventListener('abort', stop, {once: true})
    const timer = setTimeout(() => end({problem: `it did not end within ${duration(timeLimit)}`}), timeLimit)
    child.on('error', () => end({problem: 'it cannot be started'}))
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > LONGEST) end({problem: `it printed more than ${LONGEST} bytes`})
    })
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-MOST_SAID)
    })
    child.on('close', async (code, by) => {
      if (code === 0) return end({output: new Secret(Buffer.concat(chunks))})
      await waitForSameSignal({code, by}, signal)
      end({problem: by === null ? `it ended with exit code ${code}` : `it was ended by ${by}`})
    })
  })
}

const stopped = ({reason}: AbortSignal) =>
  interrupted(reason, {
    message: 'Interrupted while a command was run to get a secret.',
    hint: 'Nothing was sent.',
    effect: 'none',
  })

/** How much of stderr is kept, and how much of it is shown, in characters. */
const MOST_SAID = 4096
const MOST_SHOWN = 200

/** A run of characters that may be a key or a token, and no word. */
const TOKEN_LIKE = /(?=[\w+=~-]*\d)[\w+=~-]{10,}/g

/** The last line of stderr as the end of a message. What the command wrote to stdout may be the secret, or half of it. */
function wordsOf(said: string, output: readonly Buffer[]): string {
  const secret = Buffer.concat(output).toString('utf8').split(/\s+/)
  // The beginning of what was cut may be the rest of a token.
  const whole = said.length < MOST_SAID ? said : said.slice(said.search(/[\r\n]/) + 1)
  const last =
    stripVTControlCharacters(whole)
      .trimEnd()
      .split(/[\r\n]+/)
      .at(-1) ?? ''
  const hidden = secret
    .filter(word => word.length >= 4)
    .reduce((text, word) => text.replaceAll(word, MASK), last)
    .replaceAll(TOKEN_LIKE, MASK)
  const words = maskWithin(hidden.replaceAll(/\p{C}/gu, ' ').trim(), MOST_SHOWN)
  return words === '' ? '' : `; it said: ${words}`
}
