import type {Paint, Styled} from './styled.ts'
import {cut, paintLine} from './text-layout.ts'

interface Screen {
  /** Whether lines can be rewritten in place. */
  readonly isTerminal: boolean
  /** The current size: the window may be resized while a status is shown. */
  readonly width: number
  readonly rows: number
  readonly mark: string
  readonly paint: Paint
  write(text: string): void
  /** Calls `act` when the process ends at once. */
  atExit?(act: () => void): () => void
}

/** Lines of status whose content the caller chooses. */
export interface Status {
  /** The columns that are available now. */
  readonly width: number
  /** The rows of the window. */
  readonly rows: number
  /** Whether anything is shown. */
  readonly isShown: boolean
  show(...lines: readonly Styled[]): void
  clear(): void
}

/** From the cursor to the end of the screen. */
const CLEAR = '\r\u001b[J'
const CLEAR_LINE = '\u001b[K'
const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : '')

/**
 * Writes lines to a stream. On a terminal, keeps a status below them, which is rewritten in place.
 *
 * The cursor rests at the start of the first line of the status. So everything below the cursor is the status, and
 * clearing it is right also after the window became narrower and the terminal has broken its lines.
 */
export class StatusLines implements Status {
  readonly #screen: Screen
  #shown: readonly Styled[] = []
  /** Whether to restore the hidden status. Showing or clearing a status in the meantime cancels that. */
  #away = false
  #forget: (() => void) | undefined

  constructor(screen: Screen) {
    this.#screen = screen
  }

  /** Prints whole lines and keeps the status below them. The text must end in a line feed. */
  print(text: string): void {
    const bringBack = this.hide()
    this.#screen.write(text)
    bringBack()
  }

  /** Hides the status while something else writes to the terminal. The returned function restores it. */
  hide(): () => void {
    const shown = this.#shown
    this.clear()
    this.#away = true
    return () => {
      if (shown.length > 0 && this.#away) this.show(...shown)
    }
  }

  get isShown(): boolean {
    return this.#shown.length > 0
  }

  /** One column less than the terminal has: text in the last column would make the line wrap. */
  get width(): number {
    return this.#screen.width - 1
  }

  get rows(): number {
    return this.#screen.rows
  }

  /** Shows as many of the lines as the window has room for. Does nothing without a terminal. */
  show(...lines: readonly Styled[]): void {
    const {isTerminal, mark, paint, write} = this.#screen
    if (!isTerminal) return
    const fitting = lines.slice(0, Math.max(1, this.rows - 1))
    const drawn = fitting.map(line => paintLine(cut(line, this.width, mark), paint))
    write.call(this.#screen, `\r${drawn.join(`${CLEAR_LINE}\r\n`)}\u001b[J${up(drawn.length - 1)}\r`)
    this.#forget ??= this.#screen.atExit?.(() => this.clear())
    this.#shown = lines
    this.#away = false
  }

  /** Clears the status and prints lines that stay. */
  leave(...lines: readonly Styled[]): void {
    const {paint, mark, write} = this.#screen
    this.clear()
    write.call(this.#screen, lines.map(line => `${paintLine(cut(line, this.width, mark), paint)}\n`).join(''))
  }

  clear(): void {
    if (this.isShown) this.#screen.write(CLEAR)
    this.#forget?.()
    this.#forget = undefined
    this.#shown = []
    this.#away = false
  }
}
