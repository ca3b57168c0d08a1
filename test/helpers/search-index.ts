import {entriesOf} from '../../src/cli/help/entries.ts'
import {readManifest} from '../../src/cli/help/manifest.ts'
import {readNamed} from '../../src/cli/help/named.ts'
import {docsPages} from '../../src/cli/help/pages.ts'
import {readEntries} from '../../src/cli/help/search.ts'
import type {SearchIndex} from '../../src/cli/help/search-index.ts'

/** What `cardctl help` and the site search. */
export async function readSearchIndex(): Promise<SearchIndex> {
  const commands = Object.values(readManifest().commands)
  return readEntries(entriesOf(commands, docsPages(), await readNamed(commands)))
}
