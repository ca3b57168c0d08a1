import {spawn} from 'node:child_process'
import type {ChildEnvironment} from '../children/child-environment.ts'
import {waitForSameSignal} from '../children/same-signal.ts'
import {duration} from '../errors/duration.ts'
import {interrupted} from '../errors/interruption.ts'
import {Secret} from '../sensitive/secret.ts'

/** Long enough for a password manager that waits for a touch on a security key, in milliseconds. */
const TIME_LIMIT = 30_000
const LONGEST = 64 * 1024
/** How long a stopped command may take to restore the terminal, in milliseconds. */
const LAST_WORDS = 300

export type CommandResult =
  | {readonly output: Secret<Buffer>}
  /** Why there is no output. Never quotes output of the command. */
  | {readonly problem: string}

/**
 * Runs a command without a shell and returns what it writes to stdout. Its stdin is empty and its stderr is dropped,
 * because both could leak the secret. Its own prompt works, on the terminal device or in a window.
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
      stdio: ['ignore', 'pipe', 'ignore'],
      env,
      windowsHide: true,
    })
    const chunks: Buffer[] = []
    let size = 0
    const end = (result: CommandResult): void => {
      clearTimeout(timer)
      clearTimeout(late)
      signal.removeEventListener('abort', stop)
      child.stdout.destroy()
      if (child.exitCode === null) child.kill('SIGKILL')
      // Ctrl-C or a closed terminal also stops the command. That says nothing about the secret.
      if (signal.aborted) reject(stopped(signal))
      else resolve(result)
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
