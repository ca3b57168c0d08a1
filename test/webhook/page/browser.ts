import {existsSync} from 'node:fs'
import {createRequire} from 'node:module'
import process from 'node:process'
import {type Browser, type BrowserContextOptions, chromium, type Page} from 'playwright-core'
import {afterAll, beforeAll, expect, inject, onTestFinished} from 'vitest'
import {CHROMIUM} from '../../helpers/one-browser.ts'

/** Whether a browser can be run here. Without it its tests are skipped and counted; where CI runs, that is an error. */
export const hasChromium = ((): boolean => {
  if (existsSync(CHROMIUM)) return true
  if (process.env.CI) throw new Error('chromium is needed under CI')
  return false
})()

export interface OpenOptions extends BrowserContextOptions {
  /** What the browser is expected to complain of. */
  readonly complaints?: RegExp
}

/** The browser of this run, each page in a profile of its own. A page must not break its policy or cause any other browser error. */
export function useBrowser(): {open(link: string, options?: OpenOptions): Promise<Page>} {
  let browser: Browser | undefined
  beforeAll(async () => {
    const address = await (await fetch(inject('browser'))).text()
    browser = await chromium.connect(address)
  })
  afterAll(() => browser?.close())
  return {
    open: async (link, {complaints: expected, ...options} = {}) => {
      if (!browser) throw new Error('the browser has not started')
      const context = await browser.newContext({timezoneId: 'UTC', locale: 'en-GB', ...options})
      onTestFinished(() => context.close())
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', message => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
      })
      page.on('pageerror', error => complaints.push(String(error)))
      onTestFinished(() => expect(complaints.filter(text => !expected?.test(text))).toEqual([]))
      await page.goto(link)
      return page
    },
  }
}

/** For pages that bypass their policy: axe comes from outside. */
export const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Where axe finds a violation: `color-contrast: .foot`. @param only the rule that is asked about, if not all. */
export const violations = (page: Page, only?: string): Promise<readonly string[]> =>
  page.evaluate<string[]>(
    `axe.run(${JSON.stringify(only === undefined ? {} : {runOnly: [only]})}).then(({violations}) => violations.flatMap(({id, nodes}) => nodes.map(node => id + ": " + node.target)))`,
  )
