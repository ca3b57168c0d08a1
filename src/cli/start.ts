import process from 'node:process'
import {failureFrom} from './failure-from.ts'
import {main} from './main.ts'
import {reportFailure} from './report-failure.ts'
import {processSurroundings} from './surroundings.ts'

/** The process as a command line: signals in, exit code out. */
export async function start(): Promise<void> {
  const stop = new AbortController()
  const argv = process.argv.slice(2)
  const surroundings = processSurroundings(stop.signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal ends at once; the journal has what was in flight.
      if (stop.signal.aborted) process.exit(signal === 'SIGTERM' ? 143 : 130)
      stop.abort(signal)
    })
  }
  process.on('uncaughtException', async error => {
    // Node would print the message of the error, which may quote a secret.
    await reportFailure(failureFrom(error), argv, surroundings)
    process.exit(1)
  })
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader of a pipe has seen enough, as `| head` does: no error, and nothing more to say.
      if (error.code !== 'EPIPE') throw error
    })
  }
  process.exitCode = await main(argv, surroundings)
  // Idle keep-alive sockets or an unread stdin must not hold the process; stdout is flushed by then or still writing.
  process.stdin.unref?.()
}
