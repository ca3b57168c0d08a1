// What axe finds on the page, in each of its states. https://github.com/dequelabs/axe-core
import {describe, expect, onTestFinished, test} from 'vitest'
import {part} from '../../helpers/whole.ts'
import {endpoint} from '../listener.ts'
import {AXE, hasChromium, useBrowser, violations} from './browser.ts'
import {inspected} from './inspected.ts'
import {exchangeOf, pendingOf} from './sample-calls.ts'

describe.skipIf(!hasChromium)('the page has nothing that axe objects to', () => {
  const browser = useBrowser()

  test.each(part([360, 1280], 2))(
    'in light and dark colours, %i pixels wide',
    async width => {
      const there = await endpoint((_, response) => {
        response.end('{"transactionData":{"authResponseCode":{"code":"00"}}}')
      })
      const rules = [
        {name: 'fuel', hits: 3},
        {name: 'hiccup', hits: 0},
      ]
      const site = await inspected({pendingCalls: {answer: async () => undefined}, ruleHits: () => rules})
      onTestFinished(site.close)
      const page = await browser.open(site.link, {
        viewport: {width, height: 800},
        reducedMotion: 'reduce',
        // The page allows no script but its own; axe comes from outside.
        bypassCSP: true,
      })
      // The scheme changes colours alone.
      const check = async (state: string) => {
        for (const [colorScheme, only] of part([['light'], ['dark', 'color-contrast']] as const, 2)) {
          await page.emulateMedia({colorScheme})
          expect(await violations(page, only), `${state}, ${colorScheme}`).toEqual([])
        }
      }
      // The codes of a waiting call are options too.
      const calls = page.getByRole('listbox', {name: 'Calls, newest first'}).getByRole('option')
      await page.getByText('Waiting for the first call').waitFor()
      await page.addScriptTag({path: AXE})
      await check('empty')

      const ends = [{}, {code: '51'}, {code: '10', scenario: 'fuel'}, {late: true, ms: 2003}, {ms: 1500}]
      for (const [number, sample] of ends.entries()) site.inspector.onExchange(exchangeOf(number, sample))
      site.inspector.onPending(pendingOf(900, {scenario: 'fuel', amount: 120, at: Date.now()}))
      await page.getByText('Waiting for you').waitFor()
      await calls.nth(4).waitFor()
      await page.getByText('1 of 2 used').click()
      await check('list')

      await page.getByRole('searchbox').fill('mc:5411')
      await page.getByText('There is no field mc').waitFor()
      await check('a mistake in the filter')
      await page.getByRole('searchbox').fill('declined')
      await calls.filter({hasText: 'declined 51'}).click()
      await page.getByRole('heading', {name: 'Request'}).waitFor()
      await check('one call')
      await page
        .getByText(/^\d+ headers?$/)
        .first()
        .click()
      await check('headers')
      await page.keyboard.press('o')
      await page.getByLabel('URL without /auth').fill('https://endpoint.example')
      await check('another endpoint')
      await page.getByLabel('URL without /auth').fill(there)
      await page.getByRole('button', {name: 'Send with a new id'}).click()
      await page.locator('.then-and-now').waitFor()
      await check('then and now')
      await page.getByRole('button', {name: 'Close Esc'}).click()
      await page.keyboard.press('e')
      await page.getByLabel('The call, as JSON').waitFor()
      await check('editor')
      await page.getByRole('button', {name: 'Cancel'}).click()
      await page.getByLabel('The call, as JSON').waitFor({state: 'detached'})
      await page.keyboard.press('?')
      await page.getByRole('dialog', {name: 'Keys'}).waitFor()
      await check('keys')
      // With reduced motion nothing moves, in no state.
      expect(await page.evaluate('document.getAnimations().length')).toBe(0)
    },
    120_000,
  )
})
