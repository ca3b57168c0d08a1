import {existsSync, readFileSync} from 'node:fs'
import {anchor} from '../../src/cli/help/anchor.ts'
import {commandEntry, groupEntry, pageEntry, topicEntry, withNames} from '../../src/cli/help/entries.ts'
import type {Entry} from '../../src/cli/help/entry.ts'
import {readManifest} from '../../src/cli/help/manifest.ts'
import {readNamed} from '../../src/cli/help/named.ts'
import {docsPages} from '../../src/cli/help/pages.ts'
import {helpTopics} from '../../src/cli/help/topics.ts'
import {topicNames} from '../../src/cli/package-files.ts'
import {addressOf} from './addresses.ts'
import type {SiteEntry} from './browser/finder.ts'

/** The pages that have what a topic of help has. */
const OF_TOPICS: Readonly<Record<string, string>> = {
  flags: 'commands/index.html#flags-on-every-command',
  environment: 'commands/settings.html',
  formatting: 'output.html',
  'exit-codes': 'when-things-go-wrong.html',
  idempotency: 'idempotency.html',
  'sensitive-data': 'security.html',
}

/** What the search of the site looks in, which is what that of the terminal does. */
export async function siteEntries(): Promise<readonly SiteEntry[]> {
  const commands = Object.values(readManifest().commands).filter(({hidden}) => !hidden)
  const entries = [
    ...commands.map(command => at(commandEntry(command), addressOfCommand(command.id))),
    ...topicNames.map(id => at(groupEntry(id), addressOf(`docs/commands/${id.split(':')[0]}.md`))),
    ...Object.entries(helpTopics).map(topic => at(topicEntry(topic), OF_TOPICS[topic[0]])),
    ...docsPages().map(page => withAnchors(pageEntry(page), addressOf(page.name))),
  ]
  return withNames(entries, await readNamed(commands))
}

function at(entry: Entry, address: string | undefined): SiteEntry {
  if (address === undefined) throw new Error(`${entry.name} is not on the site.`)
  return {...entry, address, anchors: {}}
}

const withAnchors = (entry: Entry, address: string | undefined): SiteEntry => ({
  ...at(entry, address),
  anchors: Object.fromEntries(entry.texts.flatMap(({under}) => (under ? [[under, anchor(under)]] : []))),
})

/** Below its heading on the page of its first word, which a command of one word has for itself. */
function addressOfCommand(id: string): string | undefined {
  const words = id.split(':')
  const path = `docs/commands/${words[0]}.md`
  if (!existsSync(path)) return undefined
  const heading = `cardctl ${words.join(' ')}`
  const isBelow = readFileSync(path, 'utf8').includes(`\n## ${heading}\n`)
  return `${addressOf(path)}${isBelow ? `#${anchor(heading)}` : ''}`
}
