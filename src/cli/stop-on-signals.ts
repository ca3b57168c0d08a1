import process from 'node:process'
import {ENDING_SIGNALS, type EndingSignal, exitCodeOf} from '../errors/interruption.ts'
import {isLostTerminal} from '../errors/lost-terminal.ts'
import {isClosedTerminal} from '../input/end-of-terminal.ts'

/** The same signal so soon after the first is an echo of it, not a second one. */
const ECHO_MS = 100

/** Where the terminal is gone nobody waits, so nothing goes on for longer; servers drain in less. */
const HANG_UP_MS = 1800

/**
 * Aborts at the first signal that ends a run, with the signal's name as reason; the second one ends the process at once.
 * A terminal that fails counts as SIGHUP, unless SIGHUP is ignored: then only a question needs the terminal.
 */
export function stopOnSignals(isHangUpIgnored: boolean): AbortSignal {
  const stop = new AbortController()
  let first: {signal: EndingSignal; at: number} | undefined

  function onSignal(signal: EndingSignal): void {
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

  let isGone = false
  // The end of a terminal is told by the system, by each shell on the way, and by every write: nobody asks twice by that.
  function onHangUp(): void {
    if (isHangUpIgnored || isGone) return
    isGone = true
    const reason = first?.signal ?? 'SIGHUP'
    if (!first) onSignal(reason)
    setTimeout(() => process.exit(exitCodeOf(reason)), HANG_UP_MS).unref()
  }
  // The listener for SIGHUP stays where that is ignored: without one Node ends the process.
  for (const signal of ENDING_SIGNALS)
    process.on(signal, signal === 'SIGHUP' ? onHangUp : () => onSignal(signal))
  const {stdin, stdout, stderr} = process
  for (const stream of [stdin, stdout, stderr]) {
    stream.on('error', error => {
      if (isLostTerminal(stream, error)) onHangUp()
    })
  }
  stdin.on('end', () => {
    if (isClosedTerminal(stdin)) onHangUp()
  })
  return stop.signal
}
