// The page under load, without its server, and in the hands of others.
import {createServer} from 'node:http'
import type {Page} from 'playwright-core'
import {describe, expect, onTestFinished, test} from 'vitest'
import {webhookServeView} from '../../src/commands/webhook/shared/serve-view.ts'
import type {AuthEvent, LateEvent} from '../../src/webhook/index.ts'
import {endpoint} from '../webhook/listener.ts'
import {hasChromium, useBrowser} from '../webhook/page/browser.ts'
import {type Inspected, inspected} from '../webhook/page/inspected.ts'
import {KEY, proofOf} from '../webhook/page/page-link.ts'
import {exchangeOf} from '../webhook/page/sample-calls.ts'

const PLAIN = {width: 200, colour: 0, ascii: true, now: 0, timeZone: 'UTC'} as const

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

  test.each([1280, 390, 360])(
    'keeps long decisions out of the times beside them, %i pixels wide',
    async width => {
      const {inspector, link} = await site()
      const codes = ['EXCEEDS_WITHDRAWAL_FREQUENCY_LIMIT', 'A_CODE_THAT_IS_OLDER_THAN_THE_CONTRACT', '51']
      for (const [number, code] of codes.entries()) inspector.onExchange(exchangeOf(number, {code, ms: 1900}))
      const page = await browser.open(link, {viewport: {width, height: 800}})
      await rows(page).nth(2).waitFor()
      const texts = await rows(page).locator('.said').allTextContents()
      expect(texts).toEqual(['declined 51', `declined ${codes[1]}`, 'declined 65'])
      for (const row of await rows(page).all()) {
        const [said, took] = await Promise.all(
          [row.locator('.said > span'), row.locator('.took')].map(part => part.boundingBox()),
        )
        if (!said || !took) throw new Error('a part of the row is not drawn')
        expect(said.x + said.width).toBeLessThanOrEqual(took.x)
      }
      const overflow = `getComputedStyle(document.querySelectorAll('.rows .said > span')[1]).textOverflow`
      expect(await page.evaluate<string>(overflow)).toBe('ellipsis')
      expect(await rows(page).nth(1).locator('.said').getAttribute('title')).toBe(texts[1])
    },
  )

  test('says of a call whose caller had gone, and of an id that was used before, what the terminal says', async () => {
    const {inspector, link} = await site()
    const late = exchangeOf(1, {late: true, ms: 1.3, merchant: 'Gone'})
    inspector.onExchange({...late, event: {...late.event, callerGone: true} as LateEvent})
    const casino = exchangeOf(2, {merchant: 'Casino'})
    inspector.onExchange({...casino, event: {...casino.event, reusedId: 'e_1'} as AuthEvent})
    const page = await browser.open(link)
    const row = (text: string) => rows(page).filter({hasText: text})
    await row('Gone').click()
    expect(await row('Gone').textContent()).toContain('late · caller gone')
    const detail = page.getByRole('region', {name: 'One call'})
    const line = String(await webhookServeView(late.event as LateEvent, PLAIN))
    expect(line).toContain('the service has fallen back; the endpoint must undo its own hold')
    const timing = detail.locator('.timing')
    await timing
      .getByText('The caller has gone: the service has fallen back; the endpoint must undo its own hold')
      .waitFor()
    expect(await timing.textContent()).not.toContain('%')
    expect(await row('Casino').textContent()).toContain('id already used by another call')
    await row('Casino').click()
    await detail.getByText('id already used by another call: decided by its own content').waitFor()
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

  test('says when the server has gone, reconnects by itself, and starts over with a new one', async () => {
    const first = await site()
    first.inspector.onExchange(exchangeOf(1))
    const page = await browser.open(first.link, {
      complaints: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY|401/,
    })
    await rows(page).first().waitFor()
    first.close()
    await page.getByText('The server does not respond.').waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
    const port = Number(new URL(first.url).port)
    const second = await site({epoch: 'second'}, port)
    second.inspector.onExchange(exchangeOf(2, {merchant: 'Another'}))
    await rows(page).filter({hasText: 'Another'}).waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
  })

  test('shows nothing to a browser without the key of the link', async () => {
    const {page: at, link} = await site()
    const stranger = await browser.open(at, {complaints: /401/})
    await stranger.getByText('Open this page with its link').waitFor()
    const guess = await browser.open(`${at}#key=guess`, {complaints: /401/})
    await guess.getByText('Open this page with its link').waitFor()
    await guess.goto(link)
    await guess.getByText('live', {exact: true}).waitFor()
  })

  test('opens in several browsers, keeps its key out of the address, and gives it to no other port', async () => {
    const {link, page: at} = await site()
    const seen: string[] = []
    const other = await endpoint((request, response) => {
      seen.push(JSON.stringify([request.url, request.headers]))
      response.setHeader('content-type', 'text/html').end('<p>other')
    })
    const both = [await browser.open(link), await browser.open(link)]
    for (const page of both) {
      await page.getByText('live', {exact: true}).waitFor()
      expect(page.url()).toBe(at)
      expect(await page.evaluate('document.cookie')).toBe('')
      expect(await page.context().cookies()).toEqual([])
      await page.reload()
      await page.getByText('live', {exact: true}).waitFor()
      await page.goto(new URL(new URL(at).pathname, other).href)
      expect(await page.evaluate('JSON.stringify([{...sessionStorage}, {...localStorage}])')).toBe('[{},{}]')
    }
    expect(seen.join()).not.toContain(KEY)
    expect(seen.join()).not.toContain(proofOf(new URL(at).origin))
  })

  test('gives nothing of use to a program that takes the port while the server is away', async () => {
    const first = await site()
    const port = Number(new URL(first.url).port)
    const page = await browser.open(first.link, {complaints: /ERR_|401|404/})
    await page.getByText('live', {exact: true}).waitFor()
    first.close()
    const heard: string[] = []
    const thief = createServer((request, response) => {
      heard.push(`${request.url} ${request.headers['x-cardctl-inspect']}`)
      if (request.url?.endsWith('/epoch')) response.end('{"epoch":"of the thief"}')
      else response.writeHead(401).end()
    })
    await new Promise<void>(resolve => thief.listen(port, '127.0.0.1', resolve))
    await expect.poll(() => heard.some(text => text.includes('/session'))).toBe(true)
    await new Promise(resolve => {
      thief.close(resolve)
      thief.closeAllConnections()
    })
    const second = await site({epoch: 'second'}, port)
    expect(heard.join()).not.toContain(KEY)
    for (const [, proof = ''] of heard.map(text => text.split(' '))) {
      const asked = await fetch(`${second.page}session`, {headers: {'x-cardctl-inspect': proof}})
      expect(asked.status).toBe(401)
    }
  })

  test('does not open under a name that only leads here', async () => {
    const {link} = await site()
    const page = await browser.open(link.replace('127.0.0.1', 'rebound.example'), {
      complaints: /403|404|Opener-Policy/,
    })
    expect(await page.textContent('body')).toContain('the page has another host name')
  })

  test('lets no other site post, read or frame it', async () => {
    const answered: string[] = []
    const pendingCalls = {
      answer: async (event: string) => {
        answered.push(event)
        return undefined
      },
    }
    const {page: at, link} = await site({pendingCalls})
    // Another port of this machine: the same site for cookies, another origin for everything else.
    const other = await endpoint((_, response) =>
      response.setHeader('content-type', 'text/html').end('<p>other'),
    )
    const page = await browser.open(link, {complaints: /CORS|403|ERR_|frame|Framing/i})
    await page.getByText('live', {exact: true}).waitFor()
    await page.goto(other)
    const attempt = (headers: object, mode: string) =>
      page.evaluate<string>(
        `fetch('${at}answer', {method: 'POST', mode: '${mode}', credentials: 'include', headers: ${JSON.stringify(headers)}, body: '{"event":"e_1","choice":{"approve":true}}'}).then(() => 'sent', () => 'stopped')`,
      )
    expect(
      await attempt(
        {'content-type': 'application/json', 'x-cardctl-inspect': proofOf(new URL(at).origin)},
        'cors',
      ),
    ).toBe('stopped')
    await attempt({'content-type': 'text/plain'}, 'no-cors')
    expect(answered).toEqual([])
    const read = `fetch('${at}stream', {credentials: 'include'}).then(() => 'read', () => 'stopped')`
    expect(await page.evaluate(read)).toBe('stopped')
    await page.evaluate(`document.body.innerHTML = '<iframe src="${at}"></iframe>'`)
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
  })
})
