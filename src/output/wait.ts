import {duration} from '../errors/duration.ts'
import type {ProgressSurroundings} from './progress.ts'
import {busy, dim} from './styled.ts'

export interface Wait {
  stop(): void
}

const TURN_MS = 100
/** Shorter waits show no spinner: it would only flicker. */
const QUIET_MS = 300

/** Shows what a command waits for: on a terminal a spinner with the elapsed time, elsewhere one line. */
export function createWait(what: string, surroundings: ProgressSurroundings): Wait {
  if (!surroundings.isTerminal) {
    surroundings.print(what)
    return {stop: () => undefined}
  }
  return spin(what, surroundings, 0)
}

/**
 * Shows a spinner on a terminal if a wait takes longer than 300 ms, unless a bar, a board or a question of the servers
 * already shows that something happens.
 */
export function createSpinner(what: string, surroundings: ProgressSurroundings): Wait {
  if (!surroundings.isTerminal || surroundings.status.isShown) return {stop: () => undefined}
  return spin(what, surroundings, QUIET_MS)
}

function spin(what: string, {status, glyphs, now, every}: ProgressSurroundings, quietMs: number): Wait {
  const started = now()
  let turn = 0
  const draw = () => {
    const gone = now() - started
    if (gone < quietMs || (turn === 0 && status.isShown)) return
    const sign = glyphs.spinner[turn++ % glyphs.spinner.length] ?? ''
    const time = gone < 1000 ? [] : [dim(`  ${duration(gone - (gone % 1000))}`)]
    status.show(() => [[' ', busy(sign), ` ${what}`, ...time]])
  }
  draw()
  const stop = every(TURN_MS, draw)
  return {
    stop() {
      stop()
      if (turn > 0) status.clear()
    },
  }
}
