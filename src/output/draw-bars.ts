import {count} from './amount.ts'
import {styledWidth} from './lay-out.ts'
import {dim, ok, type Span} from './styled.ts'
import {sentence, type ViewContext} from './view.ts'

export interface Bar {
  readonly label: string
  readonly count: number
  readonly style?: ((text: string) => Span) | undefined
}

/** Bars no longer than this, however wide the terminal is. */
const LONGEST = 50

/** A line for each bar: label, bar, count; the longest bar is as long as there is room. */
export function drawBars(bars: readonly Bar[], context: ViewContext): string {
  const most = Math.max(1, ...bars.map(bar => bar.count))
  const labelWidth = Math.max(...bars.map(({label}) => styledWidth(label)))
  const countWidth = Math.max(...bars.map(bar => count(bar.count).length))
  const cells = Math.max(4, Math.min(LONGEST, context.width - labelWidth - countWidth - 6))
  return bars
    .map(bar => {
      const label = ' '.repeat(labelWidth - styledWidth(bar.label)) + bar.label
      const drawn = barOf(bar.count / most, cells, context.ascii).padEnd(cells)
      const line = [
        ` ${label}  `,
        (bar.style ?? ok)(drawn),
        dim(`  ${count(bar.count).padStart(countWidth)}`),
      ]
      return sentence(line, {...context, width: Number.POSITIVE_INFINITY})
    })
    .join('\n')
}

/** In eighths of a cell; what isn't nothing is seen. */
function barOf(share: number, cells: number, ascii: boolean): string {
  if (share === 0) return ''
  if (ascii) return '#'.repeat(Math.max(1, Math.round(share * cells)))
  const eighths = Math.max(1, Math.round(share * cells * 8))
  const part = eighths % 8
  return '█'.repeat(Math.floor(eighths / 8)) + (part === 0 ? '' : String.fromCodePoint(0x2590 - part))
}
