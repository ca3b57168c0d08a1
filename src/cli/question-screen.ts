import {Writable} from 'node:stream'
import {glyphsFor} from '../output/terminal.ts'
import {textWidth} from '../output/text-layout.ts'
import {brokenRows, cutRow, withoutColour} from './painted-rows.ts'
import {NO_BREAK} from './question-look.ts'
import type {Output} from './surroundings.ts'

const HIDE_CURSOR = '\u001b[?25l'
export const SHOW_CURSOR = '\u001b[?25h'

/** What inquirer writes before a question: from the last row up it clears what it wrote last. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes of a terminal
const CLEARING = /^(?:\u001b\[\d+B)?(?:\u001b\[2K(?:\u001b\[1A)?)*(?:\u001b\[G)?/
/** And after it: how many rows the cursor goes up, and to which column. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes of a terminal
const PLACING = /(?:\u001b\[(\d+)A)?\u001b\[(\d+)G$/

/** A question as inquirer wants it shown, on lines of any length. */
interface Frame {
  readonly lines: readonly string[]
  readonly hidesCursor: boolean
  readonly line: number
  readonly column: number
}

/** Rows for a window, and where the cursor is among them. */
interface Fitted {
  readonly rows: readonly string[]
  readonly row: number
  readonly column: number
}

/** What is on the terminal, without colours. */
interface Drawn extends Fitted {
  /** Of the window. */
  readonly height: number
}

const NOTHING: Drawn = {rows: [], row: 0, column: 0, height: 0}

/**
 * Shows a question of inquirer in a window that may be resized meanwhile. Inquirer counts the rows that it has written
 * and breaks lines anywhere; both are wrong after a resize. So it writes its lines here, as if the window had any number
 * of columns, and they are fitted to the window: choices are cut, and other lines are broken between words.
 */
export class QuestionScreen extends Writable {
  readonly isTTY = true
  /** For inquirer. */
  readonly columns = 1_000_000
  readonly #terminal: Output
  readonly #say: (text: string) => void
  readonly #isAscii: boolean
  readonly #onResize = (): void => this.#draw()
  #frame: Frame | undefined
  #drawn = NOTHING

  constructor(terminal: Output, {say, isAscii}: {say: (text: string) => void; isAscii: boolean}) {
    super({decodeStrings: false})
    this.#terminal = terminal
    this.#say = say
    this.#isAscii = isAscii
    terminal.on('resize', this.#onResize)
  }

  override _write(chunk: Buffer | string, _: BufferEncoding, done: () => void): void {
    this.#show(String(chunk))
    done()
  }

  /** Clears the question from the terminal. */
  leave(): void {
    this.#terminal.off('resize', this.#onResize)
    const {length} = this.#drawn.rows
    const empty = Array.from({length}, () => '')
    if (length > 0) this.#say(`${this.#toTop()}${body(empty)}${up(length - 1)}${SHOW_CURSOR}`)
    this.#frame = undefined
    this.#drawn = NOTHING
  }

  #show(text: string): void {
    const content = text.replace(CLEARING, '')
    const [placing, up = '0', column = '1'] = PLACING.exec(content) ?? []
    // At its end inquirer clears the question, which `leave` does.
    if (placing === undefined) return
    const lines = content.slice(0, -placing.length).split('\n')
    if (content === placing) this.#frame = this.#frame && {...this.#frame, column: Number(column) - 1}
    else
      this.#frame = {
        lines: lines.map(line => line.replace(HIDE_CURSOR, '')),
        hidesCursor: content.includes(HIDE_CURSOR),
        line: lines.length - 1 - Number(up),
        column: Number(column) - 1,
      }
    this.#draw()
  }

  #draw(): void {
    if (this.#frame === undefined) return
    const {columns = 80, rows: height = 24} = this.#terminal
    const next = fitted(this.#frame, {width: Math.max(2, columns - 1), height, isAscii: this.#isAscii})
    const place = `${up(next.rows.length - 1 - next.row)}\r${right(next.column)}`
    const cursor = this.#frame.hidesCursor ? HIDE_CURSOR : ''
    this.#say(`${this.#toTop()}${body(next.rows)}${place}${cursor}`)
    const lost = this.#lostRows()
    const rows = [...lost, ...next.rows.map(withoutColour)]
    this.#drawn = {rows, row: lost.length + next.row, column: next.column, height}
  }

  /** To the first row, also if the terminal has broken the rows since they were drawn; at most to the top of the window. */
  #toTop(): string {
    const {rows, row, column} = this.#drawn
    const above = rows.slice(0, row).reduce((sum, text) => sum + this.#heightOf(text), 0)
    // After the last character a terminal doesn't begin another row for the cursor.
    const place = Math.min(column, Math.max(0, textWidth(rows[row] ?? '') - 1))
    return `${up(above + Math.floor(place / (this.#terminal.columns ?? 80)))}\r`
  }

  /**
   * The first rows that had no more room when the terminal broke them, so that it scrolled them out. They can come back
   * when the window grows, and are cleared then. How many a lower window scrolls out depends on the terminal.
   */
  #lostRows(): readonly string[] {
    const {columns = 80, rows: height = 24} = this.#terminal
    const {rows} = this.#drawn
    if (height < this.#drawn.height) return []
    let surplus = rows.reduce((sum, text) => sum + this.#heightOf(text), -height)
    const lost: string[] = []
    for (const text of rows) {
      if (surplus <= 0) break
      lost.push(text.slice(0, surplus * columns))
      surplus -= this.#heightOf(text)
    }
    return lost
  }

  #heightOf(row: string): number {
    return Math.max(1, Math.ceil(textWidth(row) / (this.#terminal.columns ?? 80)))
  }
}

/**
 * Each row is cleared before it is drawn: only then tmux forgets that it was part of the row before. Clearing the whole
 * window at once would scroll it out.
 */
const body = (rows: readonly string[]): string =>
  `${rows.map(row => `\u001b[K${row.replaceAll(NO_BREAK, ' ')}`).join('\r\n')}\u001b[J`

const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : '')
const right = (columns: number): string => (columns > 0 ? `\u001b[${columns}C` : '')

interface Room {
  readonly width: number
  readonly height: number
  readonly isAscii: boolean
}

interface Row {
  readonly text: string
  readonly isChoice: boolean
}

/** The rows of a question that fit the window, and where its cursor is among them. */
function fitted(frame: Frame, {width, height, isAscii}: Room): Fitted {
  const {ellipsis} = glyphsFor(isAscii)
  const isChoice = (line: string): boolean => /^[ ❯]/.test(line) || (isAscii && line.startsWith('>'))
  const rows: Row[] = []
  // A hidden cursor rests at the top: all below it is the question then, whatever the terminal breaks.
  let place = {row: 0, column: 0}
  for (const [at, line] of frame.lines.entries()) {
    const choice = at > 0 && isChoice(withoutColour(line))
    const painted = choice ? cutRow(line, width, ellipsis) : brokenRows(line, width)
    if (at === frame.line && !frame.hidesCursor) {
      const {row, column} = painted.placeOf(frame.column)
      place = {row: rows.length + row, column}
    }
    rows.push(...painted.rows.map(text => ({text, isChoice: choice})))
  }
  // The cursor is past a full row.
  if (place.row === rows.length) rows.push({text: '', isChoice: false})
  const first = Math.max(0, place.row + 1 - height)
  const kept = withoutSurplus(rows.slice(first), height)
  return {rows: kept.map(({text}) => text), row: place.row - first, column: place.column}
}

/** Leaves out what matters least until the rows fit: the text below the choices, then choices far from the chosen one. */
function withoutSurplus(rows: readonly Row[], height: number): readonly Row[] {
  if (rows.length <= height) return rows
  const choices = rows.filter(row => row.isChoice)
  const head = rows.slice(0, rows.findIndex(row => row.isChoice) + (choices.length > 0 ? 0 : rows.length))
  const foot = rows.slice(head.length).filter(row => !row.isChoice)
  const room = Math.max(1, height - head.length)
  const active = choices.findIndex(({text}) => /^[❯>]/.test(withoutColour(text)))
  const start = Math.max(0, Math.min(active - Math.floor(room / 2), choices.length - room))
  return [...head, ...choices.slice(start, start + room), ...foot].slice(0, Math.max(height, head.length))
}
