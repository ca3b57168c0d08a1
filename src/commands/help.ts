import {loadHelpClass} from '@oclif/core/help'
import {optionalArg} from '../cli/arguments.ts'
import {BaseCommand} from '../cli/base-command.ts'
import {helpTopics} from '../cli/help-topics.ts'
import {isUnknownCommand, namesIn, unknownCommand} from '../cli/unknown-command.ts'

export default class HelpCommand extends BaseCommand {
  static override summary = `Show help for a command, or about ${Object.keys(helpTopics).join(', ')}.`
  static override examples = ['<%= config.bin %> help cards get', '<%= config.bin %> help exit-codes']
  static override args = {topic: optionalArg('Command or topic')}
  static override strict = false

  async run() {
    const {argv} = await this.parse(HelpCommand)
    const words = argv.map(String)
    const topic = helpTopics[words.join('-')]
    if (topic) {
      await this.context.printer.text(topic.text())
      return
    }
    const Help = await loadHelpClass(this.config)
    try {
      await new Help(this.config, this.config.pjson.oclif.helpOptions).showHelp(words)
    } catch (error) {
      if (!isUnknownCommand(error)) throw error
      throw unknownCommand(words, [...namesIn(this.config), ...Object.keys(helpTopics)], 'command or topic')
    }
    if (words.length === 0) {
      const lines = Object.entries(helpTopics).map(
        ([name, {summary}]) => `  help ${name.padEnd(16)} ${summary}`,
      )
      await this.context.printer.text(`MORE HELP\n${lines.join('\n')}`)
    }
  }
}
