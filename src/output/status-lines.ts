import {Duplex} from 'node:stream'
import {
  columnsOf,
  type OutputOptions,
  type OutputStream,
  type PrinterSurroundings,
  rowsOf,
  viewContext,
} from './printer-options.ts'
import {type Paint, paintFor, type Styled} from './styled.ts'
import {glyphsFor, hasSecondScreen} from './terminal.ts'
import {cut, paintLine} from './text-layout.ts'

interface Screen {
  /** Whether lines can be rewritten in place. */
  readonly isTerminal: boolean
  /** Whether several lines may cover the terminal: it has a second screen, and nothing else prints on it. */
  readonly hasSecondScreen?: boolean
  /** The current size: the window may be resized while a status is shown. */
  readonly width: number
  readonly rows: number
  readonly mark: string
  readonly paint: Paint
  write(text: string): void
  /** Calls `act` when the process ends at once. */
  atExit?(act: () => void): () => void
  onResize?(act: () => void): () => void
  /** Calls `leave` before the process is stopped by Ctrl-Z, and `back` when it continues. */
  atSuspend?(leave: () => void, back: () => void): () => void
}

/** Lines of status whose content the caller chooses. */
export interface Status {
  /** The columns that are available now. */
  readonly width: number
  /** The rows of the window. */
  readonly rows: number
  /** Whether anything is shown. */
  readonly isShown: boolean
  /** @param content makes the lines, anew for each size of the window. */
  show(content: Content): void
  clear(): void
}

type Content = () => readonly Styled[]

/** From the cursor to the end of the screen. */
const CLEAR = '\r\u001b[J'
const CLEAR_LINE = '\u001b[K'
const SECOND_SCREEN = '\u001b[?1049h'
const FIRST_SCREEN = '\u001b[?1049l'
const TO_START = '\u001b[H'
const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : '')

/**
 * Writes lines to a stream. On a terminal, keeps a status below them, which is rewritten in place.
 *
 * The cursor rests at the start of the first line of the status. So everything below the cursor is the status, and
 * clearing it is right also after the window became narrower and the terminal has broken its lines. With more than one
 * line that isn't enough: terminals scroll out what they break, bring it back when the window grows, and some move the
 * cursor. So several lines get the second screen to themselves, where nothing is broken. What is printed meanwhile goes
 * to the first one.
 */
export class StatusLines implements Status {
  readonly #screen: Screen
  #shown: Content | undefined
  #isOnSecondScreen = false
  /** Whether to restore the hidden status. Showing or clearing a status in the meantime cancels that. */
  #away = false
  #forget: readonly (() => void)[] = []

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
      if (shown !== undefined && this.#away) this.show(shown)
    }
  }

  get isShown(): boolean {
    return this.#shown !== undefined
  }

  /** One column less than the terminal has: text in the last column would make the line wrap. */
  get width(): number {
    return Math.max(1, this.#screen.width - 1)
  }

  get rows(): number {
    return this.#screen.rows
  }

  /** Shows as many of the lines as the window has room for. Does nothing without a terminal. */
  show(content: Content): void {
    if (!this.#screen.isTerminal) return
    const {atExit, atSuspend, onResize} = this.#screen
    if (!this.isShown) {
      const followed = [
        atExit?.(() => this.clear()),
        onResize?.(() => this.#draw()),
        atSuspend?.(
          () => this.#clearScreen(),
          () => this.#draw(),
        ),
      ]
      this.#forget = followed.filter(each => each !== undefined)
    }
    this.#shown = content
    this.#away = false
    this.#draw()
  }

  /** Clears the status and prints lines that stay. */
  leave(...lines: readonly Styled[]): void {
    this.clear()
    this.#screen.write(
      this.#painted(lines)
        .map(line => `${line}\n`)
        .join(''),
    )
  }

  clear(): void {
    if (this.isShown) this.#clearScreen()
    for (const forget of this.#forget) forget()
    this.#forget = []
    this.#shown = undefined
    this.#away = false
  }

  #draw(): void {
    const lines = this.#painted(this.#shown?.().slice(0, Math.max(1, this.rows - 1)) ?? [])
    const body = lines.join(`${CLEAR_LINE}\r\n`)
    const isCovering = lines.length > 1 && this.#screen.hasSecondScreen === true
    if (isCovering !== this.#isOnSecondScreen) this.#clearScreen()
    if (isCovering) {
      const enter = this.#isOnSecondScreen ? '' : SECOND_SCREEN
      this.#isOnSecondScreen = true
      this.#screen.write(`${enter}${TO_START}${body}\u001b[J${TO_START}`)
    } else this.#screen.write(`\r${body}\u001b[J${up(lines.length - 1)}\r`)
  }

  #clearScreen(): void {
    this.#screen.write(this.#isOnSecondScreen ? FIRST_SCREEN : CLEAR)
    this.#isOnSecondScreen = false
  }

  #painted(lines: readonly Styled[]): readonly string[] {
    const {paint, mark} = this.#screen
    return lines.map(line => paintLine(cut(line, this.width, mark), paint))
  }
}

/** @param write writes to the stream without waiting. */
export function openStatus(
  surroundings: PrinterSurroundings,
  stream: OutputStream,
  options: OutputOptions,
  {isTerminal, write}: {readonly isTerminal: boolean; write(text: string): void},
): StatusLines {
  const {env, platform = 'linux', stdout, atExit, atSuspend} = surroundings
  const {colour, ascii} = viewContext(surroundings, stream, options)
  return new StatusLines({
    isTerminal,
    // The reader of a pipe may print on the same terminal, at any time.
    hasSecondScreen: hasSecondScreen(env, platform) && !isPipe(stdout),
    get width() {
      return columnsOf(stream, env)
    },
    get rows() {
      return rowsOf(stream)
    },
    mark: glyphsFor(ascii).ellipsis,
    paint: paintFor(colour),
    write,
    atExit: act => atExit?.(act) ?? (() => undefined),
    atSuspend: (leave, back) => atSuspend?.(leave, back) ?? (() => undefined),
    onResize: act => {
      stream.on('resize', act)
      return () => stream.off('resize', act)
    },
  })
}

/** Of what Node makes of stdout, terminals and pipes can be read, too, and files can't. */
const isPipe = (stream: OutputStream): boolean => stream.isTTY !== true && stream instanceof Duplex
