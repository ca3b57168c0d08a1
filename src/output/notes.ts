import type {Failure} from '../errors/failure.ts'
import {errorJson, errorLines, noteJson, warningJson} from './format-error.ts'
import {freshLine, pageIfLong} from './pager.ts'
import {
  columnsOf,
  type OutputFormat,
  type OutputOptions,
  type PrinterSurroundings,
  repeatEvery,
  viewContext,
} from './printer-options.ts'
import {createProgress, type Progress, type ProgressSurroundings} from './progress.ts'
import {Sink} from './sink.ts'
import {openStatus, type Status, type StatusLines} from './status-lines.ts'
import {joinStyled, type Styled, spansOf, warn} from './styled.ts'
import {type Glyphs, mayRedraw} from './terminal.ts'
import {wrapProse} from './text-layout.ts'
import {glyphsOf, painted, renderView, said, type View, type ViewContext} from './view.ts'
import {createSpinner, createWait, type Wait} from './wait.ts'
import {type Waiting, Waits, waitingText} from './waits.ts'
import {timeZoneOf} from './when.ts'

/** What a program is told about a warning: a stable code, and facts. */
export type WarningFacts = Readonly<Record<string, unknown>> & {readonly code: string}

const textOf = (line: Styled): string =>
  spansOf(line)
    .map(({text}) => text)
    .join('')

const timeZoneIn = ({env, timeZone = timeZoneOf(env)}: PrinterSurroundings) => timeZone

/** The stderr side of the printer: everything that isn't data. */
export class Notes {
  readonly #surroundings: PrinterSurroundings
  readonly #options: OutputOptions
  readonly #sink: Sink
  readonly #line: StatusLines
  readonly #glyphs: Glyphs
  readonly #waits: Waits
  /** A picture on stdout, if that is the same terminal. */
  #picture: StatusLines | undefined

  constructor(surroundings: PrinterSurroundings, options: OutputOptions) {
    const context = viewContext(surroundings, surroundings.stderr, options)
    this.#surroundings = surroundings
    this.#options = options
    this.#sink = new Sink(surroundings.stderr, surroundings.signal)
    this.#glyphs = glyphsOf(context)
    this.#line = openStatus(surroundings, surroundings.stderr, options, {
      isTerminal: this.#isTerminal,
      write: text => this.#sink.say(text),
    })
    const {now, every = repeatEvery} = surroundings
    this.#waits = new Waits({
      timeZone: timeZoneIn(surroundings),
      now,
      every,
      say: (text, facts) => {
        if (!this.#isTerminal) this.fact(text, facts)
      },
    })
  }

  note(...lines: readonly Styled[]): void {
    if (this.#options.quiet === true) return
    if (this.#notesAsJson) this.#printAbove(`${noteJson(lines.map(textOf).join('\n'), {code: 'NOTE'})}\n`)
    else this.#print(lines)
  }

  /** A note with facts for programs. */
  fact(text: string, facts: WarningFacts): void {
    if (this.#options.quiet === true) return
    if (this.#isForProgram) this.#printAbove(`${noteJson(text, facts)}\n`)
    else this.#print(text.split('\n'))
  }

  question(...lines: readonly Styled[]): void {
    this.#print(lines)
  }

  warn(text: Styled, facts: WarningFacts = {code: 'WARNING'}): void {
    if (this.#isForProgram) this.#printAbove(`${warningJson(text, facts)}\n`)
    else this.#print([joinStyled([warn('Warning:'), ' ', text])])
  }

  /** @param paged whether a long one is shown in the pager, if stdout is that terminal too. */
  async view<Result>(result: Result, view: View<Result>, {paged = false} = {}): Promise<void> {
    // The result says it too, and a program reads nothing but JSON.
    if (this.#isForProgram && this.#options.quiet === true) return
    const context = this.#context()
    const text = `${await renderView(view, result, context)}\n`
    if (this.#notesAsJson) return this.#printAbove(`${noteJson(text.trimEnd(), {code: 'NOTE'})}\n`)
    const {stderr, env} = this.#surroundings
    if (paged && stderr.isTTY === true && (await pageIfLong(text, this.#surroundings)))
      await this.#sink.write(freshLine(columnsOf(stderr, env)))
    else this.#printAbove(text)
  }

  async error(failure: Failure, format: OutputFormat): Promise<void> {
    this.#line.clear()
    const isJson = this.#options.log === true || format === 'json' || format === 'ndjson'
    const text = isJson ? `${errorJson(failure)}\n` : this.#text(errorLines(failure))
    // If stderr can't be written, there is nowhere to report it.
    await this.#sink.write(text).catch(() => undefined)
  }

  /** Writes a line to stderr unchanged, for --debug. */
  say(text: string): void {
    this.#printAbove(text)
  }

  async progress(what: string): Promise<Progress> {
    return createProgress(what, this.#statusSurroundings())
  }

  wait(what: string): Wait {
    return createWait(what, this.#statusSurroundings())
  }

  /** A spinner, if the wait isn't short and nothing else is shown. Nothing without a terminal. */
  spinner(what: string): Wait {
    if (this.#picture !== undefined) return {stop: () => undefined}
    return createSpinner(what, this.#statusSurroundings())
  }

  /** What is waited for now: a spinner on a terminal, a line elsewhere, unless it is short. Call the result at the end. */
  waiting(waiting: Waiting, {isHidden = false} = {}): () => void {
    const end = this.#waits.begin(waiting)
    if (!this.#isTerminal || isHidden) return end
    const spinner = this.spinner(waiting.brief ?? this.#waitingText(waiting))
    return () => {
      end()
      spinner.stop()
    }
  }

  /** The longest wait of now, in words, for a board that is shown meanwhile. */
  get waitingFor(): string | undefined {
    const {longest} = this.#waits
    return longest && this.#waitingText(longest)
  }

  #waitingText(waiting: Waiting): string {
    return waitingText(waiting, {timeZone: timeZoneIn(this.#surroundings), now: this.#surroundings.now()})
  }

  /** A status line: rewritten in place on a terminal, not shown elsewhere. */
  status(): Status {
    return this.#line
  }

  /** Hides the picture while something is printed. */
  hidePicture(picture: StatusLines): void {
    if (this.#surroundings.stderr.isTTY === true) this.#picture = picture
  }

  /** Hides the running progress while data is printed on the same terminal. */
  hideStatus(): () => void {
    return this.#line.hide()
  }

  get #isForProgram(): boolean {
    const {format, log} = this.#options
    return log === true || format === 'json' || format === 'ndjson'
  }

  get #notesAsJson(): boolean {
    return this.#options.notesAsJson === true && this.#isForProgram && this.#options.log !== true
  }

  get #isTerminal(): boolean {
    return (
      this.#surroundings.stderr.isTTY === true &&
      mayRedraw(this.#surroundings.env) &&
      this.#options.quiet !== true
    )
  }

  #statusSurroundings(): ProgressSurroundings {
    const {now, every = repeatEvery} = this.#surroundings
    return {
      status: this.#line,
      isTerminal: this.#isTerminal,
      glyphs: this.#glyphs,
      now,
      every,
      isPaused: () => this.#waits.isPaused,
      print: (text, facts) => {
        if (facts !== undefined && this.#options.log === true) this.fact(text, facts)
        else this.note(text)
      },
    }
  }

  #context(): ViewContext {
    return viewContext(this.#surroundings, this.#surroundings.stderr, this.#options)
  }

  #printAbove(text: string): void {
    const bringBack = this.#picture?.hide()
    this.#line.print(text)
    bringBack?.()
  }

  #print(lines: readonly Styled[]): void {
    this.#printAbove(this.#text(lines))
  }

  #text(lines: readonly Styled[]): string {
    const context = this.#context()
    const width = this.#surroundings.stderr.isTTY === true ? context.width : Number.POSITIVE_INFINITY
    return lines
      .flatMap(line => wrapProse(said(line, context), width).map(each => `${painted(each, context)}\n`))
      .join('')
  }
}
