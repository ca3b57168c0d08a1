import {CommandHelp, Help} from '@oclif/core/help'
import {surroundingsOf} from './surroundings.ts'

/** oclif's help with what people look for first: examples before flags. */
class ExamplesFirst extends CommandHelp {
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
