import {Writable} from 'node:stream'
import {createPrinter, type OutputOptions, type PrinterSurroundings} from '../../src/output/index.ts'

/** A stream that keeps what is written, and may be a terminal. */
export class Kept extends Writable {
  readonly isTTY: boolean
  columns: number
  readonly rows: number
  text = ''

  constructor(terminal?: {columns?: number; rows?: number}) {
    super()
    this.isTTY = terminal !== undefined
    this.columns = terminal?.columns ?? 80
    this.rows = terminal?.rows ?? 24
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

export const NOON = Date.UTC(2026, 10, 21, 12)

export function setUp(
  options: Partial<OutputOptions> = {},
  more: Partial<PrinterSurroundings> & {terminal?: boolean} = {},
) {
  const {terminal = false, ...surroundings} = more
  const stdout = terminal ? new Kept({}) : new Kept()
  const stderr = terminal ? new Kept({}) : new Kept()
  const printer = createPrinter(
    {env: {TERM: 'xterm'}, stdout, stderr, now: () => NOON, timeZone: 'UTC', ...surroundings},
    {format: 'table', ...options},
  )
  return {printer, stdout, stderr}
}
