import {readFileSync} from 'node:fs'

/** The parts of oclif.manifest.json that the pages need. */
export interface Manifest {
  readonly commands: Readonly<Record<string, ManifestCommand>>
}
export interface ManifestCommand {
  readonly id: string
  readonly hidden?: boolean
  readonly summary?: string
  readonly description?: string
  readonly examples?: readonly (string | {readonly description: string; readonly command: string})[]
  readonly args: Readonly<Record<string, ManifestArgument>>
  readonly flags: Readonly<Record<string, ManifestFlag>>
  /** Ids of the operations that the command sends. */
  readonly claims?: readonly string[]
}
export interface ManifestArgument {
  readonly name: string
  readonly description?: string
  readonly required?: boolean
}
export interface ManifestFlag {
  readonly name: string
  readonly char?: string
  readonly summary?: string
  readonly helpGroup?: string
  readonly helpValue?: string
  readonly options?: readonly string[]
  readonly type: 'boolean' | 'option'
  readonly hidden?: boolean
  readonly required?: boolean
  readonly multiple?: boolean
  readonly default?: unknown
}

/** Visible commands by topic, in the order of their ids. */
export function commandsByTopic(): ReadonlyMap<string, readonly ManifestCommand[]> {
  const {commands} = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as Manifest
  const shown = Object.values(commands)
    .filter(({hidden}) => !hidden)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return Map.groupBy(shown, ({id}) => id.split(':')[0] ?? id)
}
