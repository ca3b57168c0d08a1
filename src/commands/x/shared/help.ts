import pjson from '../../../../package.json' with {type: 'json'}
import {Context} from '../../../cli/context.ts'
import {globalFlags, operationFlags} from '../../../cli/flags.ts'
import type {ManifestCommand} from '../../../cli/help/manifest.ts'
import type {Surroundings} from '../../../cli/surroundings.ts'
import {skeleton} from '../../../contract/explain-errors.ts'
import type {JsonSchema} from '../../../contract/json-schema.ts'
import {plainWords, withoutReferences} from '../../../imported/commands.ts'
import type {ImportedOperation, StoredContract} from '../../../imported/index.ts'
import {splitLine} from './command-words.ts'
import {findOperation, openContracts, shownLine, shownText} from './contracts.ts'
import {inputOf} from './flags.ts'
import {listOperations} from './listing.ts'

/**
 * The output of `x … --help`: for a tag its commands, for a command its description in the document, otherwise the
 * command x itself.
 */
export async function importedHelp(
  surroundings: Surroundings,
  argv: readonly string[],
  command: ManifestCommand,
): Promise<ManifestCommand | string> {
  const words = argv.filter(word => word !== '--help' && word !== '-h')
  const {tag, operation: name, profile, contract} = splitLine(words.slice(words.indexOf('x') + 1))
  if (tag === undefined) return command
  const context = new Context(surroundings, {profile}, pjson.version)
  const contracts = await openContracts(context, contract)
  try {
    if (name === undefined) {
      const lines = listOperations(contracts, tag)
      const width = Math.max(...lines.map(({command: line}) => line.length))
      const rows = lines.map(
        ({command: line, summary, deprecated}) =>
          `  ${line.padEnd(width)}  ${summary}${deprecated ? ' (deprecated)' : ''}`,
      )
      return ['COMMANDS', ...rows].join('\n')
    }
    const found = findOperation(contracts, tag, name)
    return await described(command, found.operation, found.contract)
  } finally {
    for (const opened of contracts.opened) opened.close()
  }
}

async function described(
  command: ManifestCommand,
  operation: ImportedOperation,
  contract: StoredContract,
): Promise<ManifestCommand> {
  const {args, flags} = await inputOf(operation, contract)
  const {tag, name, method, path, summary, description, effect, deprecated, body} = operation
  const schema = withoutReferences(body?.schema, one => contract.schema(one))
  const {summary: _, ...rest} = command
  return {
    ...rest,
    id: `x:${tag}:${name}`,
    ...(summary === `${method} ${path}` ? {} : {summary: shownLine(summary)}),
    description: [
      `${method} ${shownLine(path)} · ${EFFECTS[effect]}${deprecated ? ' · deprecated' : ''}`,
      ...(description === undefined || description === summary ? [] : [shownText(description)]),
      ...(body?.description === undefined ? [] : [`Body: ${shownText(body.description)}`]),
      ...membersText(schema),
    ].join('\n\n'),
    examples: examplesOf(operation, schema),
    args: named(args) as ManifestCommand['args'],
    flags: named({...flags, ...operationFlags, ...globalFlags}) as unknown as ManifestCommand['flags'],
  }
}

/** In the form of oclif's manifest: each flag with its name. */
const named = (inputs: Readonly<Record<string, object>>): Record<string, object> =>
  Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, {...input, name}]))

const EFFECTS = {
  read: 'reads',
  disclose: 'hands out a secret',
  write: 'changes something',
  destroy: 'destroys something',
} as const

const MOST_MEMBERS = 30

/** The fields of the body, as -F takes them. */
function membersText(schema: JsonSchema | undefined): string[] {
  const members = Object.entries(schema?.properties ?? {})
  if (members.length === 0) return []
  const required = schema?.required ?? []
  const lines = members.slice(0, MOST_MEMBERS).map(([name, member]) => {
    const {description} = member as {description?: unknown}
    const about = typeof description === 'string' ? `  ${shownLine(plainWords(description), 100)}` : ''
    return `  ${shownLine(name, 60)}${required.includes(name) ? ' (required)' : ''}${about}`
  })
  const more = members.length - MOST_MEMBERS
  return [
    [
      'Fields of the body, for -F:',
      ...lines,
      ...(more > 0 ? [`  and ${more} more; see --skeleton`] : []),
    ].join('\n'),
  ]
}

function examplesOf(
  {tag, name, parameters, body}: ImportedOperation,
  schema: JsonSchema | undefined,
): string[] {
  const args = parameters
    .filter(({in: place, sensitive}) => place === 'path' && !sensitive)
    .map(({example, flag}) => (isPlain(example) ? shellWord(String(example)) : flag.toUpperCase()))
  const flags = parameters
    .filter(({in: place, required, sensitive}) => place !== 'path' && required && !sensitive)
    .map(({flag, example}) => `--${flag} ${isPlain(example) ? shellWord(String(example)) : 'VALUE'}`)
  const line = ['<%= config.bin %>', 'x', tag, name, ...args, ...flags].join(' ')
  const isFilled =
    body !== undefined && (schema?.properties !== undefined || !/^(?:json|form)$/.test(body.kind))
  // Some documents give every GET a body without fields.
  if (!isFilled) return [line, `${line} -o json`]
  const required = (schema?.required ?? []).slice(0, 3)
  const fields = required.map(member => {
    const value = skeleton(schema?.properties?.[member] ?? {})
    return `-F ${shellWord(`${member}=${typeof value === 'string' ? value : '…'}`)}`
  })
  return [`${line} --skeleton`, [line, ...(fields.length > 0 ? fields : ['--data @FILE'])].join(' ')]
}

const isPlain = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

const shellWord = (text: string): string => {
  const word = shownLine(text, 60)
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", '')}'`
}
