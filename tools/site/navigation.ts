// The menu of the site is the index in docs/README.md: its headings, and the links of its lists. The front page shows all of it.
// Other pages show what their kind of reader needs, what everybody looks up, and the names of the rest.
import {globSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {anchor} from '../../src/cli/help/anchor.ts'
import {addressOf, linkTo} from './addresses.ts'

interface Entry {
  readonly title: string
  readonly href: string
  readonly isCurrent: boolean
  /** The other pages of a folder, if the entry is the index of one. */
  readonly below: readonly Entry[]
  readonly isOpen: boolean
}

export interface MenuGroup {
  readonly title: string
  /** The group on the front page. */
  readonly href: string
  /** None where another kind of reader is meant. */
  readonly entries: readonly Entry[]
}

const INDEX = 'docs/README.md'

const FRONT = 'index.html'

/** What everybody looks up is in the menu of each page. */
const FOR_ALL = 'Reference'

/** The menu as the page at an address shows it. */
export function menuOf(current: string): readonly MenuGroup[] {
  const parts = readFileSync(INDEX, 'utf8').split(/^## /m).slice(1)
  const listed = parts.flatMap(part => linksOf(part).map(({path}) => path))
  const groups = parts.map(part => {
    const [title = ''] = part.split('\n', 1)
    return {
      title,
      href: `${linkTo(FRONT, current)}#${anchor(title)}`,
      entries: linksOf(part).map(({text, path}) => entryOf(text, path, current, listed)),
    }
  })
  if (current === FRONT) return groups
  return groups.map(group =>
    group.title === FOR_ALL || group.entries.some(entry => entry.isOpen) ? group : {...group, entries: []},
  )
}

const linksOf = (part: string): readonly {text: string; path: string}[] =>
  [...part.matchAll(/^- \[(.+?)\]\(([^)#]+)\)/gm)].map(([, text = '', link = '']) => ({
    text,
    path: join('docs', link),
  }))

/** @param listed what the index lists on its own, and so isn't below the index of its folder. */
function entryOf(title: string, path: string, current: string, listed: readonly string[]): Entry {
  const address = addressOf(path) ?? ''
  const isIndex = path.startsWith('docs/') && path.endsWith('/README.md')
  const below = isIndex ? pagesBeside(path, current, listed) : []
  const isCurrent = address === current
  return {
    title,
    href: linkTo(address, current),
    isCurrent,
    below,
    isOpen: isCurrent || below.some(entry => entry.isCurrent),
  }
}

const pagesBeside = (path: string, current: string, listed: readonly string[]): readonly Entry[] =>
  globSync(join(dirname(path), '*.md'))
    .filter(each => !listed.includes(each))
    .sort()
    .map(each => entryOf(titleOfFile(each).replace(/^cardctl /, ''), each, current, listed))

const titles = new Map<string, string>()

/** Every page asks for the titles of the others, so each file is read once. */
function titleOfFile(path: string): string {
  const title = titles.get(path) ?? titleOf(readFileSync(path, 'utf8'))
  titles.set(path, title)
  return title
}

/** The text of the first heading. */
export const titleOf = (markdown: string): string =>
  /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? ''
