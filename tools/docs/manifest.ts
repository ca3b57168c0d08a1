import {type ManifestCommand, readManifest} from '../../src/cli/help/manifest.ts'

/** Visible commands by topic, in the order of their ids. */
export function commandsByTopic(): ReadonlyMap<string, readonly ManifestCommand[]> {
  const shown = Object.values(readManifest().commands)
    .filter(({hidden}) => !hidden)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return Map.groupBy(shown, ({id}) => id.split(':')[0] ?? id)
}
