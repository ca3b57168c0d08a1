import {Chalk} from 'chalk'
import type {ColourLevel} from './colour.ts'
import type {Span, Style} from './styled.ts'

export type Paint = (span: Span) => string

const painters = new Map<ColourLevel, Paint>()

/** Turns spans into text with colour codes; at level 0 into the text alone. */
export function paintFor(level: ColourLevel): Paint {
  const known = painters.get(level)
  if (known !== undefined) return known
  const chalk = new Chalk({level})
  const colours: Record<Style, (text: string) => string> = {
    ok: chalk.green,
    warn: chalk.yellow,
    bad: chalk.red,
    busy: chalk.cyan,
    dim: chalk.dim,
    strong: chalk.bold,
    alarm: chalk.bgRed.white.bold,
  }
  const paint: Paint = ({text, style}) => (style === undefined || text === '' ? text : colours[style](text))
  painters.set(level, paint)
  return paint
}
