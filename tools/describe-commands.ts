// Writes oclif.manifest.json: what help, documents and `contract list` need to know about every command. Reads the
// sources, and runs only if one of them has changed.
import {globSync, statSync, writeFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {Config} from '@oclif/core/config'
import pjson from '../package.json' with {type: 'json'}
import {commands as known} from '../src/commands/index.ts'

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
  writeFileSync(MANIFEST, JSON.stringify({commands: Object.fromEntries(byId)}, withoutEmpty))
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
