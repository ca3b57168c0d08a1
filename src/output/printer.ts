import {setImmediate as nextTurn} from 'node:timers/promises'
import {Failure} from '../errors/failure.ts'
import {chooseFields, plain} from './fields.ts'
import {formatCsv, formatJson, formatYaml, type InTime, within} from './formats.ts'
import {chosenView, genericView} from './generic.ts'
import {Notes, type WarningFacts} from './notes.ts'
import {openWatch} from './open-watch.ts'
import {freshLine, pageIfLong} from './pager.ts'
import {inParts, type ListOutput, missingColumns, PART, streamCsv, streamNdjson} from './print-list.ts'
import {printParts} from './print-parts.ts'
import {
  columnsOf,
  type OutputFormat,
  type OutputOptions,
  type PrinterSurroundings,
  viewContext,
} from './printer-options.ts'
import type {Progress} from './progress.ts'
import {compileQuery, type Query} from './query.ts'
import {Sink} from './sink.ts'
import type {Status} from './status-lines.ts'
import {alarm, escapeUnits, jsonLine, type Styled} from './styled.ts'
import {type ListView, renderView, sentence, type View} from './view.ts'
import type {Wait} from './wait.ts'
import type {Waiting} from './waits.ts'

/** A part of the screen. */
interface Picture {
  readonly columns: number | undefined
}

export interface PrintSettings {
  /** Contains a revealed secret, so it never goes to the pager. */
  readonly sensitive?: boolean | undefined
}

/** The only way to stdout and stderr. Data goes to stdout, everything else to stderr. */
export interface Printer {
  /** Whether the reader of stdout closed it. If so, stop producing data. */
  readonly closed: boolean
  /** Checks query and columns. Call it before sending anything. @throws Failure USAGE */
  prepare(): Promise<void>
  /** Prints the name of a live profile above every table. */
  markLive(profile: string): void
  /**
   * The end of `--timeout`, in milliseconds since 1970: the layout of a result may go on until then, or for a moment if that
   * has passed.
   */
  endBefore(millis: number): void
  /** Whatever view is given: what is printed of this value, or of a list of such, has the form for any JSON. */
  showAsItCame(value: object): void
  /** Prints a result in the chosen format; `view` is the format for people. */
  data<Result>(result: Result, view?: View<Result>, settings?: PrintSettings): Promise<void>
  /**
   * Prints a list that may come in pages, at the reader's pace in constant memory, and returns undefined. A short list
   * that isn't NDJSON or CSV is printed at once and returned, and so is every list for a query or for a terminal.
   */
  list<Item>(items: AsyncIterable<Item> | Iterable<Item>, view?: ListView): Promise<Item[] | undefined>
  /**
   * Prints events as they arrive: through the view for people, as NDJSON in any other format. Events of one batch are
   * written together.
   */
  stream<Item>(batches: AsyncIterable<readonly Item[]>, view: View<Item>): Promise<void>
  /**
   * Shows a result that is read again and again, and marks what changed: as a picture that is redrawn on a terminal, as
   * a line for each new value with ndjson.
   */
  watch(everyMs: number): Promise<Watched>
  /** Prints text unchanged in every format, for example a request as JSON or a shell command. */
  text(text: string): Promise<void>
  /** Prints a part of a file to stdout. */
  chunk(text: string | Uint8Array): Promise<void>
  /** Prints a line to stderr unchanged, for --debug. */
  say(line: string): void
  /** Prints lines to stderr, not with --quiet. A line feed inside a line is shown as `\n`. */
  note(...lines: readonly Styled[]): void
  /** The same with facts: `{"note": {"code", "message", …}}` if the format is json or ndjson. */
  fact(text: string, facts: WarningFacts): void
  /** Prints the lines that a question needs to stderr, also with --quiet. */
  question(...lines: readonly Styled[]): void
  /**
   * Prints a line to stderr, also with --quiet: `{"warning": {"code", "message", …}}` if the format is json or ndjson. The
   * code is WARNING unless the facts have another.
   */
  warn(text: Styled, facts?: WarningFacts): void
  /** Prints a view to stderr; with `paged`, a long one in the pager, if there is a person to read it. */
  noteView<Result>(result: Result, view: View<Result>, options?: {readonly paged?: boolean}): Promise<void>
  /** Prints a failure to stderr: for people, or as one line of JSON if the format is json or ndjson. */
  error(failure: Failure, format?: OutputFormat): Promise<void>
  /** Shows a progress bar or board on stderr; `what` names what it counts ("transfers"). */
  progress(what: string): Promise<Progress>
  /** Shows a spinner on stderr; `what` names what cardctl waits for. */
  wait(what: string): Wait
  /** Shows a spinner on stderr if the wait isn't short and nothing else is shown. Nothing without a terminal. */
  spinner(what: string): Wait
  /**
   * Says what a command waits for, unless it is short: in a spinner on a terminal, on lines elsewhere. Call the result at the
   * end.
   */
  waiting(waiting: Waiting): () => void
  /** What is waited for now, in words. */
  readonly waitingFor: string | undefined
  /** A status line on stderr: rewritten in place on a terminal, not shown elsewhere. */
  status(): Status
}

/** The result of a read that is repeated. */
export interface Watched {
  show<Result>(result: Result, view?: View<Result>): Promise<void>
  /** A failure that may pass: the read is repeated. */
  failed(failure: Failure): void
  /** Leaves the last picture. */
  end(): void
}

export function createPrinter(surroundings: PrinterSurroundings, options: OutputOptions): Printer {
  return new StreamPrinter(surroundings, options)
}

class StreamPrinter implements Printer {
  readonly #surroundings: PrinterSurroundings
  readonly #options: OutputOptions
  readonly #sink: Sink
  readonly #notes: Notes
  /** Responses without any field that a view shows. */
  readonly #foreign = new WeakSet<object>()
  #query: Promise<Query> | undefined
  #live: string | undefined
  /** Whether something was written to a stdout that isn't a terminal. */
  #hasPiped = false

  constructor(surroundings: PrinterSurroundings, options: OutputOptions) {
    this.#surroundings = surroundings
    this.#options = options
    this.#sink = new Sink(surroundings.stdout, surroundings.signal)
    this.#notes = new Notes(surroundings, options)
  }

  get closed(): boolean {
    return this.#sink.closed
  }

  async prepare(): Promise<void> {
    if (this.#options.columns?.some(name => name === '') === true) {
      throw new Failure('USAGE', {
        message: '--columns has an empty name',
        hint: 'Write it as --columns id,status.',
      })
    }
    await this.#compiled()
  }

  markLive(profile: string): void {
    this.#live = profile
  }

  endBefore(millis: number): void {
    this.#endsAt = millis
  }
  #endsAt = Number.POSITIVE_INFINITY

  /** What ends a layout that takes too long: by its own questions, or in the middle of work that asks none. */
  #deadline(): {readonly check: () => void; readonly inTime: InTime} {
    const {now} = this.#surroundings
    const latest = Math.max(this.#endsAt, now() + SHORT_LAYOUT_MS)
    const tooLong = () => {
      throw new Failure('TIMED_OUT', {
        message: 'The response came, but its output was not ready in time.',
        hint: 'Choose -o json without --query, or allow more time with --timeout.',
      })
    }
    return {
      check: () => {
        if (now() > latest) tooLong()
      },
      inTime: within(latest - now(), tooLong),
    }
  }

  #abandonably<Result>(work: () => Promise<Result>): Promise<Result> {
    const {showAbandonably} = this.#surroundings
    return showAbandonably ? showAbandonably(work) : work()
  }

  showAsItCame(value: object): void {
    this.#foreign.add(value)
  }

  /** A view of ours would be an empty table. */
  #isForeign(result: unknown): boolean {
    const values = Array.isArray(result) ? result : [result]
    return values.length > 0 && values.every(value => this.#foreign.has(value as object))
  }

  async data<Result>(result: Result, view?: View<Result>, settings: PrintSettings = {}): Promise<void> {
    const render = (): Promise<string> => this.#render(result, view)
    // A secret is shown on a screen that has to be left.
    await this.#put(await (settings.sensitive ? render() : this.#abandonably(render)), settings)
  }

  async list<Item>(
    items: AsyncIterable<Item> | Iterable<Item>,
    view?: ListView,
  ): Promise<Item[] | undefined> {
    const {format, query} = this.#options
    await this.prepare()
    if (query === undefined && (format === 'ndjson' || format === 'csv')) {
      const stream = format === 'ndjson' ? streamNdjson : streamCsv
      await stream(items, this.#options, this.#listOutput())
      return undefined
    }
    // A query and the pager need the whole list.
    const isWhole = query !== undefined || this.#surroundings.stdout.isTTY === true
    const output = this.#listOutput()
    const parts = inParts(items, isWhole ? Number.POSITIVE_INFINITY : PART, work => this.#abandonably(work))
    try {
      const first = (await parts.next()).value ?? []
      const second = (await parts.next()).value
      if (second === undefined) {
        await this.data<readonly unknown[]>(first, view)
        return first
      }
      await printParts([first, second], parts, this.#options, {
        ...output,
        text: part =>
          this.#abandonably(() =>
            format === 'table' ? this.#partText(part, view) : formatYaml(part, this.#deadline().inTime),
          ),
      })
      return undefined
    } finally {
      await parts.return(undefined)
    }
  }

  async stream<Item>(batches: AsyncIterable<readonly Item[]>, view: View<Item>): Promise<void> {
    const {format, columns} = this.#options
    const missing = missingColumns(columns)
    const lineOf = (item: Item) => {
      if (columns === undefined) return `${jsonLine(item)}\n`
      const value = plain(item)
      missing.see(value)
      return `${jsonLine(chooseFields(value, columns))}\n`
    }
    for await (const batch of batches) {
      const viewed = () => Promise.all(batch.map(item => this.#viewText(item, view)))
      const lines = format === 'table' ? await viewed() : batch.map(lineOf)
      await this.#write(lines.join(''))
      if (this.closed) return
    }
    missing.tell(this)
  }

  async watch(everyMs: number): Promise<Watched> {
    const watched = openWatch({
      surroundings: this.#surroundings,
      options: this.#options,
      everyMs,
      say: text => this.#sink.say(text),
      print: text => this.#write(text),
      warn: text => this.warn(text),
      hidePicture: picture => this.#notes.hidePicture(picture),
    })
    let isFirst = true
    return {
      show: async (result, view) => {
        // What is missing is told once.
        if (isFirst) await this.#render(result, view)
        isFirst = false
        await watched.show(columns => this.#render(result, view, {columns}))
      },
      failed: failure => watched.failed(failure),
      end: () => watched.end(),
    }
  }

  async text(text: string): Promise<void> {
    await this.#write(`${escapeUnits(text)}\n`)
  }

  chunk(text: string | Uint8Array): Promise<void> {
    return this.#write(text)
  }

  say(line: string): void {
    this.#notes.say(`${line}\n`)
  }

  note(...lines: readonly Styled[]): void {
    if (!this.#wasStopped) this.#notes.note(...lines)
  }

  fact(text: string, facts: WarningFacts): void {
    if (!this.#wasStopped) this.#notes.fact(text, facts)
  }

  question(...lines: readonly Styled[]): void {
    this.#notes.question(...lines)
  }

  warn(text: Styled, facts?: WarningFacts): void {
    this.#notes.warn(text, facts)
  }

  noteView<Result>(result: Result, view: View<Result>, options?: {readonly paged?: boolean}): Promise<void> {
    return this.#notes.view(result, view, options)
  }

  error(failure: Failure, format: OutputFormat = this.#options.format): Promise<void> {
    return this.#notes.error(failure, format)
  }

  progress(what: string): Promise<Progress> {
    return this.#notes.progress(what)
  }

  wait(what: string): Wait {
    return this.#notes.wait(what)
  }

  spinner(what: string): Wait {
    // A reader of stdout may print on the same terminal by now.
    if (this.#hasPiped) return {stop: () => undefined}
    return this.#notes.spinner(what)
  }

  waiting(waiting: Waiting): () => void {
    return this.#notes.waiting(waiting, {isHidden: this.#hasPiped})
  }

  get waitingFor(): string | undefined {
    return this.#notes.waitingFor
  }

  status(): Status {
    return this.#notes.status()
  }

  #compiled(): Promise<Query> | undefined {
    const {query} = this.#options
    if (query === undefined) return undefined
    this.#query ??= compileQuery(query)
    return this.#query
  }

  /** @param picture for a part of the screen: without colours and warnings. */
  async #render<Result>(result: Result, view: View<Result> | undefined, picture?: Picture): Promise<string> {
    const {format, columns} = this.#options
    const query = await this.#compiled()
    if (format === 'table' && query === undefined && columns === undefined && view !== undefined) {
      return this.#viewText(result, view, this.#live, {picture})
    }
    const whole = plain(result)
    const {inTime} = this.#deadline()
    const value = query === undefined ? whole : inTime(() => query(whole))
    if (query !== undefined && picture === undefined && isNothing(value)) this.#tellNothing(query, whole)
    if (columns !== undefined) {
      const missing = missingColumns(columns)
      for (const item of Array.isArray(value) ? value : [value]) missing.see(item)
      if (picture === undefined) missing.tell(this)
    }
    if (format === 'table') return this.#viewText(value, await this.#fieldsView(), this.#live, {picture})
    return this.#formatted(value, format, inTime)
  }

  #tellNothing(query: Query, result: unknown): void {
    const why = query.whyNothing(result)
    if (why !== undefined) this.note(why)
  }

  /** The table of a part of a list; the banner of a live profile stands above the first one. */
  async #partText(part: readonly unknown[], view: ListView | undefined): Promise<string> {
    const live = this.#live
    this.#live = undefined
    const chosen = this.#options.columns === undefined ? view : undefined
    const printed = this.#printed
    this.#printed += part.length
    return this.#viewText(part, chosen ?? (await this.#fieldsView()), live, {printed})
  }
  /** Entries of a long list. */
  #printed = 0

  /** The view without one of its own, or with chosen columns. */
  async #fieldsView(): Promise<View> {
    const {columns} = this.#options
    return columns === undefined ? genericView : chosenView(columns)
  }

  async #formatted(value: unknown, format: Exclude<OutputFormat, 'table'>, inTime: InTime): Promise<string> {
    const {columns} = this.#options
    if (format === 'csv') return formatCsv(value, this.#options, inTime)
    const chosen = columns === undefined ? value : chooseFields(value, columns)
    if (format === 'json') return formatJson(chosen)
    if (format === 'yaml') return formatYaml(chosen, inTime)
    return (Array.isArray(chosen) ? chosen : [chosen]).map(item => `${jsonLine(item)}\n`).join('')
  }

  async #viewText<Result>(
    result: Result,
    view: View<Result>,
    live?: string,
    {picture, printed}: {readonly picture?: Picture | undefined; readonly printed?: number} = {},
  ): Promise<string> {
    const usual = viewContext(this.#surroundings, this.#surroundings.stdout, this.#options)
    const context =
      picture === undefined
        ? {...usual, printed, check: this.#deadline().check}
        : {...usual, width: picture.columns ?? usual.width - 1, colour: 0 as const}
    const shown = this.#isForeign(result) ? await this.#fieldsView() : view
    const text = await renderView(shown, result, context)
    const banner = live === undefined ? '' : `${sentence([alarm('LIVE'), ` ${live}`], context)}\n`
    return text === '' ? '' : `${banner}${text}\n`
  }

  async #put(text: string, {sensitive}: PrintSettings): Promise<void> {
    const {stdout, env} = this.#surroundings
    if (sensitive !== true && (await pageIfLong(text, this.#surroundings))) {
      this.#wasStopped ||= this.#surroundings.signal?.aborted === true
      await this.#sink.write(freshLine(columnsOf(stdout, env)))
    } else await this.#write(text)
  }
  /** Ctrl-C in the pager: who stops reading wants no notes. */
  #wasStopped = false

  async #write(text: string | Uint8Array): Promise<void> {
    const isTerminal = this.#surroundings.stdout.isTTY === true
    const bringBack = isTerminal ? this.#notes.hideStatus() : undefined
    this.#hasPiped ||= !isTerminal
    await this.#sink.write(text)
    bringBack?.()
  }

  #listOutput(): ListOutput {
    const {signal} = this.#surroundings
    const wasStopped = signal?.aborted === true
    return {
      write: async text => {
        await this.#write(text)
        // A list that is here already leaves a signal no other moment.
        await nextTurn()
        if (!wasStopped && signal?.aborted) throw signal.reason
      },
      warn: text => this.warn(text),
      isClosed: () => this.closed,
    }
  }
}

/** A layout may take so long even if `--timeout` has passed, in milliseconds. */
const SHORT_LAYOUT_MS = 1000

/** What a query prints nothing of. */
const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)
