import {Duplex} from 'node:stream'
import {
  columnsOf,
  type OutputOptions,
  type OutputStream,
  type PrinterSurroundings,
  rowsOf,
  viewContext,
} from './printer-options.ts'
import {StatusLines} from './status-lines.ts'
import {paintFor} from './styled.ts'
import {glyphsFor, hasSecondScreen} from './terminal.ts'

/** @param write writes to the stream without waiting. */
export function openStatus(
  surroundings: PrinterSurroundings,
  stream: OutputStream,
  options: OutputOptions,
  {isTerminal, write}: {readonly isTerminal: boolean; write(text: string): void},
): StatusLines {
  const {env, platform = 'linux', stdout, atExit, atSuspend} = surroundings
  const {colour, ascii} = viewContext(surroundings, stream, options)
  return new StatusLines({
    isTerminal,
    // The reader of a pipe may print on the same terminal, at any time.
    hasSecondScreen: hasSecondScreen(env, platform) && !isPipe(stdout),
    get width() {
      return columnsOf(stream, env)
    },
    get rows() {
      return rowsOf(stream)
    },
    mark: glyphsFor(ascii).ellipsis,
    paint: paintFor(colour),
    write,
    atExit: act => atExit?.(act) ?? (() => undefined),
    atSuspend: (leave, back) => atSuspend?.(leave, back) ?? (() => undefined),
    onResize: act => {
      stream.on('resize', act)
      return () => stream.off('resize', act)
    },
  })
}

/** Of what Node makes of stdout, terminals and pipes can be read, too, and files can't. */
const isPipe = (stream: OutputStream): boolean => stream.isTTY !== true && stream instanceof Duplex
