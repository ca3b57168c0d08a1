import {cut, paintLine} from './lay-out.ts'
import type {Paint} from './paint.ts'
import type {Styled} from './styled.ts'

export interface Screen {
  /** Whether a line can be rewritten in place. */
  readonly isTerminal: boolean
  /** As it is now: a window may change while a status is shown. */
  readonly width: number
  readonly mark: string
  readonly paint: Paint
  write(text: string): void
}

/** A line of somebody's own. */
export interface Status {
  /** Columns that it may take now. */
  readonly width: number
  show(status: Styled): void
  clear(): void
}

const CLEAR_LINE = '\r\u001b[2K'

/**
 * stderr as lines with, on a terminal, one line below them that is rewritten in place (progress). Lines that are printed
 * meanwhile stand above it.
 */
export class StatusLine implements Status {
  readonly #screen: Screen
  #shown: Styled | undefined
  /** Whether it is to be brought back, unless something else is shown or it is cleared meanwhile. */
  #away = false

  constructor(screen: Screen) {
    this.#screen = screen
  }

  /** Prints whole lines, keeping the status below them. The text must end in a line feed. */
  print(text: string): void {
    const bringBack = this.hide()
    this.#screen.write(text)
    bringBack()
  }

  /** Takes the status away while something else writes to the terminal; the result brings it back. */
  hide(): () => void {
    const shown = this.#shown
    this.clear()
    this.#away = true
    return () => {
      if (shown !== undefined && this.#away) this.show(shown)
    }
  }

  /** The last column stays free: a cursor behind it would wrap the line, and clearing would miss one. */
  get width(): number {
    return this.#screen.width - 1
  }

  /** Shows the status; nothing without a terminal. */
  show(status: Styled): void {
    const {isTerminal, mark, paint} = this.#screen
    if (!isTerminal) return
    this.#screen.write(CLEAR_LINE + paintLine(cut(status, this.width, mark), paint))
    this.#shown = status
    this.#away = false
  }

  clear(): void {
    if (this.#shown !== undefined) this.#screen.write(CLEAR_LINE)
    this.#shown = undefined
    this.#away = false
  }
}
