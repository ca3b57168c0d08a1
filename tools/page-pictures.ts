// Draws the pictures of docs/webhook-recording.md: the inspector page with constant data. With a folder, writes them there, with
// some more to look at: `npx node tools/page-pictures.ts FOLDER`. Needs Debian's chromium and pngquant, and the fonts
// Inter and JetBrains Mono.
import {execFileSync} from 'node:child_process'
import {mkdirSync} from 'node:fs'
import process from 'node:process'
import {type BrowserContextOptions, chromium, type Page} from 'playwright-core'
import {LAUNCH} from '../test/helpers/one-browser.ts'
import {type Inspected, inspected} from '../test/webhook/page/inspected.ts'
import {exchangeOf, NOON, pendingOf, type Sample} from '../test/webhook/page/sample-calls.ts'

const IN_DOCS = ['inspector-light', 'inspector-dark', 'inspector-360']
const [, , elsewhere] = process.argv
const folder = elsewhere ?? 'docs/images'

const late = {scenario: 'ecommerce', merchant: 'Antikvariaatti Sointu', amount: 1249, ms: 2003, late: true}
const rule = (said: string) => [{by: 'rules', said}]
const day: readonly Sample[] = [
  {scenario: 'contactless', amount: 4.2, ms: 3.1},
  {scenario: 'atm', amount: 200, ms: 12, by: 'forward'},
  {scenario: 'ecommerce', amount: 89.9, ms: 148, by: 'forward'},
  {scenario: 'recurring', amount: 10.99, ms: 9, by: 'forward'},
  {
    scenario: 'hotel',
    amount: 2300,
    currency: 'NOK',
    ms: 64,
    code: '61',
    by: 'rules',
    steps: rule('hotels-abroad'),
  },
  {scenario: 'fuel', amount: 120, ms: 6.4, code: '10', by: 'rules', steps: rule('fuel-up-to-60')},
  {scenario: 'refund', amount: 35.5, ms: 2.2},
  {scenario: 'contactless', merchant: 'Ravintola Pihlaja', amount: 26.4, ms: 21, by: 'forward'},
  {
    scenario: 'ecommerce',
    merchant: 'Bokhandel Fjord',
    amount: 15800,
    currency: 'JPY',
    ms: 1180,
    by: 'forward',
  },
  {scenario: 'contactless', merchant: 'Leipomo Kulma', amount: 7.8, ms: 4.4, code: '51', by: 'decline'},
  {scenario: 'balance-inquiry', amount: 0, ms: 1.9},
]

async function fill({inspector}: Inspected, count: number): Promise<void> {
  inspector.onExchange({
    event: {type: 'warm-up', event: 'e_0', at: NOON - 60_000, durationMs: 0.6},
    request: {method: 'POST', path: '/warm-up', body: {type: 'WARM_UP'}},
    reply: {status: 200, body: {}},
    steps: [],
  })
  for (let number = 1; number <= count; number++) {
    const sample = number === count - 6 ? late : (day[(number * 5) % day.length] ?? {})
    // The same times in each run, most of them short.
    const ms = sample.late
      ? sample.ms
      : Math.round((sample.ms ?? 3) * 10 * (0.4 + ((number * 37) % 100) / 60)) / 10
    inspector.onExchange(exchangeOf(number, {...sample, ms: ms ?? 3, at: NOON - (count - number) * 1370}))
  }
}

const browser = await chromium.launch(LAUNCH)

async function picture(
  name: string,
  options: BrowserContextOptions,
  {
    count = 64,
    ask = false,
    act,
  }: {count?: number; ask?: boolean; act?(page: Page, site: Inspected): Promise<void>} = {},
): Promise<void> {
  if (elsewhere === undefined && !IN_DOCS.includes(name)) return
  const pendingCalls = {answer: () => Promise.resolve(undefined)}
  const site = await inspected(ask ? {pendingCalls} : {}, 8484)
  if (count > 0) await fill(site, count)
  const context = await browser.newContext({
    timezoneId: 'UTC',
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: {width: 1160, height: 700},
    ...options,
  })
  const page = await context.newPage()
  await page.clock.setFixedTime(NOON + 700)
  await page.goto(site.link)
  await page.getByText('live', {exact: true}).waitFor()
  if (count > 0) await page.getByRole('option').first().waitFor()
  await act?.(page, site)
  await page.waitForTimeout(300)
  mkdirSync(folder, {recursive: true})
  await page.screenshot({path: `${folder}/${name}.png`})
  await context.close()
  site.close()
}

const choose = (page: Page, text: string) => page.getByRole('option').filter({hasText: text}).first().click()
const wait = ({inspector}: Inspected) => {
  inspector.onPending(pendingOf(900, {scenario: 'fuel', amount: 120, at: NOON - 250}))
  inspector.onPending(pendingOf(901, {scenario: 'ecommerce', amount: 349.95, at: NOON + 80}))
}

await picture('inspector-light', {colorScheme: 'light'}, {act: page => choose(page, 'Fuel pump')})
await picture(
  'inspector-dark',
  {colorScheme: 'dark'},
  {
    ask: true,
    act: async (page, site) => {
      wait(site)
      await page.getByText('Waiting for you').waitFor()
      await choose(page, 'Bokhandel')
    },
  },
)
await picture('inspector-empty', {colorScheme: 'light', viewport: {width: 1160, height: 480}}, {count: 0})
const phone = {viewport: {width: 360, height: 720}, deviceScaleFactor: 2, hasTouch: true} as const
await picture(
  'inspector-360',
  {...phone, colorScheme: 'light'},
  {
    ask: true,
    act: async (page, site) => {
      wait(site)
      await page.getByText('Waiting for you').waitFor()
    },
  },
)
await picture('inspector-360-call', {...phone, colorScheme: 'dark'}, {act: page => choose(page, 'Leipomo')})
await picture(
  'inspector-edit',
  {colorScheme: 'light'},
  {
    act: async page => {
      await choose(page, 'Fuel pump')
      await page.keyboard.press('e')
    },
  },
)
await browser.close()
// The installation has these files: a third of the size, and no difference to see.
if (elsewhere === undefined)
  execFileSync('pngquant', [
    '--force',
    '--strip',
    '--ext',
    '.png',
    ...IN_DOCS.map(name => `${folder}/${name}.png`),
  ])
