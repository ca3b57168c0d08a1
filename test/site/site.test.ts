// The site that `npm run docs` makes of docs/, as a browser shows it.
import {existsSync, globSync, readFileSync} from 'node:fs'
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {extname, join, posix} from 'node:path'
import {pathToFileURL} from 'node:url'
import type {BrowserContext, Frame, Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {searched} from '../../src/cli/help/answering.ts'
import {searchHelp} from '../../src/cli/help/search.ts'
import {finderOf, type SiteEntry} from '../../tools/site/browser/finder.ts'
import {buildSite} from '../../tools/site/build.ts'
import {menuOf} from '../../tools/site/navigation.ts'
import {DESK_HELD_OUT, DESK_TUNED} from '../docs/desk-questions.ts'
import {HELD_OUT, LATER, TUNED} from '../docs/fresh-questions.ts'
import {ROOT} from '../docs/pages.ts'
import {OTHER_WORDS, PLAIN_WORDS, THIRTY} from '../docs/questions.ts'
import {isWhole, part} from '../helpers/whole.ts'
import {AXE, hasChromium, useBrowser, violations} from '../webhook/page/browser.ts'

const ORIGIN = 'https://docs.example'
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

let site: string
beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), 'cardctl-site-'))
  await buildSite(site)
})
afterAll(() => rm(site, {recursive: true, force: true}))

const addresses = (): readonly string[] => globSync('**/*.html', {cwd: site}).sort()
const read = (address: string): string => readFileSync(join(site, address), 'utf8')

test('each page of the documentation is on the site, and one click away from the front page', () => {
  const made = globSync('docs/**/*.md', {cwd: ROOT}).map(path =>
    path
      .slice('docs/'.length)
      .replace(/README\.md$/, 'index.md')
      .replace(/md$/, 'html'),
  )
  expect(addresses()).toEqual(expect.arrayContaining(made))
  const entries = menuOf('index.html').flatMap(group => group.entries)
  const linked = entries.flatMap(entry => [entry.href, ...entry.below.map(({href}) => href)])
  expect([...linked, 'index.html'].sort()).toEqual(addresses())
})

test('the menu of a page has what its kind of reader needs and what all look up, and the names of the rest', () => {
  const shown = (address: string) => menuOf(address).filter(({entries}) => entries.length > 0)
  const all = menuOf('support.html').map(({title}) => title)
  expect(menuOf('index.html').map(({title}) => title)).toEqual(all)
  expect(shown('support.html').map(({title}) => title)).toEqual(['Support staff', 'Reference'])
  expect(shown('commands/cards.html').map(({title}) => title)).toEqual(['Reference'])
  expect(shown('support.html').flatMap(({entries}) => entries).length).toBeLessThan(15)
  expect(menuOf('commands/cards.html')[0]?.href).toBe('../index.html#support-staff')
  for (const {href} of menuOf('support.html'))
    expect(read('index.html')).toContain(` id="${href.split('#')[1]}"`)
})

test('every link within the site leads to a page, and to a heading where it says so', () => {
  const broken = addresses().flatMap(address =>
    [...read(address).matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(([, link = '']) => link)
      .filter(link => !/^https?:/.test(link))
      .filter(link => {
        const [target = '', anchor] = link.split('#')
        const path = target === '' ? address : posix.join(posix.dirname(address), target)
        return !existsSync(join(site, path)) || (anchor && !read(path).includes(` id="${anchor}"`))
      })
      .map(link => `${address}: ${link}`),
  )
  expect(broken).toEqual([])
})

const finder = (): ReturnType<typeof finderOf> => {
  const js = read('search-entries.js')
  return finderOf(JSON.parse(js.slice(js.indexOf('=') + 1)) as readonly SiteEntry[])
}

test.each([
  ['thirty questions', THIRTY],
  ['questions in other words', OTHER_WORDS],
  ['questions in plain words', PLAIN_WORDS],
  ['fresh questions', TUNED],
  ['fresh questions of which the search knows nothing', HELD_OUT],
  ['questions that came later', LATER],
  ['questions of each desk', DESK_TUNED],
  ['questions of each desk that were held out', DESK_HELD_OUT],
])(
  'of %s, at least nine in ten find a right page first, and where the terminal finds it',
  async (_, questions) => {
    const find = finder()
    const index = (await searched())()
    const missed = questions.filter(([question, ...answers]) => {
      const [first] = find(question).found
      const words = question.split(' ')
      const [inTerminal] = searchHelp(words, index)
      expect([inTerminal?.name, 'docs/commands/webhook-contract.md'], question).toContain(first?.name)
      return !answers.some(answer => [answer, `docs/${answer}.md`].includes(first?.name ?? ''))
    })
    expect(missed.length, missed.map(([question]) => question).join(', ')).toBeLessThanOrEqual(
      questions.length / 10,
    )
  },
)

test.each([
  ['where does it keep its files', 'security.html#what-stays-on-disk'],
  ['check the signature of a webhook call', 'webhooks.html#signatures'],
  ['fake the time in the sandbox to test expiry', 'sandbox.html#control-operations'],
  ['what happens if my webhook is too slow', 'webhooks.html#late-and-unreadable-calls'],
])('%s leads to the section that says it', (question, address) => {
  expect(finder()(question).found[0]?.address).toBe(address)
})

const BACKGROUND =
  /^(?:docs\/(?:decisions\/.*|style|commands\/README)|CHANGELOG|CONTRIBUTING|src\/README|examples\/README)\.md$/

test('the search shows what to do step by step, and what was decided or changed after all else', () => {
  const find = finder()
  const {situation, addressOf} = find('customer lost her card')
  expect(situation?.steps.map(addressOf)).toEqual([
    'commands/cards.html#cardctl-cards-list',
    'commands/accounts.html#cardctl-accounts-block',
    'commands/accounts.html#cardctl-accounts-unblock',
  ])
  for (const [question] of [...THIRTY, ...OTHER_WORDS]) {
    const isBackground = find(question).found.map(({name}) => BACKGROUND.test(name))
    expect(isBackground, question).toEqual(isBackground.toSorted((one, other) => Number(one) - Number(other)))
  }
})

test('every address that the search knows exists, with its heading', () => {
  const js = read('search-entries.js')
  const entries = JSON.parse(js.slice(js.indexOf('=') + 1)) as readonly SiteEntry[]
  const broken = entries
    .flatMap(({address, anchors}) => [address, ...Object.values(anchors).map(each => `${address}#${each}`)])
    .filter(each => {
      const [page = '', heading] = each.split('#')
      return !existsSync(join(site, page)) || (heading && !read(page).includes(` id="${heading}"`))
    })
  expect(broken).toEqual([])
})

test('the package of users does not have the site', () => {
  const {files} = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {files: readonly string[]}
  expect(files.filter(path => path.startsWith('.site') || path.startsWith('tools'))).toEqual([])
})

/** Serves the site in place of a host. Gives the requests that went elsewhere, which get nothing. */
async function host(context: BrowserContext): Promise<readonly string[]> {
  const elsewhere: string[] = []
  await context.route('**/*', async route => {
    const {origin, pathname} = new URL(route.request().url())
    const path = join(site, decodeURI(pathname))
    if (origin !== ORIGIN || !existsSync(path)) {
      elsewhere.push(route.request().url())
      return route.abort()
    }
    return route.fulfill({body: await readFile(path), contentType: TYPES[extname(path)] ?? 'text/plain'})
  })
  return elsewhere
}

/** Waits until the page has seen the new size of its window. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')

/** What a page is wider than its window, in pixels. */
const overflow = (page: Page | Frame): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

const HAS_WIDE_TABLE =
  "[...document.querySelectorAll('.table')].some(table => table.scrollWidth > table.clientWidth + 1)"

async function search(page: Page, query: string): Promise<readonly string[]> {
  await page.getByRole('searchbox').fill(query)
  await page.getByRole('status').filter({hasText: 'result'}).waitFor()
  return page.locator('.results li').allTextContents()
}

describe.skipIf(!hasChromium)('in a browser', () => {
  const browser = useBrowser()

  test('a table with many columns fits a tablet', async () => {
    const page = await browser.open(`file://${site}/commands/settings.html`)
    await page.setViewportSize({width: 820, height: 1000})
    const cut = await page.$$eval(
      '.table',
      all => all.filter(each => each.scrollWidth > each.clientWidth).length,
    )
    expect(cut).toBe(0)
  })

  test.each(part(['index.html', 'support.html', 'commands/cards.html'], 3))(
    '%s fits 360 and 1280 pixels, light and dark, keeps to its host, and axe finds nothing',
    async address => {
      const page = await browser.open('about:blank', {bypassCSP: true})
      const elsewhere = await host(page.context())
      await page.goto(`${ORIGIN}/${address}`)
      await page.addScriptTag({path: AXE})
      const check = async (state: string): Promise<void> => {
        for (const width of [1280, 360]) {
          await page.setViewportSize({width, height: 800})
          await drawn(page)
          expect(await overflow(page), `${state}, ${width} pixels wide`).toBe(0)
          // The scheme changes colours alone.
          for (const [colorScheme, only] of [['light'], ['dark', 'color-contrast']] as const) {
            await page.emulateMedia({colorScheme})
            expect(await violations(page, only), `${state}, ${colorScheme}, ${width} pixels wide`).toEqual([])
          }
        }
      }
      await check('the page')
      expect((await search(page, 'exit 10')).length).toBeGreaterThan(3)
      // The results look the same on every page.
      if (isWhole && address === 'index.html') await check('the results')
      expect(elsewhere).toEqual([])
    },
  )

  test('no page is wider than a phone, and no table has to be moved sideways', {
    timeout: 60_000,
  }, async () => {
    const page = await browser.open('about:blank', {viewport: {width: 360, height: 800}})
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))
    // In a frame each, which takes less than half the time that as many pages take.
    const around = join(site, 'around.txt')
    await writeFile(around, '')
    await page.goto(pathToFileURL(around).href)
    const wide: string[] = []
    for (const address of part(addresses(), 9)) {
      const href = pathToFileURL(join(site, address)).href
      await page.evaluate(`new Promise(done => {
        const frame = Object.assign(document.createElement('iframe'), {src: '${href}', onload: done})
        frame.style.cssText = 'position: fixed; inset: 0; width: 360px; height: 800px; border: 0'
        document.body.replaceChildren(frame)
      })`)
      const frame = page.frames().at(-1)
      expect(frame?.url()).toBe(href)
      if (frame && (await overflow(frame)) > 0) wide.push(address)
      if (frame && (await frame.evaluate<boolean>(HAS_WIDE_TABLE))) wide.push(`${address}: a table`)
    }
    expect(wide).toEqual([])
    expect(requests.filter(url => !url.startsWith('file:'))).toEqual([])
  })

  test('a flag is never cut after its hyphens', async () => {
    const page = await browser.open('about:blank', {viewport: {width: 360, height: 800}})
    await host(page.context())
    await page.goto(`${ORIGIN}/webhook-recording.html`)
    const lines = await page.evaluate<number[]>(
      "[...document.querySelectorAll('main .flag')].map(flag => flag.getClientRects().length)",
    )
    expect(lines.length).toBeGreaterThan(10)
    expect(lines.filter(count => count !== 1)).toEqual([])
  })

  test('the search finds words, codes and flags, also when the page is opened from the disk', async () => {
    const page = await browser.open(pathToFileURL(join(site, 'commands/cards.html')).href)
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))
    const first = async (query: string): Promise<string> =>
      (await search(page, query)).slice(0, 3).join(' | ')
    expect(await first('exit 10')).toContain('Exit 10')
    expect(await first('PIN')).toMatch(/pin/i)
    expect(await first('retry')).toMatch(/retry/i)
    expect(await first('--job-key')).toMatch(/pipeline|nightly|bulk run/i)
    expect(await first('--forward-to')).toContain('--forward-to URL')
    expect(await first('EFFECT_UNKNOWN')).not.toBe('')
    expect(await first('idempotencey')).toMatch(/idempotency/i)
    for (const word of ['kubernetes', 'logrotate', 'SIGPIPE', 'jobkey'])
      expect(await first(word), word).toMatch(/nightly|ready|pipe|signals|pipelines/i)
    expect(requests.filter(url => !url.startsWith('file:'))).toEqual([])
  })

  test('a result is reached by the keyboard, and a search without one says so', async () => {
    const page = await browser.open(pathToFileURL(join(site, 'index.html')).href)
    await page.keyboard.press('/')
    await page.keyboard.type('zzzzzz')
    await page.getByText('Nothing found for zzzzzz.').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('.results').isVisible()).toBe(false)
    await search(page, 'cards payment-info')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/commands\/cards\.html#cardctl-cards-payment-info$/)
    expect(await page.getByRole('heading', {name: 'cardctl cards payment-info'}).isVisible()).toBe(true)
  })

  test('a button copies what a reader types, without prompts and output', async () => {
    const page = await browser.open('about:blank')
    await host(page.context())
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${ORIGIN}/first-day.html`)
    const block = page.locator('.code', {hasText: 'contract check -p staging'}).first()
    await block.hover()
    await block.getByRole('button', {name: 'Copy'}).click()
    await block.getByRole('button', {name: 'Copied'}).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'cardctl contract check -p staging --card 3001 --html differences.html',
    )
  })
})
