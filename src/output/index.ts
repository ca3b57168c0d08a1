/** The one door to stdout: formats, views, progress, pager; escaping where text from outside leaves. */
export {amount, count, counted} from './amount.ts'
export {type ColourLevel, colourLevel, isAsciiOnly} from './colour.ts'
export {type Detail, type DetailRow, detail, type Lines} from './detail.ts'
export {OUTPUT_FORMATS, type OutputFormat, type OutputOptions} from './options.ts'
export type {RunningPager, StartPager} from './pager.ts'
export {createPrinter, type Printer, type PrintSettings} from './printer.ts'
export type {Progress, ProgressState} from './progress.ts'
export {state, stateMark} from './state.ts'
export {
  alarm,
  bad,
  busy,
  dim,
  joinStyled,
  ok,
  type Span,
  type Style,
  type Styled,
  strong,
  warn,
} from './styled.ts'
export type {OutputStream, PrinterSurroundings} from './surroundings.ts'
export {type Column, table} from './table.ts'
export {blocks, type ListView, sentence, type View, type ViewContext} from './view.ts'
export type {Wait} from './wait.ts'
export {dateTime, dayTime, duration, relative} from './when.ts'
