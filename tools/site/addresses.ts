import {existsSync, statSync} from 'node:fs'
import {dirname, join, posix} from 'node:path'

/** Pages outside of docs/, and their stems on the site. */
export const OTHER_PAGES: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'README.md': 'readme',
  'examples/README.md': 'examples/README',
  'src/README.md': 'architecture',
}

/** Where a file of the repository is on the site, for example `commands/cards.html`; undefined if it isn't there. */
export function addressOf(path: string): string | undefined {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'README.md') : path
  if (!existsSync(file)) return undefined
  const other = OTHER_PAGES[file]
  if (other !== undefined) return pageAddress(other)
  if (file.startsWith('examples/')) return file
  if (!file.startsWith('docs/')) return undefined
  const below = file.slice('docs/'.length)
  return below.endsWith('.md') ? pageAddress(below.slice(0, -'.md'.length)) : below
}

/** `commands/README` is `commands/index.html`. */
export const pageAddress = (stem: string): string => `${stem.replace(/(^|\/)README$/, '$1index')}.html`

/** A link on one page to another, both given by their addresses. */
export const linkTo = (address: string, from: string): string => posix.relative(posix.dirname(from), address)

/**
 * A link of a page of the repository as it is on the site. Links to other hosts and to headings stay.
 * Throws an error if nothing is there.
 */
export function siteLink(link: string, source: string): string {
  const [target = '', anchor] = link.split('#')
  if (target === '' || /^[a-z]+:/.test(target)) return link
  const address = addressOf(posix.normalize(posix.join(dirname(source), target)).replace(/\/$/, ''))
  const own = addressOf(source)
  if (address === undefined || own === undefined) throw new Error(`${source}: ${link} is not on the site.`)
  return linkTo(address, own) + (anchor === undefined ? '' : `#${anchor}`)
}
