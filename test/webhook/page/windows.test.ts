// The page in several windows at once.
import type {Page} from 'playwright-core'
import {describe, expect, test} from 'vitest'
import {callOf} from '../calls.ts'
import {hasChromium, useBrowser} from './browser.ts'
import {inspectedListener} from './inspected-listener.ts'

const rows = (page: Page) => page.getByRole('listbox', {name: 'Calls, newest first'}).getByRole('option')
const live = (page: Page) => page.getByText('live', {exact: true})

describe.skipIf(!hasChromium)('the page in several windows', () => {
  const browser = useBrowser()

  test('shows the same in both, and a call is decided once', async () => {
    const {link, post, exchanges} = await inspectedListener({ask: true, deadlineMs: 30_000})
    const first = await browser.open(link, {complaints: /409/})
    await live(first).waitFor()
    const second = await first.context().newPage()
    await second.goto(link)
    await live(second).waitFor()
    const answer = post('/auth', callOf('hotel', 'a'))
    const approve = first.getByRole('button', {name: 'Approve'})
    const decline = second.getByRole('button', {name: 'Decline'})
    await Promise.all([approve.waitFor(), decline.waitFor()])
    // The second window sends its answer, although the first one has just sent another.
    await second.route('**/answer', async route => {
      await approve.click()
      await first.getByText('Approved: Hotel Oslo.').waitFor()
      await route.continue()
    })
    await decline.click()
    await second.getByText('Failed: this call no longer waits.').waitFor()
    expect((await answer).body).toEqual({transactionData: {authResponseCode: {code: '00'}}})
    for (const page of [first, second]) {
      await rows(page).filter({hasText: 'approved'}).waitFor()
      expect(await page.getByText('Waiting for you').count()).toBe(0)
      await expect.poll(() => rows(page).count()).toBe(1)
    }
    expect(exchanges.map(({event}) => event)).toMatchObject([{type: 'auth', outcome: 'approved'}])
  })

  test('six windows stay usable: the oldest pause, and go on when somebody comes back', async () => {
    const {link, post} = await inspectedListener({ask: true, deadlineMs: 30_000})
    const first = await browser.open(link)
    await live(first).waitFor()
    const others: Page[] = []
    for (let count = 1; count < 6; count++) {
      const page = await first.context().newPage()
      await page.goto(link)
      await live(page).waitFor()
      others.push(page)
    }
    await first.getByText('Paused, because four newer windows').waitFor()
    const answer = post('/auth', callOf('chip', 'a'))
    await others.at(-1)?.getByRole('button', {name: 'Approve'}).click()
    expect((await answer).status).toBe(200)
    await first.evaluate("dispatchEvent(new Event('focus'))")
    await live(first).waitFor()
    await rows(first).filter({hasText: 'approved'}).waitFor()
    expect(await rows(first).count()).toBe(1)
  })
})
