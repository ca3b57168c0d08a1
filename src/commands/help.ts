import * as Flags from '@oclif/core/flags'
import {optionalArg} from '../cli/arguments.ts'
import {BaseCommand} from '../cli/base-command.ts'
import {typedLine} from '../cli/command-line.ts'
import {placeOf} from '../cli/help/anchor.ts'
import {aboutLine, answering} from '../cli/help/answering.ts'
import type {Situation} from '../cli/help/entry.ts'
import {textForAgents} from '../cli/help/for-agents.ts'
import {type HelpLayout, helpLayout} from '../cli/help/layout.ts'
import {readManifest} from '../cli/help/manifest.ts'
import {pageText} from '../cli/help/page-text.ts'
import {type Answer, type Found, foundIn} from '../cli/help/search.ts'
import {toolData} from '../cli/help/tool-data.ts'
import {helpTopics} from '../cli/help/topics.ts'
import {helpText, printHelp, showHelp} from '../cli/help.ts'
import {importedLine} from '../cli/imported-words.ts'
import {topicNames} from '../cli/package-files.ts'
import type {Program} from '../cli/program.ts'
import {isMistyped, namesIn, unknownCommand} from '../cli/unknown-command.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {DescribedCommand, WholeTool} from './schema/shared/whole-tool.ts'

/** More would be longer than a screen, and the first ones match best. */
const MOST_FOUND = 8

/** What can be done about a situation, step by step. */
function answerLines(situation: Situation, layout: HelpLayout): readonly string[] {
  return [
    ...layout.prose(aboutLine(situation), '  '),
    ...situation.steps.flatMap(({does, words}) => [
      ...layout.prose(`${does}:`, '    '),
      `      ${typedLine(words.split(' '), undefined)}`,
    ]),
  ]
}

export default class HelpCommand extends BaseCommand {
  static override summary =
    `Show help for a command, about ${Object.keys(helpTopics).join(', ')}, or search it.`
  static override examples = [
    '<%= config.bin %> help cards get',
    '<%= config.bin %> help exit-codes',
    '<%= config.bin %> help unblock',
    {description: 'A page of the documentation', command: '<%= config.bin %> help four-eyes'},
    '<%= config.bin %> help --search "credit limit"',
    {
      description: 'The whole tool as data, for programs',
      command: '<%= config.bin %> help -o json',
    },
    '<%= config.bin %> help cards get -o json',
    '<%= config.bin %> help --for-agents',
  ]
  static override args = {topic: optionalArg('Command, topic, or a word to search for')}
  static override flags = {
    search: Flags.string({
      helpValue: 'WORD',
      summary: 'Search names, flags, examples and topics. Best match first.',
    }),
    'for-agents': Flags.boolean({
      exclusive: ['search'],
      summary: 'Print the whole tool on a page, for agents: rules, commands with their effects, exit codes.',
    }),
  }
  static override strict = false

  async run(): Promise<WholeTool | DescribedCommand | readonly Found[] | undefined> {
    const {raw, flags} = await this.parse(HelpCommand)
    // In the order of `argv`, words that are there twice stand side by side.
    const words = raw.filter(({type}) => type === 'arg').map(({input}) => input)
    if (flags['for-agents']) {
      await this.context.printer.text(textForAgents(toolData(readManifest(), this.config)))
      return undefined
    }
    if (flags.search !== undefined) return this.search([...words, ...flags.search.split(' ')])
    const asData = this.context.outputOptions.format === 'table' ? undefined : await this.data(words)
    if (asData !== undefined) {
      await this.context.printer.data(asData)
      return asData
    }
    const name = words.join('-')
    const topic = Object.hasOwn(helpTopics, name) ? helpTopics[name] : undefined
    const {surroundings} = this.context
    const {commands} = readManifest()
    const imported = topic ? undefined : importedLine(words, surroundings)
    if (imported) {
      await showHelp(imported, surroundings, (this.config as Program).listed)
      return undefined
    }
    const asked = topic || !this.isQuestion(words) ? undefined : await this.answer(words)
    if (asked && asked.ranked.length > 0) return this.show(asked, words)
    const text = topic
      ? topic.text()
      : ((await helpText(words, [], commands, surroundings)) ?? pageText(words, helpLayout(surroundings)))
    if (text !== undefined) {
      await printHelp(text, surroundings)
      return undefined
    }
    const answer = await this.answer(words)
    const names = [...namesIn(Object.keys(commands)), ...Object.keys(helpTopics)]
    // Of `cards gte` only a command can be meant, and `cards bogus` says nothing. `webhook deadline` is a question.
    const isOfTopic = words.length > 1 && topicNames.includes(words[0] ?? '') && !answer.situation
    const isCommand =
      isOfTopic && (isMistyped(words, names) || (await this.answer(words.slice(1))).ranked.length === 0)
    if (!isCommand && answer.ranked.length > 0) return this.show(answer, words)
    throw unknownCommand(words, names, {what: 'command or topic'})
  }

  /** The whole tool, or the command that the words name. */
  private async data(words: readonly string[]): Promise<WholeTool | DescribedCommand | undefined> {
    // Help for people needs no schemas.
    const {describedCommand, wholeTool} = await import('./schema/shared/whole-tool.ts')
    return words.length === 0 ? wholeTool(this.config) : describedCommand(words)
  }

  /** Whether words that begin with a command's name are no line for it: `bulk run stopped halfway`. */
  private isQuestion(words: readonly string[]): boolean {
    const ids = Object.keys(readManifest().commands)
    const count = words.findLastIndex((_, at) => ids.includes(words.slice(0, at + 1).join(':'))) + 1
    const known = new Set(ids.flatMap(id => id.split(':')))
    const others = words.slice(count).filter(word => !/[^a-z,'?]/.test(word) && !known.has(word))
    return count > 0 && words.length > count + 1 && others.length > 0
  }

  private async search(words: readonly string[]): Promise<readonly Found[]> {
    const answer = await this.answer(words)
    if (answer.ranked.length > 0) return this.show(answer, words)
    throw new Failure('USAGE', {
      message: 'Nothing in the help has these words.',
      hint: advice`Try one word of it, such as card, limit or transfer. All commands by task: ${cardctl('--help')}. If you have an id: ${cardctl('find', {value: 'ID'})}`,
      effect: 'none',
    })
  }

  private async answer(words: readonly string[]): Promise<Answer> {
    return (await answering(this.argv, this.context.surroundings))(words)
  }

  private async show({situation, ranked}: Answer, words: readonly string[]): Promise<readonly Found[]> {
    const found = ranked.map(foundIn)
    await this.context.printer.data(found, all => {
      const layout = helpLayout(this.context.surroundings)
      const lines = all
        .slice(0, MOST_FOUND)
        .flatMap(({name, summary, section, line}) => [
          ...layout.rows(
            [[placeOf(name, section), section === undefined ? summary : `${summary}: ${section}`]],
            30,
          ),
          ...(line === undefined ? [] : layout.prose(line, '      ')),
        ])
      const more = all.length - MOST_FOUND
      const rest = more > 0 ? ['', `  and ${more} more; add a word to narrow it down`] : []
      const answer = situation === undefined ? [] : [...answerLines(situation, layout), '']
      const page = all.slice(0, MOST_FOUND).find(({name}) => name.startsWith('docs/'))
      const line = page && typedLine(['help', placeOf(page.name, page.section)], undefined)
      const read = line === undefined ? [] : ['', `  To read a page: ${line}`]
      return [`Help with "${words.join(' ')}":`, '', ...answer, ...lines, ...read, ...rest].join('\n')
    })
    return found
  }
}
