import process from 'node:process'
import {main} from './main.ts'
import {processSurroundings} from './surroundings.ts'

/** The process as a command line: signals in, exit code out. */
export async function start(): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal ends at once; the journal has what was in flight.
      if (stop.signal.aborted) process.exit(signal === 'SIGTERM' ? 143 : 130)
      stop.abort(signal)
    })
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader of a pipe has seen enough, as `| head` does: no error, and nothing more to say.
      if (error.code !== 'EPIPE') throw error
    })
  }
  process.exitCode = await main(process.argv.slice(2), processSurroundings(stop.signal))
  // Idle keep-alive sockets or an unread stdin must not hold the process; stdout is flushed by then or still writing.
  process.stdin.unref?.()
}
