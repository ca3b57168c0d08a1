import process from 'node:process'
import type {Command} from '@oclif/core/command'
import {Config} from '@oclif/core/config'
import type {Hook, Hooks, PJSON, Topic} from '@oclif/core/interfaces'
import manifest from '../../package.json' with {type: 'json'}
import {type ManifestCommand, readManifest} from './help/manifest.ts'
import {ROOT, topicNames, topics} from './package-files.ts'
import type {StartOptions, Surroundings} from './surroundings.ts'

/** How a command ended, beside its output. */
export interface RunEnd {
  /** Whether Ctrl-C was its usual end, and no error. */
  readonly endsAtInterrupt: boolean
}

export interface CommandClass {
  id: string
  runIn(argv: string[], program: Program): Promise<RunEnd>
  /** Its help, if that depends on more than the command: described anew, or as text. */
  describe?(
    surroundings: Surroundings,
    argv: readonly string[],
    command: ManifestCommand,
  ): Promise<ManifestCommand | string>
}

/** Every command by its id. Each is loaded only when it runs. */
export type Commands = Readonly<Record<string, () => Promise<{readonly default: CommandClass}>>>

/**
 * oclif's configuration, without what oclif looks for on the disk at every start: there are no plugins, hooks or
 * themes, and only help needs the flags of all commands.
 */
export class Program extends Config {
  override readonly name = manifest.name
  override readonly bin = manifest.oclif.bin
  override readonly dirname = manifest.oclif.dirname
  override readonly version = manifest.version
  override readonly root = ROOT
  override readonly pjson = manifest as unknown as PJSON
  override readonly topicSeparator = ' '
  override readonly userAgent =
    `${manifest.name}/${manifest.version} ${process.platform}-${process.arch} node-${process.version}`
  override readonly options: StartOptions
  /** For commands that run other command lines. */
  readonly listed: Commands
  #commands: Command.Loadable[] | undefined
  #topics: Topic[] | undefined

  constructor(options: StartOptions, listed: Commands) {
    super(options)
    this.options = options
    this.listed = listed
  }

  override async load(): Promise<void> {}

  override get commands(): Command.Loadable[] {
    this.#commands ??= describedCommands()
    return this.#commands
  }

  override get commandIDs(): string[] {
    return this.commands.map(({id}) => id)
  }

  override findCommand(id: string, options: {must: true}): Command.Loadable
  override findCommand(id: string, options?: {must: boolean}): Command.Loadable | undefined
  override findCommand(id: string): Command.Loadable | undefined {
    return this.commands.find(command => command.id === id)
  }

  /** oclif's help navigates by topics, and treats every command as a topic. */
  override get topics(): Topic[] {
    this.#topics ??= [
      ...topicNames.map(name => ({name, description: topics[name]?.description})),
      ...this.commands.map(({id, summary}) => ({name: id, description: summary})),
    ] as Topic[]
    return this.#topics
  }

  override findTopic(name: string, options: {must: true}): Topic
  override findTopic(name: string, options?: {must: boolean}): Topic | undefined
  override findTopic(name: string): Topic | undefined {
    return this.topics.find(topic => topic.name === name)
  }

  override async runHook<T extends keyof Hooks, P extends Hooks = Hooks>(): Promise<
    Hook.Result<P[T]['return']>
  > {
    return {successes: [], failures: []}
  }
}

const describedCommands = (): Command.Loadable[] =>
  Object.values(readManifest().commands) as unknown as Command.Loadable[]
