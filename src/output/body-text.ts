import {formatJson} from './formats.ts'
import {sentence, type ViewContext} from './view.ts'

const MOST_LINES = 80

/** A body, indented: JSON over several lines, or text as it is. Its first 80 lines. */
export function bodyText(body: unknown, context: ViewContext): string {
  const lines = (typeof body === 'string' ? body.trim() : formatJson(body).trimEnd()).split('\n')
  const rest = lines.length > MOST_LINES ? [`… ${lines.length - MOST_LINES} more lines`] : []
  const whole = {...context, width: Number.POSITIVE_INFINITY}
  return [...lines.slice(0, MOST_LINES), ...rest].map(line => sentence([' ', line], whole)).join('\n')
}
