import {existsSync} from 'node:fs'
import process from 'node:process'
import {type Browser, type BrowserContextOptions, chromium, type Page} from 'playwright-core'
import {afterAll, beforeAll, expect, onTestFinished} from 'vitest'

/** Where Debian puts it. */
const CHROMIUM = '/usr/bin/chromium'

/** Whether a browser can be run here. Without it its tests are skipped and counted; where CI runs, that is an error. */
export const hasChromium = ((): boolean => {
  if (existsSync(CHROMIUM)) return true
  if (process.env.CI) throw new Error('chromium is needed under CI')
  return false
})()

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP rebound.example 127.0.0.1'],
  })

export interface OpenOptions extends BrowserContextOptions {
  /** What the browser is expected to complain of. */
  readonly complaints?: RegExp
}

/** One browser for the tests of a file. No page may break its policy, or anything else the browser would tell of. */
export function useBrowser(): {open(link: string, options?: OpenOptions): Promise<Page>} {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await launchChromium()
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
