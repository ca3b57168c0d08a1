// The site: pages by Eleventy, and what browsers run by esbuild. See docs/decisions/0022-the-site-is-made-by-eleventy.md
import {readFileSync} from 'node:fs'
import {rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import Eleventy, {type Config, type PageData} from '@11ty/eleventy'
import {build} from 'esbuild'
import {OTHER_PAGES, pageAddress} from './addresses.ts'
import {llmsText} from './llms.ts'
import {addRules} from './markdown.ts'
import {menuOf, titleOf} from './navigation.ts'
import {siteEntries} from './search-entries.ts'
import type {Section} from './sections.ts'

/** Builds the site into a folder, which it empties first. Gives the number of pages and how long it took. */
export async function buildSite(folder: string): Promise<{pages: number; milliseconds: number}> {
  const started = Date.now()
  await rm(folder, {recursive: true, force: true})
  const sections = new Map<string, readonly Section[]>()
  const site = new Eleventy('docs', folder, {quietMode: true, config: config => configure(config, sections)})
  await site.write()
  // A script and no JSON: pages that were opened from the disk may not fetch anything.
  await writeFile(
    join(folder, 'search-entries.js'),
    `globalThis.searchEntries=${JSON.stringify(await siteEntries())}\n`,
  )
  await writeFile(join(folder, 'llms.txt'), llmsText())
  await build({
    entryPoints: ['tools/site/browser/site.ts', 'tools/site/browser/search.ts'],
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'inline',
    logLevel: 'error',
  })
  return {pages: sections.size, milliseconds: Date.now() - started}
}

function configure(config: Config, sections: Map<string, readonly Section[]>): void {
  config.setIncludesDirectory('../tools/site')
  config.setUseGitIgnore(false)
  config.addGlobalData('layout', 'page.njk')
  // Braces in the pages are text.
  config.addGlobalData('eleventyComputed', {title: ({page}: PageData) => titleOf(page.rawInput)})
  config.addGlobalData('templateEngineOverride', 'md')
  config.addGlobalData(
    'permalink',
    () =>
      ({page}: PageData) =>
        pageAddress(page.filePathStem),
  )
  for (const [path, stem] of Object.entries(OTHER_PAGES))
    config.addTemplate(`${stem}.md`, readFileSync(path, 'utf8'), {source: path})
  config.addPassthroughCopy({
    'docs/*.json': '.',
    'docs/images': 'images',
    examples: 'examples',
    'tools/site/site.css': 'site.css',
    'src/webhook/page/client/icon.svg': 'icon.svg',
  })
  config.addFilter('menu', (url: string) => menuOf(url.slice(1).replace(/(^|\/)$/, '$1index.html')))
  config.addFilter('root', (url: string) => '../'.repeat(url.split('/').length - 2))
  config.addFilter('contents', (inputPath: string) =>
    (sections.get(inputPath) ?? []).filter(({level}) => level === 2),
  )
  config.amendLibrary('md', markdown => addRules(markdown, (path, found) => sections.set(path, found)))
}
