import {readManifest} from '../../../cli/help/manifest.ts'
import {type CommandData, commandData, type ToolData, toolData} from '../../../cli/help/tool-data.ts'
import {schemaOf} from './result-schema.ts'

/** With the schema of what it prints, where it prints a result. */
export interface DescribedCommand extends CommandData {
  /** A JSON Schema, which stands for itself: references lead into its own `$defs`. */
  readonly result?: Readonly<Record<string, unknown>>
}

/** What `schema -o json` and `help -o json` print. */
export interface WholeTool extends Omit<ToolData, 'commands'> {
  readonly commands: readonly DescribedCommand[]
}

/** The whole tool as data, from what runs. */
export async function wholeTool(program: {
  readonly name: string
  readonly version: string
}): Promise<WholeTool> {
  const tool = toolData(readManifest(), program)
  return {...tool, commands: await Promise.all(tool.commands.map(withResult))}
}

/** One command of it; undefined for a name that is none. */
export async function describedCommand(words: readonly string[]): Promise<DescribedCommand | undefined> {
  const {commands} = readManifest()
  const id = words.join(':')
  const command = Object.hasOwn(commands, id) ? commands[id] : undefined
  return command === undefined ? undefined : withResult(commandData(command, commands))
}

async function withResult(command: CommandData): Promise<DescribedCommand> {
  const result = await schemaOf(command.name)
  return result === undefined ? command : {...command, result}
}
