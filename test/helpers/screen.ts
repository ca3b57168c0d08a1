import {textWidth} from '../../src/output/text-layout.ts'

interface Row {
  /** One for each column; a wide character is followed by an empty one. */
  cells: string[]
  /** Whether the text went on in the next row because this one was full. */
  continues: boolean
}

const emptyRow = (): Row => ({cells: [], continues: false})

/**
 * A terminal that draws what is written to it. It breaks lines at its width, scrolls, and breaks them anew when it is
 * resized. It throws at every control sequence that cardctl has no use for.
 */
export class Screen {
  columns: number
  readonly height: number
  /** Also those that were scrolled out. */
  #rows: Row[] = [emptyRow()]
  #row = 0
  #column = 0

  constructor({columns = 80, rows = 24} = {}) {
    this.columns = columns
    this.height = rows
  }

  /** The text of all rows, without spaces at their ends and blank rows at the end. */
  get text(): string {
    return this.#rows
      .map(({cells}) => cells.join('').trimEnd())
      .join('\n')
      .trimEnd()
  }

  get cursor(): readonly [row: number, column: number] {
    return [this.#row, this.#column]
  }

  write(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what sequences begin with
    for (const [part] of text.matchAll(/\u001b\[[0-9;?]*[A-Za-z]|[\s\S]/gu)) this.#act(part)
  }

  /** Breaks the lines at another width. The cursor stays at its character. */
  resize(columns: number): void {
    const cursorLine = this.#rows.slice(0, this.#row).filter(({continues}) => !continues).length
    const lineStart = this.#rows.findLastIndex((row, at) => at < this.#row && !row.continues) + 1
    const offset =
      this.#rows.slice(lineStart, this.#row).reduce((sum, {cells}) => sum + cells.length, 0) + this.#column
    const lines: string[][] = [[]]
    for (const {cells, continues} of this.#rows) {
      lines.at(-1)?.push(...cells)
      if (!continues) lines.push([])
    }
    lines.pop()
    this.columns = columns
    this.#rows = []
    for (const [at, line] of lines.entries()) {
      if (at === cursorLine) {
        this.#row = this.#rows.length + Math.floor(Math.min(offset, Math.max(0, line.length - 1)) / columns)
        this.#column = Math.min(offset % columns, columns - 1)
      }
      for (let start = 0; start === 0 || start < line.length; start += columns)
        this.#rows.push({
          cells: line.slice(start, start + columns),
          continues: start + columns < line.length,
        })
    }
  }

  #act(part: string): void {
    if (part === '\r') this.#column = 0
    else if (part === '\n') this.#lineFeed(false)
    else if (part === '\u001b[K') this.#clearRest()
    else if (part === '\u001b[J') {
      this.#clearRest()
      this.#rows.length = this.#row + 1
    } else if (part.startsWith('\u001b[') && part.endsWith('A')) {
      this.#row -= Number(part.slice(2, -1))
      if (this.#row < Math.max(0, this.#rows.length - this.height)) throw new Error('above the screen')
    } else if (part.startsWith('\u001b[') && part.endsWith('C')) this.#column += Number(part.slice(2, -1))
    else if (part.startsWith('\u001b[') && part.endsWith('m')) return
    else if (part === '\u001b[?25l' || part === '\u001b[?25h') return
    else if (part < ' ') throw new Error(`not expected on a terminal: ${JSON.stringify(part)}`)
    else this.#put(part)
  }

  #clearRest(): void {
    const row = this.#current
    row.cells.length = Math.min(row.cells.length, this.#column)
    row.continues = false
  }

  #put(char: string): void {
    const width = textWidth(char)
    if (this.#column + width > this.columns) this.#lineFeed(true)
    const {cells} = this.#current
    while (cells.length < this.#column) cells.push(' ')
    if (width === 0) cells[this.#column - 1] += char
    else cells.splice(this.#column, width, char, ...(width === 2 ? [''] : []))
    this.#column += width
  }

  #lineFeed(continues: boolean): void {
    this.#current.continues = continues
    // Also for a line feed alone: the terminal driver adds the carriage return.
    this.#column = 0
    this.#row++
    if (this.#row === this.#rows.length) this.#rows.push(emptyRow())
  }

  get #current(): Row {
    const row = this.#rows[this.#row]
    if (row === undefined) throw new Error('outside of the screen')
    return row
  }
}
