import type {ArgInput, FlagInput, Input, OutputArgs, OutputFlags, ParserOutput} from '@oclif/core/interfaces'
import type {ListView} from '../output/index.ts'
import {dim} from '../output/styled.ts'
import {sentence} from '../output/view.ts'
import {BaseCommand} from './base-command.ts'
import {watchFlags} from './flags.ts'
import {limited} from './list-length.ts'
import {checkWatch, watchRead, withWatchTime} from './watch-read.ts'

/** How much of the list, and where it is. */
const NO_FILTERS: ReadonlySet<string> = new Set(['limit', 'all', 'recording'])

/** The base of a command that lists records of this machine, once or again and again. */
export abstract class LocalListCommand extends BaseCommand {
  static override baseFlags = {...BaseCommand.baseFlags, ...watchFlags}
  /** As they were typed. */
  #filters: readonly string[] = []

  protected override async parse<
    F extends OutputFlags<FlagInput>,
    B extends OutputFlags<FlagInput>,
    A extends OutputArgs<ArgInput>,
  >(options?: Input<F, B, A>, argv: string[] = this.argv): Promise<ParserOutput<F, B, A>> {
    const parsed = await this.#parsed(options, argv)
    const {flags: own = {}} = this.ctor
    this.#filters = parsed.raw.flatMap(token =>
      token.type === 'flag' && token.flag in own && !NO_FILTERS.has(token.flag)
        ? [`--${token.flag}${own[token.flag]?.type === 'boolean' ? '' : ` ${token.input.trim()}`}`]
        : [],
    )
    return parsed
  }

  async #parsed<
    F extends OutputFlags<FlagInput>,
    B extends OutputFlags<FlagInput>,
    A extends OutputArgs<ArgInput>,
  >(options: Input<F, B, A> | undefined, argv: string[]): Promise<ParserOutput<F, B, A>> {
    if (!argv.some(word => /^--watch(=|$)/.test(word))) return super.parse(options, argv)
    const parsed = await super.parse(options, withWatchTime(argv))
    checkWatch(this.context, (parsed.flags as {watch?: number}).watch)
    return parsed
  }

  /**
   * Prints the records that `read` gives; with --watch again until Ctrl-C. If there are none, the filters are named:
   * one of them may be wrong.
   *
   * @param what the records are called
   */
  protected async list<Item>(
    what: string,
    read: () => Iterable<Item> | Promise<Iterable<Item>>,
    listView: ListView,
    {watch, ...length}: {readonly watch?: number | undefined; readonly limit?: number | undefined},
  ): Promise<Item[] | undefined> {
    const filters = this.#filters
    const view: ListView = (items, context) =>
      items.length > 0 || filters.length === 0
        ? listView(items, context)
        : sentence(dim(`No ${what} match ${filters.join(' ')}.`), context)
    if (watch === undefined) {
      const {items, reportMore} = limited(this.context, await read(), length)
      const printed = await this.context.printer.list(items, view)
      reportMore()
      return printed
    }
    this.endsAtInterrupt = true
    await watchRead(
      this.context,
      watch,
      async () => [...limited(this.context, await read(), length).items],
      view,
    )
    return undefined
  }
}
