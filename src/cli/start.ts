import process from 'node:process'
import {Failure} from '../errors/failure.ts'
import {failureFrom} from './failure-from.ts'
import {exitCodeOf, main, report} from './main.ts'
import {processSurroundings} from './surroundings.ts'

/** The same signal so soon after the first is an echo of it, not a second one. */
const ECHO_MS = 100
const LAST_WORDS_MS = 500

/** The process as a command line: signals in, exit code out. */
export async function start(): Promise<void> {
  // Whoever asks Node for reports gets them without the environment, where a token may stand.
  process.report.excludeEnv = true
  const stop = new AbortController()
  const argv = process.argv.slice(2)
  const surroundings = processSurroundings(stop.signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => onSignal(signal))
  // A limit on the size of files shall be an error that names the file, not the end of the process.
  if (process.platform !== 'win32') process.on('SIGXFSZ', () => undefined)
  let first: {signal: 'SIGINT' | 'SIGTERM'; at: number} | undefined
  function onSignal(signal: 'SIGINT' | 'SIGTERM'): void {
    const at = performance.now()
    if (!first) {
      first = {signal, at}
      stop.abort(signal)
      return
    }
    // Ctrl-C reaches the whole process group, and a parent such as npm or bin/rerun.js passes it on once more.
    if (first.signal === signal && at - first.at < ECHO_MS) return
    // A second signal ends at once; the journal has what was in flight.
    process.exit(exitCodeOf(signal))
  }
  let lost: NodeJS.ErrnoException | undefined
  process.on('uncaughtException', async error => {
    // oclif throws what stdout says; whoever was writing knows already.
    if (error === lost) return
    // Node would print the message of the error, which may quote a secret.
    await report(failureFrom(error), argv, surroundings)
    process.exit(1)
  })
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of a pipe has seen enough, as `| head` does: no error, and nothing more to say.
    if (error.code !== 'EPIPE') lost = error
  })
  process.exitCode = await main(argv, surroundings)
  await new Promise(setImmediate)
  if (lost && process.exitCode === 0) {
    // Help and version write past the printer, which reports its own losses.
    const failure = unwritable(lost)
    await report(failure, argv, surroundings)
    process.exitCode = failure.exit
  }
  // Idle keep-alive sockets or an unread stdin must not hold the process; stdout is flushed by then or still writing.
  process.stdin.unref?.()
  // After a signal a reader of stdout who has stalled is not waited for.
  if (stop.signal.aborted) setTimeout(() => process.exit(), LAST_WORDS_MS).unref()
}

const unwritable = ({code}: NodeJS.ErrnoException) =>
  new Failure('OUTPUT_UNWRITABLE', {
    message: `The result could not be written to stdout (${code ?? 'unknown reason'})`,
  })
