import type {Command, Interfaces} from '@oclif/core'
import {CommandHelp, Help} from '@oclif/core/help'
import {Sink} from '../output/sink.ts'
import {type StartOptions, surroundingsOf} from './surroundings.ts'
import {flagsFirst, namesIn, unknownCommand} from './unknown-command.ts'

/** oclif's help with what people look for first: a short usage, and examples before flags. */
class ExamplesFirst extends CommandHelp {
  protected override defaultUsage(): string {
    const args = Object.values(this.command.args ?? {}).map(arg => this.arg(arg))
    return ['<%= command.id %>', ...args, '[FLAGS]'].join(' ')
  }

  protected override sections() {
    const all = super.sections()
    const rank = ({header}: {header: string}): number =>
      ['USAGE', 'EXAMPLES', 'DESCRIPTION', 'ARGUMENTS'].indexOf(header) >>> 0
    return all.sort((a, b) => rank(a) - rank(b))
  }
}

const FIRST_STEPS = [
  ['tour', 'see it work: a few real commands, nothing of yours is touched'],
  ['cards get 3001', 'show a card of the sandbox'],
  ['profiles add', 'add your own service'],
  ['doctor', 'check this machine and the connection to the service'],
] as const

export default class CardctlHelp extends Help {
  protected override CommandHelpClass = ExamplesFirst

  /** First steps for a new user, before the list of all commands. */
  override formatRoot(): string {
    const steps = FIRST_STEPS.map(([line, about]): [string, string] => [
      `$ ${this.config.bin} ${line}`,
      about,
    ])
    return `${super.formatRoot()}\n\n${this.section('FIRST STEPS', this.renderList(steps, {indentation: 2}))}`
  }

  /** `more` lists other help pages that the user may have meant. */
  override async showHelp(argv: string[], more: readonly string[] = []): Promise<void> {
    const end = argv.findIndex(word => word.startsWith('-'))
    const words = (end === -1 ? argv : argv.slice(0, end)).filter((word, at) => at > 0 || word !== 'help')
    const ids = words.map((_, at) => words.slice(0, at + 1).join(':'))
    const isKnown = ids.some(id => this.config.findCommand(id)) || this.config.findTopic(words.join(':'))
    if (words.length > 0 && !isKnown) {
      const names = [...namesIn(this.config.commandIDs), ...more]
      throw unknownCommand(words, names, more.length > 0 ? 'command or topic' : 'command')
    }
    await super.showHelp(argv)
  }

  /** oclif doesn't know the operations of an imported contract as commands. */
  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    if (command.id !== 'x') return super.showCommandHelp(command)
    // Loaded on first use: only help of x needs imported contracts.
    const {importedHelp} = await import('../commands/x/shared/help.ts')
    const described = await importedHelp(this.config, command)
    if (typeof described === 'string') return this.log(described)
    return super.showCommandHelp(described)
  }

  /** oclif also shows a topic for `cards --output json get 3001`, as if the user had requested the topic. */
  protected override async showTopicHelp(topic: Interfaces.Topic): Promise<void> {
    const {argv = []} = (this.config as {options?: Partial<StartOptions>}).options ?? {}
    const isAsked = argv[0] === 'help' || argv.some(word => word === '--help' || word === '-h')
    if (!isAsked && argv.some(word => word.startsWith('-'))) throw flagsFirst()
    await super.showTopicHelp(topic)
  }

  protected override log(...lines: string[]): void {
    new Sink(surroundingsOf(this.config as never).stdout).say(`${lines.join(' ')}\n`)
  }
}
