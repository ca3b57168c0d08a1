import {CommandHelp, Help} from '@oclif/core/help'
import {surroundingsOf} from './surroundings.ts'

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

export default class CardctlHelp extends Help {
  protected override CommandHelpClass = ExamplesFirst

  protected override log(...lines: string[]): void {
    surroundingsOf(this.config as never).stdout.write(`${lines.join(' ')}\n`)
  }
}
