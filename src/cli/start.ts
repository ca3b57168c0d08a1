import {fstatSync} from 'node:fs'
import process from 'node:process'
import {setImmediate as nextTurn} from 'node:timers/promises'
import {isatty} from 'node:tty'
import {
  ENDING_SIGNALS,
  type EndingSignal,
  type EndReason,
  exitCodeOf,
  interrupted,
  LAUNCHER_ENDED,
} from '../errors/interruption.ts'
import {errnoOf, isLostTerminal} from '../errors/system-reason.ts'
import {isClosedTerminal} from '../input/read-input.ts'
import {unwritable} from '../output/sink.ts'
import {closedStdout, isStdoutClosed} from './closed-stdout.ts'
import {failureFrom} from './failure-from.ts'
import {main, report} from './main.ts'
import type {Commands} from './program.ts'
import {type Input, type Output, processSurroundings} from './surroundings.ts'

/** The same signal within this time of the first is an echo, not a second signal. */
const ECHO_MS = 100

/** How long a run may continue after its terminal is gone: nobody waits for it. Servers drain in less. */
const HANG_UP_MS = 1800

/**
 * Aborts at the first signal that ends a run, with the signal's name as the reason. The second signal ends the process
 * at once. A terminal that fails counts as SIGHUP, unless SIGHUP is ignored: then only a question needs the terminal.
 */
function watchProcess({isHangUpIgnored, early}: Omit<StartSettings, 'commands'>) {
  const stop = new AbortController()
  let first: {signal: EndingSignal; at: number} | undefined

  function onSignal(signal: EndingSignal, from?: string): void {
    const at = performance.now()
    if (!first) {
      first = {signal, at}
      const reason: EndReason = from === LAUNCHER_ENDED ? from : signal
      stop.abort(reason)
      return
    }
    // Ctrl-C reaches the whole process group, and a parent such as npm or bin/rerun.js forwards it once more.
    if (first.signal === signal && at - first.at < ECHO_MS) return
    // A second signal ends at once; the journal has what was in flight.
    process.exit(exitCodeOf(signal))
  }

  let isGone = false
  // The system, each shell in between and every write report the end of a terminal: a repetition is no second signal.
  function onHangUp(): void {
    if (isHangUpIgnored || isGone) return
    isGone = true
    const reason = first?.signal ?? 'SIGHUP'
    if (!first) onSignal(reason)
    setTimeout(() => process.exit(exitCodeOf(reason)), HANG_UP_MS).unref()
  }
  const listeners = ENDING_SIGNALS.map(
    signal => [signal, signal === 'SIGHUP' ? onHangUp : (from: string) => onSignal(signal, from)] as const,
  )
  // Listen for SIGHUP even if it is ignored: without a listener, Node ends the process.
  for (const [signal, listener] of listeners) process.on(signal, listener)
  // Not before: without any listener, a signal that has come would be lost.
  if (early !== undefined) process.off('SIGTERM', early)
  // Ctrl-Break of Windows ends the process without a listener.
  if (process.platform === 'win32') process.on('SIGBREAK', () => onSignal('SIGINT'))
  const watch = (stream: Input | Output): void => {
    stream.on('error', error => {
      if (isLostTerminal(stream, error)) onHangUp()
    })
  }
  watch(process.stdout)
  watch(process.stderr)
  let stdin: NodeJS.ReadStream | undefined
  function openStdin(): NodeJS.ReadStream {
    if (stdin) return stdin
    const opened = process.stdin
    watch(opened)
    opened.on('end', () => {
      if (isClosedTerminal(opened)) onHangUp()
    })
    stdin = opened
    return opened
  }
  // Opening stdin takes time, so watch only a terminal: it can go away while nobody reads from it.
  if (isatty(0)) openStdin()
  let abandonable = 0
  const abandonably = <Result>(work: () => Promise<Result>): Promise<Result> =>
    showAbandonably(() => {
      if (stop.signal.aborted) throw interrupted(stop.signal.reason, {effect: 'none'})
      return work()
    })
  async function showAbandonably<Result>(work: () => Promise<Result>): Promise<Result> {
    // What has arrived by now is in the pipe of libuv, which is read between two turns.
    await nextTurn()
    await nextTurn()
    if (stop.signal.aborted) return work()
    const own = listeners.filter(([signal]) => signal !== 'SIGHUP' || !isHangUpIgnored)
    if (abandonable++ === 0) for (const [signal, listener] of own) process.off(signal, listener)
    try {
      return await work()
    } finally {
      if (--abandonable === 0) for (const [signal, listener] of own) process.on(signal, listener)
    }
  }
  return {signal: stop.signal, abandonably, showAbandonably, openStdin, openedStdin: () => stdin}
}

const FLUSH_WAIT_MS = 500

interface StartSettings {
  /** Whether the process was started with SIGHUP ignored, as under nohup. */
  readonly isHangUpIgnored: boolean
  /** Listens for SIGTERM until the program does. */
  readonly early?: (() => void) | undefined
  readonly commands: Commands
}

/** The process as a command line: signals in, exit code out. */
export async function start({commands, ...settings}: StartSettings): Promise<void> {
  // Keep the environment out of Node's diagnostic reports: it may contain a token.
  process.report.excludeEnv = true
  const argv = process.argv.slice(2)
  const {openedStdin, ...watched} = watchProcess(settings)
  const {signal} = watched
  const stdout = await usedStdout()
  let isReaderLeft = false
  const leaveReader = (): void => {
    isReaderLeft = true
  }
  const surroundings = processSurroundings(argv, {...watched, leaveReader}, stdout)
  // Without a listener, this signal ends the process. With one, the write fails with an error that names the file.
  if (process.platform !== 'win32') process.on('SIGXFSZ', () => undefined)
  const output = watchOutput(stdout)
  let isFailing = false
  process.on('uncaughtException', async error => {
    // oclif throws errors of stdout. The code that was writing already knows them.
    if (output.failures.has(error)) return
    const code = signal.aborted ? exitCodeOf(signal.reason) : 1
    // A failure while a failure is reported can't be reported: that would loop forever.
    if (isFailing) process.exit(code)
    isFailing = true
    setTimeout(() => process.exit(code), FLUSH_WAIT_MS)
    // Node would print the message of the error, which may quote a secret.
    await report(failureFrom(error), argv, surroundings, commands)
    process.exit(code)
  })
  process.exitCode = await main(argv, surroundings, commands)
  await new Promise(setImmediate)
  if (output.lost && process.exitCode === 0) {
    // Help and version don't use the printer, which reports lost output itself.
    const failure = unwritable(output.lost)
    await report(failure, argv, surroundings, commands)
    process.exitCode = failure.exit
  }
  // Idle keep-alive sockets or an unread stdin must not keep the process alive. stdout is flushed or still writing.
  openedStdin()?.unref?.()
  // After a signal, and at the end of a server, don't wait for a reader of stdout that has stalled.
  if (signal.aborted || isReaderLeft) setTimeout(() => process.exit(), FLUSH_WAIT_MS).unref()
}

/** The device number of /dev/null on Linux. */
const NULL_DEVICE = 0x103

/** stdout. Where it was closed, one that fails: otherwise what is written would be lost without an error. */
async function usedStdout(): Promise<Output> {
  if (process.platform !== 'linux' || fstatSync(1).rdev !== NULL_DEVICE) return process.stdout
  return isStdoutClosed() ? closedStdout() : process.stdout
}

/** Prevents errors of stdout and stderr from ending the process. `lost` is an error that was not reported. */
function watchOutput(stdout: Output): {readonly failures: WeakSet<Error>; lost?: Error} {
  const output: {readonly failures: WeakSet<Error>; lost?: Error} = {failures: new WeakSet()}
  for (const stream of [stdout, process.stderr]) {
    stream.on('error', (error: Error) => {
      output.failures.add(error)
      // The reader of a pipe has closed it, like `| head`, or the terminal is gone. That is no error.
      const isReaderGone = errnoOf(error) === 'EPIPE' || isLostTerminal(stream, error)
      if (stream === stdout && !isReaderGone) output.lost = error
    })
  }
  return output
}
