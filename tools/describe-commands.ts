// Writes oclif.manifest.json: what help, documents and `contract list` need to know about every command. Reads the
// sources, and runs only if one of them has changed.
import {globSync, statSync, writeFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {isDeepStrictEqual} from 'node:util'
import {Config} from '@oclif/core/config'
import pjson from '../package.json' with {type: 'json'}
import {currencyFlag, idFlag} from '../src/cli/arguments.ts'
import {durationFlag, integerFlag} from '../src/cli/flags.ts'
import type {Guide} from '../src/cli/guided/guide.ts'
import type {
  Manifest,
  ManifestFlag,
  NeededValues,
  StoredManifest,
  ValueType,
} from '../src/cli/help/manifest.ts'
import {periodFlags} from '../src/cli/moment.ts'
import {commands as known} from '../src/commands/index.ts'
import {requestSchema, schemaAt} from '../src/contract/schema.ts'
import type {OperationId} from '../src/contract/types.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const MANIFEST = `${ROOT}oclif.manifest.json`

export async function describeCommands(): Promise<void> {
  if (isFresh()) return
  // oclif only warns about a command that it can't load.
  await Promise.all(Object.values(known).map(load => load()))
  const commands = {
    strategy: 'pattern',
    target: './src/commands',
    globPatterns: ['**/*.ts', '!**/shared/**', '!index.ts'],
  }
  const {plugins} = await Config.load({
    root: ROOT,
    userPlugins: false,
    devPlugins: false,
    pjson: {...pjson, oclif: {...pjson.oclif, commands}} as never,
    ignoreManifest: true,
  })
  const described = [...plugins.values()].flatMap(plugin => plugin.commands)
  const guides = new Map(described.map(({id, guide}) => [id, guide as Guide | undefined]))
  const byId = described
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    // Leave out where a command was loaded from, and what only questions need. Defaults are part of the description, so help doesn't need to load the
    // command.
    .map(
      ({
        load,
        isESM,
        relativePath,
        pluginAlias,
        pluginType,
        pluginName,
        hasDynamicHelp,
        guide,
        ...command
      }) => [command.id, command],
    )
  for (const [, command] of byId) {
    await addValues(command as Described, guides.get((command as Described).id))
    await addTypes(command as Described)
    addNeeds(command as Described, guides.get((command as Described).id))
  }
  const written = JSON.stringify({commands: Object.fromEntries(byId)}, withoutEmpty)
  writeFileSync(MANIFEST, JSON.stringify(withSharedFlags(JSON.parse(written) as Manifest)))
}

/** Most of the text would be the global flags of each command, so they stand there once; `readManifest` adds them. */
function withSharedFlags({commands}: Manifest): StoredManifest {
  const all = Object.values(commands)
  const [first] = all
  const isGlobal = ([, {helpGroup}]: [string, ManifestFlag]): boolean => helpGroup === 'GLOBAL'
  const globalFlags = Object.fromEntries(Object.entries(first?.flags ?? {}).filter(isGlobal))
  const own = all.map(command => {
    const flags = Object.entries(command.flags)
    if (!isDeepStrictEqual(Object.fromEntries(flags.filter(isGlobal)), globalFlags))
      throw new Error(`${command.id} has other global flags than the rest.`)
    return [
      command.id,
      {...command, flags: Object.fromEntries(flags.filter(flag => !isGlobal(flag)))},
    ] as const
  })
  return {globalFlags, commands: Object.fromEntries(own)}
}

interface Described {
  readonly id: string
  readonly claims?: readonly OperationId[]
  readonly flags: Readonly<Record<string, {values?: readonly string[]; valueType?: ValueType; sets?: string}>>
  needs?: readonly NeededValues[]
}

/**
 * Adds the field that a flag sets, and the values that its guide or the contract lists, for completion. What can't be undone
 * has to be typed.
 */
async function addValues({claims = [], flags}: Described, guide: Guide | undefined): Promise<void> {
  for (const [name, flag] of Object.entries(flags)) {
    const field = guide?.fields?.[`--${name}`]
    const sets = guide?.sets?.[`--${name}`] ?? field
    if (sets !== undefined && !sets.startsWith('path:')) flag.sets = sets
    const own = guide?.choices?.[`--${name}`]
    const chosen = typeof own === 'function' ? await own(undefined) : own
    const values = chosen ?? (field === undefined ? [] : await valuesOf(claims, field))
    if (values.length > 0) flag.values = values
  }
}

/** What the command line is refused without, as `unmetNeed` judges it. */
function addNeeds(command: Described, guide: Guide | undefined): void {
  if (guide?.needs === undefined) return
  command.needs = guide.needs.map(({anyOf, or = [], only, when}) => ({
    anyOf: [...new Set([...anyOf, ...or])],
    ...(only && {only}),
    ...(when && {sometimes: true}),
  }))
}

/** By how it is read, because oclif leaves out of what it describes what a flag says of its own. */
const VALUE_TYPES = new Map<unknown, ValueType>([
  [integerFlag().parse, 'integer'],
  [durationFlag().parse, 'duration'],
  [idFlag().parse, 'id'],
  [currencyFlag().parse, 'currency'],
  [periodFlags.since.parse, 'moment'],
])

/** Adds what the value of a flag is. */
async function addTypes({id, flags}: Described): Promise<void> {
  const loaded = (await known[id]?.()) as {default: Defined} | undefined
  const defined = {...loaded?.default.baseFlags, ...loaded?.default.flags}
  for (const [name, flag] of Object.entries(flags)) {
    const valueType = VALUE_TYPES.get(defined[name]?.parse)
    if (valueType !== undefined) flag.valueType = valueType
  }
}

interface Defined {
  readonly flags?: Readonly<Record<string, {readonly parse?: unknown}>>
  readonly baseFlags?: Defined['flags']
}

async function valuesOf(claims: readonly OperationId[], field: string): Promise<readonly string[]> {
  const values = new Set<string>()
  for (const id of claims) {
    const schema = await requestSchema(id)
    const found = schema && schemaAt(schema, `/${field.replaceAll('.', '/')}`)
    const lasting = Array.isArray(found?.['x-irreversible'])
      ? found['x-irreversible'].map(({value}) => String(value))
      : []
    for (const value of found?.enum ?? []) if (!lasting.includes(String(value))) values.add(String(value))
  }
  return [...values]
}

/** Leaves out what is false or empty, as most of what oclif describes is. */
function withoutEmpty(_: string, value: unknown): unknown {
  return value === false || (Array.isArray(value) && value.length === 0) ? undefined : value
}

function isFresh(): boolean {
  const written = statSync(MANIFEST, {throwIfNoEntry: false})?.mtimeMs ?? 0
  const sources = [...globSync('src/**/*.ts', {cwd: ROOT}), 'package.json', 'tools/describe-commands.ts']
  return sources.every(path => (statSync(`${ROOT}${path}`, {throwIfNoEntry: false})?.mtimeMs ?? 0) <= written)
}

if (import.meta.main) await describeCommands()
