import type {ArgInput, FlagInput, Input, OutputArgs, OutputFlags, ParserOutput} from '@oclif/core/interfaces'
import type {ListView} from '../output/index.ts'
import {BaseCommand} from './base-command.ts'
import {watchFlags} from './flags.ts'
import {limited} from './list-length.ts'

/** The base of a command that lists records of this machine, once or again and again. */
export abstract class LocalListCommand extends BaseCommand {
  static override baseFlags = {...BaseCommand.baseFlags, ...watchFlags}

  protected override async parse<
    F extends OutputFlags<FlagInput>,
    B extends OutputFlags<FlagInput>,
    A extends OutputArgs<ArgInput>,
  >(options?: Input<F, B, A>, argv: string[] = this.argv): Promise<ParserOutput<F, B, A>> {
    if (!argv.some(word => /^--watch(=|$)/.test(word))) return super.parse(options, argv)
    // Loaded on first use: most lists are printed once.
    const {checkWatch, withWatchTime} = await import('./watch-read.ts')
    const parsed = await super.parse(options, withWatchTime(argv))
    checkWatch(this.context, (parsed.flags as {watch?: number}).watch)
    return parsed
  }

  /** Prints the records that `read` gives; with --watch again until Ctrl-C. */
  protected async list<Item>(
    read: () => Iterable<Item> | Promise<Iterable<Item>>,
    view: ListView,
    {watch, ...length}: {readonly watch?: number | undefined; readonly limit?: number | undefined},
  ): Promise<unknown> {
    if (watch === undefined) {
      const {items, reportMore} = limited(this.context, await read(), length)
      const printed = await this.context.printer.list(items, view)
      reportMore()
      return printed
    }
    const {watchRead} = await import('./watch-read.ts')
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
