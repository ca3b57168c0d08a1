import {amount} from './amount.ts'
import {bad, dim, type Span, warn} from './styled.ts'

const CELLS = 10

/** How much of a deadline went, in eighths of a cell; yellow past half of it, red past nine tenths. */
export function deadlineBar(durationMs: number, deadlineMs: number, ascii: boolean): Span {
  const share = Math.min(1, durationMs / deadlineMs)
  const style = share > 0.9 ? bad : share > 0.5 ? warn : dim
  const eighths = Math.max(1, Math.round(share * CELLS * 8))
  const part = eighths % 8
  const bar = ascii
    ? '#'.repeat(Math.ceil(eighths / 8))
    : '█'.repeat(Math.floor(eighths / 8)) + (part === 0 ? '' : String.fromCodePoint(0x2590 - part))
  return style(`${bar.padEnd(CELLS)} ${wholeMs(durationMs)}`)
}

/** "1,204 ms". */
export const wholeMs = (millis: number): string => `${amount(Math.round(millis))} ms`
