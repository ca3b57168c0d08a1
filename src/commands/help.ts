import {optionalArg} from '../cli/arguments.ts'
import {BaseCommand} from '../cli/base-command.ts'
import Help from '../cli/help.ts'
import {helpTopics} from '../cli/help-topics.ts'

export default class HelpCommand extends BaseCommand {
  static override summary = `Show help for a command, or about ${Object.keys(helpTopics).join(', ')}.`
  static override examples = ['<%= config.bin %> help cards get', '<%= config.bin %> help exit-codes']
  static override args = {topic: optionalArg('Command or topic')}
  static override strict = false

  async run() {
    const {argv} = await this.parse(HelpCommand)
    const words = argv.map(String)
    const name = words.join('-')
    const topic = Object.hasOwn(helpTopics, name) ? helpTopics[name] : undefined
    if (topic) {
      await this.context.printer.text(topic.text())
      return
    }
    await new Help(this.config).showHelp(words, Object.keys(helpTopics))
    if (words.length === 0) {
      const lines = Object.entries(helpTopics).map(
        ([name, {summary}]) => `  help ${name.padEnd(16)} ${summary}`,
      )
      await this.context.printer.text(`MORE HELP\n${lines.join('\n')}`)
    }
  }
}
