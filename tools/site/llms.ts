// llms.txt of the site: the tool on a page, then every page of the documentation. See https://llmstxt.org
import manifest from '../../package.json' with {type: 'json'}
import {textForAgents} from '../../src/cli/help/for-agents.ts'
import {readManifest} from '../../src/cli/help/manifest.ts'
import {toolData} from '../../src/cli/help/tool-data.ts'
import {menuOf} from './navigation.ts'

export const llmsText = (): string =>
  [
    textForAgents(toolData(readManifest(), manifest)),
    ...menuOf('index.html').flatMap(({title, entries}) => [
      '',
      `## ${title}`,
      '',
      ...entries
        .flatMap(entry => [entry, ...entry.below])
        .map(({href, title: page}) => `- [${page}](${href})`),
    ]),
    '',
  ].join('\n')
