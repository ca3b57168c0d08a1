import {type OutputOptions, type PrinterSurroundings, viewContext} from './printer-options.ts'
import {openStatus, type StatusLines} from './status-lines.ts'
import {isAccessible, mayRedraw} from './terminal.ts'
import {createChangeLines, createPicture, createPlainWatch, type WatchedResult} from './watched-result.ts'

interface WatchOptions {
  readonly surroundings: PrinterSurroundings
  readonly options: OutputOptions
  readonly everyMs: number
  /** Writes to stdout without waiting. */
  say(text: string): void
  print(text: string): Promise<void>
  warn(text: string): void
  /** Called with a picture that must be hidden while something else is printed. */
  hidePicture(picture: StatusLines): void
}

/** Shows a result as a picture, as plain text or as lines: what stdout, the format and the user's settings allow. */
export function openWatch({
  surroundings,
  options,
  everyMs,
  say,
  print,
  warn,
  hidePicture,
}: WatchOptions): WatchedResult {
  const {stdout, env, now} = surroundings
  const context = () => viewContext(surroundings, stdout, options)
  const {timeZone} = context()
  const shared = {everyMs, timeZone, now: () => now()}
  if (options.format === 'ndjson') return createChangeLines({...shared, print, warn})
  if (!mayRedraw(env)) return createPlainWatch({...shared, print, warn, isSpoken: isAccessible(env)})
  const lines = openStatus(surroundings, stdout, options, {isTerminal: true, write: say})
  hidePicture(lines)
  const onResize = (act: () => void) => {
    stdout.on('resize', act)
    return () => stdout.off('resize', act)
  }
  return createPicture({...shared, lines, columns: () => context().width, onResize})
}
