import type {Writable} from 'node:stream'
import type {ChildEnvironment} from '../children/child-environment.ts'
import type {ChildEnd} from '../children/same-signal.ts'
import {colourLevel, isAccessible, isAsciiOnly} from './terminal.ts'
import type {ViewContext} from './view.ts'
import {timeZoneOf} from './when.ts'

/** A running pager. It shows what is written to `stdin`; `ended` resolves when the user quits. */
export interface RunningPager {
  readonly stdin: Writable
  readonly ended: Promise<ChildEnd>
  /** Stops the pager. It gets time to restore the terminal. */
  stop(): void
}

export type StartPager = (command: string, env: ChildEnvironment) => RunningPager | Promise<RunningPager>

export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

/** How results are printed: the global flags. */
export interface OutputOptions {
  /** `table` is the view for people, on a terminal and in a pipe alike. */
  readonly format: OutputFormat
  /** A JMESPath expression, applied to the whole result. */
  readonly query?: string | undefined
  /** Fields to print; dots separate nested names. */
  readonly columns?: readonly string[] | undefined
  /** Whether tables and CSV begin with a header row; true by default. */
  readonly header?: boolean | undefined
  /** Quotes cells that a spreadsheet would run as formulas. */
  readonly csvSafe?: boolean | undefined
  /** Hides notes and progress, not warnings and errors. */
  readonly quiet?: boolean | undefined
  readonly noColour?: boolean | undefined
  /** Lines on stderr are for programs, whatever the format of the result. */
  readonly log?: boolean | undefined
  /** With JSON, also notes for people are JSON on stderr: a program decides by them what it runs next. */
  readonly notesAsJson?: boolean | undefined
}

/** A stream that may be a terminal. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

/** What the printer needs from its process. */
export interface PrinterSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** Milliseconds since 1970. */
  now(): number
  /** IANA name. Default: TZ, else the system's time zone. */
  readonly timeZone?: string | undefined
  /** The environment of the pager. */
  childEnvironment?(): ChildEnvironment
  /** Ends waiting for a person or a slow reader. */
  readonly signal?: AbortSignal | undefined
  /** Lays out a result: a signal ends the process meanwhile. */
  showAbandonably?<Result>(work: () => Promise<Result>): Promise<Result>
  /** Starts the pager. Default: through the shell. */
  readonly startPager?: StartPager | undefined
  /** Calls back regularly until the returned function is called. Default: a timer. */
  every?(millis: number, act: () => void): () => void
  /** Calls `act` when the process ends, however it ends. Call the result to cancel. */
  atExit?(act: () => void): () => void
  /** Calls `leave` before Ctrl-Z stops the process, and `back` when it continues. Call the result to cancel. */
  readonly atSuspend?: ((leave: () => void, back: () => void) => () => void) | undefined
  readonly platform?: NodeJS.Platform | undefined
}

const NARROWEST = 20

/** The context of a view on a stream. Lines are wrapped and cut only on a terminal. */
export function viewContext(
  surroundings: PrinterSurroundings,
  stream: OutputStream,
  options: OutputOptions,
): ViewContext {
  const {env, timeZone = timeZoneOf(env)} = surroundings
  return {
    width: Math.max(columnsOf(stream, env), NARROWEST),
    colour: colourLevel(env, stream, options),
    ascii: isAsciiOnly(env),
    accessible: isAccessible(env),
    now: surroundings.now(),
    timeZone,
    header: options.header ?? true,
  }
}

/** The columns of a terminal; without one, what the user sets. */
export function columnsOf(stream: OutputStream, {COLUMNS: columns}: PrinterSurroundings['env']): number {
  if (stream.isTTY === true && stream.columns !== undefined && stream.columns > 0) return stream.columns
  if (columns !== undefined && /^[1-9]\d{0,4}$/.test(columns)) return Number(columns)
  return stream.isTTY === true ? 80 : Number.POSITIVE_INFINITY
}

const USUAL_ROWS = 24

/** The rows of a terminal. One that doesn't know its height reports 0. */
export const rowsOf = ({rows}: OutputStream): number => rows || USUAL_ROWS

export function repeatEvery(millis: number, act: () => void): () => void {
  const timer = setInterval(act, millis)
  timer.unref()
  return () => clearInterval(timer)
}
