import type {Glyphs} from './glyphs.ts'
import type {StatusLine} from './status-line.ts'
import {busy, dim} from './styled.ts'
import {duration} from './when.ts'

export interface Wait {
  stop(): void
}

export interface WaitSurroundings {
  readonly line: StatusLine
  readonly isTerminal: boolean
  readonly glyphs: Glyphs
  now(): number
  /** Calls back regularly until the returned function is called. */
  every(millis: number, act: () => void): () => void
  print(text: string): void
}

/** Says what is waited for: a spinner with the time gone by on a terminal, elsewhere one line. */
export function createWait(what: string, surroundings: WaitSurroundings): Wait {
  const {line, isTerminal, glyphs, now, every, print} = surroundings
  if (!isTerminal) {
    print(what)
    return {stop: () => undefined}
  }
  const started = now()
  let turn = 0
  const draw = () => {
    const sign = glyphs.spinner[turn++ % glyphs.spinner.length] ?? ''
    const gone = now() - started
    line.show([
      ' ',
      busy(sign),
      ` ${what}`,
      ...(gone < 1000 ? [] : [dim(`  ${duration(gone - (gone % 1000))}`)]),
    ])
  }
  draw()
  const stop = every(100, draw)
  return {
    stop() {
      stop()
      line.clear()
    },
  }
}
