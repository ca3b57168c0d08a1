// The page under load, without its server, and in the hands of others.
import type {Page} from 'playwright-core'
import {describe, expect, onTestFinished, test} from 'vitest'
import {endpoint} from '../webhook/listener.ts'
import {hasChromium, useBrowser} from './browser.ts'
import {type Inspected, inspected} from './inspected.ts'
import {exchangeOf} from './sample-calls.ts'

const rows = (page: Page) => page.getByRole('option')

async function site(options?: Parameters<typeof inspected>[0], port?: number): Promise<Inspected> {
  const opened = await inspected(options, port)
  onTestFinished(opened.close)
  return opened
}

describe.skipIf(!hasChromium)('the page', () => {
  const browser = useBrowser()

  test('holds a thousand calls, draws those in sight, and stays where it is when more come', async () => {
    const {inspector, link} = await site()
    let number = 0
    const more = (count: number) => {
      for (let left = count; left > 0; left--) inspector.onExchange(exchangeOf(++number, {amount: number}))
    }
    more(1100)
    const page = await browser.open(link)
    await page.getByRole('button', {name: 'Approved 1000'}).waitFor()
    expect(await rows(page).count()).toBeLessThan(80)
    expect(await rows(page).first().getAttribute('aria-setsize')).toBe('1000')
    const list = page.getByRole('listbox')
    await list.evaluate(box => box.scrollTo({top: box.scrollHeight}))
    await rows(page).filter({hasText: 'EUR101.00'}).waitFor()

    await list.evaluate(box => box.scrollTo({top: 9000}))
    const middle = rows(page).filter({hasText: 'EUR840.00'})
    const before = await middle.boundingBox()
    more(5)
    await page.getByRole('button', {name: '5 new'}).waitFor()
    expect(await middle.boundingBox()).toEqual(before)
    await page.getByRole('button', {name: '5 new'}).click()
    await rows(page).filter({hasText: '105.00'}).first().waitFor()
    expect(await rows(page).first().textContent()).toContain('105.00')
  })

  test('keeps up with two hundred calls a second', async () => {
    const {inspector, link} = await site()
    const page = await browser.open(link)
    await page.getByText('live', {exact: true}).waitFor()
    for (let number = 1; number <= 600; number++) {
      inspector.onExchange(exchangeOf(number, {ms: number % 40}))
      if (number % 10 === 0) await new Promise(resolve => setTimeout(resolve, 50))
    }
    await page.getByRole('button', {name: 'Approved 600'}).waitFor()
    await rows(page).first().click()
    await page.getByRole('heading', {name: 'Request'}).waitFor()
  })

  test('says when the server has gone, comes back by itself, and starts anew with a new one', async () => {
    const first = await site()
    first.inspector.onExchange(exchangeOf(1))
    const page = await browser.open(first.link, {
      complaints: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY|401/,
    })
    await rows(page).first().waitFor()
    first.close()
    await page.getByText('The server does not answer.').waitFor()
    expect(await rows(page).count()).toBe(1)
    const port = Number(new URL(first.url).port)
    const second = await site({epoch: 'second'}, port)
    second.inspector.onExchange(exchangeOf(2, {merchant: 'Another'}))
    await rows(page).filter({hasText: 'Another'}).waitFor()
    expect(await rows(page).count()).toBe(1)
  })

  test('shows nothing to a browser without the link, or with a used one', async () => {
    const {url, link} = await site()
    const stranger = await browser.open(url, {complaints: /401/})
    await stranger.getByText('This page opens by its link').waitFor()
    await browser.open(link)
    const late = await browser.open(link, {complaints: /403/})
    await late.getByText('This link is used up').waitFor()
  })

  test('does not open under a name that only leads here', async () => {
    const {link} = await site()
    const page = await browser.open(link.replace('127.0.0.1', 'rebound.example'), {
      complaints: /403|404|Opener-Policy/,
    })
    expect(await page.textContent('body')).toContain('the page is not called by this name')
  })

  test('lets no other site post, read or frame it', async () => {
    const answered: string[] = []
    const desk = {
      answer: async (event: string) => {
        answered.push(event)
        return undefined
      },
    }
    const {url, link} = await site({desk})
    // Another port of this machine: the same site for cookies, another origin for everything else.
    const other = await endpoint((_, response) =>
      response.setHeader('content-type', 'text/html').end('<p>other'),
    )
    const page = await browser.open(link, {complaints: /CORS|403|ERR_|frame|Framing/i})
    await page.getByText('live', {exact: true}).waitFor()
    await page.goto(other)
    const attempt = (headers: object, mode: string) =>
      page.evaluate<string>(
        `fetch('${url}/_inspect/answer', {method: 'POST', mode: '${mode}', credentials: 'include', headers: ${JSON.stringify(headers)}, body: '{"event":"e_1","choice":{"approve":true}}'}).then(() => 'sent', () => 'stopped')`,
      )
    expect(await attempt({'content-type': 'application/json', 'x-cardctl-inspect': '1'}, 'cors')).toBe(
      'stopped',
    )
    await attempt({'content-type': 'text/plain'}, 'no-cors')
    expect(answered).toEqual([])
    const read = `fetch('${url}/_inspect/stream', {credentials: 'include'}).then(() => 'read', () => 'stopped')`
    expect(await page.evaluate(read)).toBe('stopped')
    await page.evaluate(`document.body.innerHTML = '<iframe src="${url}"></iframe>'`)
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
  })
})
