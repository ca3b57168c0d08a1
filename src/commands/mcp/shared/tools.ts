import type {Tool} from '@modelcontextprotocol/server'
import type {CommandData, ToolData} from '../../../cli/help/tool-data.ts'
import {operations} from '../../../contract/operations.gen.ts'
import type {OperationId} from '../../../contract/types.ts'
import type {ProfileKind} from '../../../profiles/index.ts'
import {inputSchema, type Parameter, parametersOf} from './input-schema.ts'
import {isWrite, whyNoTool} from './offered-commands.ts'
import {type ResultForm, resultForm} from './output-schema.ts'

/** A command as a tool. */
export interface CommandTool {
  readonly name: string
  readonly command: CommandData
  readonly isWrite: boolean
  readonly parameters: readonly Parameter[]
  readonly form: ResultForm
  /** As the protocol lists it. */
  readonly listed: Tool
}

/** `accounts update-property` is `accounts_update_property`. */
export const toolName = (name: string): string => name.replaceAll(/[ -]/g, '_')

/** The tools for a profile of this kind, by name. */
export async function toolsFor(
  {commands}: ToolData,
  kind: ProfileKind,
): Promise<ReadonlyMap<string, CommandTool>> {
  const offered = commands.filter(command => whyNoTool(command, kind) === undefined)
  const tools = await Promise.all(offered.map(command => toolOf(command, kind)))
  return new Map(tools.map(tool => [tool.name, tool]))
}

async function toolOf(command: CommandData, kind: ProfileKind): Promise<CommandTool> {
  const name = toolName(command.name)
  const proposes = kind === 'live' && isWrite(command)
  const form = await resultForm(command.name, proposes)
  const parameters = await parametersOf(command, form.isList)
  return {
    name,
    command,
    isWrite: isWrite(command),
    parameters,
    form,
    listed: {
      name,
      title: command.summary,
      description: [command.summary, command.description, doing(command, proposes)]
        .filter(Boolean)
        .join('\n'),
      inputSchema: plain(inputSchema(parameters)),
      outputSchema: plain(form.schema),
      annotations: {
        readOnlyHint: !isWrite(command),
        destructiveHint: isWrite(command) && !proposes,
        idempotentHint: !isWrite(command) || command.operations.every(isRepeatable),
        openWorldHint: false,
      },
    },
  }
}

/** Schemas of ours are of a type of their own. */
const plain = (schema: object): Tool['inputSchema'] => JSON.parse(JSON.stringify(schema))

const doing = ({effects, operations: ids}: CommandData, proposes: boolean): string =>
  [
    proposes ? 'Sends nothing: makes a proposal, which a person approves.' : `Effect: ${effects.join(', ')}.`,
    ids.length === 0 ? '' : `Operations: ${ids.join(', ')}.`,
  ]
    .join(' ')
    .trim()

/** Whether the same call again changes nothing more. */
const isRepeatable = (id: string): boolean =>
  ['GET', 'PUT', 'DELETE'].includes(operations[id as OperationId].method)
