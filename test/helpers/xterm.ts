import {Writable} from 'node:stream'
import xterm from '@xterm/headless'
import type {Output} from '../../src/cli/surroundings.ts'

/** A window with a terminal that many people use, which breaks lines anew when it is resized. */
export interface XtermWindow {
  /** What the program writes to. */
  readonly stream: Output
  resize(columns: number, rows: number): Promise<void>
  /** The rows of the window, without spaces at their ends and blank rows at the end. */
  screen(): Promise<string>
  /** All that can be seen by scrolling, as lines that were never broken. Not that of a second screen. */
  scrollback(): Promise<string>
}

export function openXterm(columns: number, rows: number): XtermWindow {
  const terminal = new xterm.Terminal({cols: columns, rows, allowProposedApi: true, convertEol: true})
  const stream: Output = Object.assign(
    new Writable({
      write: (chunk: Buffer, _, done) => {
        terminal.write(chunk)
        done()
      },
    }),
    {isTTY: true, columns, rows},
  )
  const drawn = (): Promise<void> => new Promise(resolve => terminal.write('', resolve))
  const lines = (buffer: typeof terminal.buffer.active, from: number): string => {
    const texts: string[] = []
    for (let row = from; row < buffer.length; row++) {
      const line = buffer.getLine(row)
      // It keeps what a narrower window hides.
      const text = line?.translateToString(true, 0, terminal.cols).trimEnd() ?? ''
      if (line?.isWrapped === true && from === 0) texts.push(`${texts.pop() ?? ''}${text}`)
      else texts.push(text)
    }
    return texts.join('\n').trimEnd()
  }
  return {
    stream,
    async resize(width, height) {
      await drawn()
      terminal.resize(width, height)
      Object.assign(stream, {columns: width, rows: height})
      stream.emit('resize')
      // A picture is laid out anew in a later tick.
      for (let tick = 0; tick < 20; tick++) await new Promise(setImmediate)
    },
    async screen() {
      await drawn()
      return lines(terminal.buffer.active, terminal.buffer.active.baseY)
    },
    async scrollback() {
      await drawn()
      return lines(terminal.buffer.normal, 0)
    },
  }
}
