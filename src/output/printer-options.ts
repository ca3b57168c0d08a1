import type {Writable} from 'node:stream'
import type {ChildEnvironment} from '../children/child-environment.ts'
import type {StartPager} from './pager.ts'
import {colourLevel, isAsciiOnly} from './terminal.ts'
import type {ViewContext} from './view.ts'
import {timeZoneOf} from './when.ts'

export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

/** How results are printed: the global flags. */
export interface OutputOptions {
  /** `table` is the view for people, on a terminal and in a pipe alike. */
  readonly format: OutputFormat
  /** A JMESPath expression over the whole result. */
  readonly query?: string | undefined
  /** Members to print, nested ones with dots. */
  readonly columns?: readonly string[] | undefined
  /** Whether tables and CSV begin with a header row; true by default. */
  readonly header?: boolean | undefined
  /** Quotes formulas in CSV. */
  readonly csvSafe?: boolean | undefined
  /** Leaves notes and progress out; warnings and errors stay. */
  readonly quiet?: boolean | undefined
  readonly noColour?: boolean | undefined
}

/** A stream that may be a terminal. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

/** What the printer takes from the outside world. */
export interface PrinterSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** Milliseconds since 1970. */
  now(): number
  /** IANA name; without, the one of TZ, or the system's. */
  readonly timeZone?: string | undefined
  /** What the pager gets of the environment. */
  childEnvironment?(): ChildEnvironment
  /** Ends what a person or a slow reader is waited for. */
  readonly signal?: AbortSignal | undefined
  /** Starts the pager; by the shell without. */
  readonly startPager?: StartPager | undefined
  /** Calls back regularly until the returned function is called; by a timer without. */
  every?(millis: number, act: () => void): () => void
}

const NARROWEST = 20

/** What a view gets to know for a stream. Where no terminal cuts lines, nothing is wrapped or cut. */
export function viewContext(
  surroundings: PrinterSurroundings,
  stream: OutputStream,
  options: OutputOptions,
): ViewContext {
  const {env, timeZone = timeZoneOf(env)} = surroundings
  return {
    width: Math.max(widthOf(stream, env.COLUMNS), NARROWEST),
    colour: colourLevel(env, stream, options),
    ascii: isAsciiOnly(env),
    now: surroundings.now(),
    timeZone,
    header: options.header ?? true,
  }
}

function widthOf(stream: OutputStream, columns: string | undefined): number {
  if (stream.isTTY === true && stream.columns !== undefined && stream.columns > 0) return stream.columns
  if (columns !== undefined && /^[1-9]\d{0,4}$/.test(columns)) return Number(columns)
  return stream.isTTY === true ? 80 : Number.POSITIVE_INFINITY
}

export function everyByTimer(millis: number, act: () => void): () => void {
  const timer = setInterval(act, millis)
  timer.unref()
  return () => clearInterval(timer)
}
