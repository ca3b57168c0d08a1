// The page in a browser, on a real listener.
import type {Page} from 'playwright-core'
import {describe, expect, test} from 'vitest'
import {Secret} from '../../../src/sensitive/secret.ts'
import {declineAll} from '../../../src/webhook/index.ts'
import {pem} from '../../http/listening.ts'
import {callOf} from '../calls.ts'
import {hasChromium, useBrowser} from './browser.ts'
import {inspectedListener} from './inspected-listener.ts'
import {proofOf} from './page-link.ts'

const rows = (page: Page) => page.getByRole('option')
const detail = (page: Page) => page.getByRole('region', {name: 'One call'})
const part = (page: Page, name: string) =>
  detail(page)
    .locator('section')
    .filter({has: page.getByRole('heading', {name})})
// What runs in the page is text: this file knows no browser.
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
const clipboard = {permissions: ['clipboard-read', 'clipboard-write']}

describe.skipIf(!hasChromium)('the page', () => {
  const browser = useBrowser()

  test('shows where a call differs from the contract', async () => {
    const {link, post} = await inspectedListener()
    const page = await browser.open(link)
    await post('/auth', {...callOf('contactless', 'a'), account: {accountId: 2001}})
    await rows(page).first().getByText('differs from the contract').waitFor()
    await rows(page).first().click()
    await page.getByRole('heading', {name: 'Differs from the contract'}).waitFor()
    await page.getByText('/account/accountId').waitFor()
  })

  test('says how to send a first call, and shows each one that comes', async () => {
    const {link, url, post} = await inspectedListener()
    const page = await browser.open(link, clipboard)
    await page.getByText('Waiting for the first call').waitFor()
    await page.getByRole('button', {name: 'cardctl webhook trigger'}).click()
    expect(await copied(page)).toBe(`cardctl webhook trigger auth --to ${url}`)
    expect(new URL(page.url()).search).toBe('')

    await post('/warm-up', {type: 'WARM_UP', timestamp: '2026-06-15T12:00:00Z'})
    await post('/auth', callOf('contactless', 'a'))
    await post('/auth', ['no call'])
    await rows(page).nth(2).waitFor()
    const texts = await rows(page).allTextContents()
    expect(texts[0]).toMatch(/RefusedPOST \/auth · .*rejected 400/)
    expect(texts[1]).toMatch(/^\d\d:\d\d:\d\dKahvila AinoEUR100\.00approved[\d.]+ ms$/)
    expect(texts[2]).toContain('Warm-up')

    await rows(page).nth(1).click()
    expect(await part(page, 'Request').textContent()).toContain('"cardEntryMode": "CHIP_CONTACTLESS"')
    expect(await part(page, 'Answer').textContent()).toContain('"code": "00"')
    expect(await part(page, 'Decision').textContent()).toContain('approved')
    expect(await part(page, 'Timing').textContent()).toMatch(/of 10.000 ms/)
    await part(page, 'Request').getByText('"merchantData"').click()
    expect(await part(page, 'Request').getByText('Kahvila Aino').isVisible()).toBe(false)
  })

  test('filters by text and by outcome', async () => {
    const {link, post} = await inspectedListener({decider: declineAll('51')})
    for (const [index, name] of ['contactless', 'hotel', 'refund', 'contactless'].entries()) {
      await post('/auth', callOf(name, `call-${index}`))
    }
    const page = await browser.open(link)
    await rows(page).nth(3).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('declined HOTEL')
    await expect.poll(() => rows(page).count()).toBe(1)
    await page.keyboard.type(' nowhere')
    await page.getByText('None of the 4 calls matches the filter.').waitFor()
    await page.getByRole('button', {name: 'Show all'}).click()
    await page.getByRole('button', {name: 'Approved 1'}).click()
    await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining('credit')])
  })

  test('answers the calls that wait, by button and by key', async () => {
    const {link, post} = await inspectedListener({ask: true, deadlineMs: 30_000})
    const page = await browser.open(link)
    await page.getByText('live', {exact: true}).waitFor()
    const codeOf = async (answer: ReturnType<typeof post>) =>
      ((await answer).body as {transactionData: {authResponseCode: {code: string}}}).transactionData

    const first = codeOf(post('/auth', callOf('contactless', 'a')))
    await page.getByRole('button', {name: 'Approve'}).click()
    expect(await first).toEqual({authResponseCode: {code: '00'}})

    const second = codeOf(post('/auth', callOf('hotel', 'b')))
    const card = page.getByRole('article').filter({hasText: 'Hotel Oslo'})
    await card.getByRole('combobox').selectOption('61')
    const codes = await card.getByRole('option').allTextContents()
    expect(codes).toEqual(codes.toSorted())
    expect(codes[0]).toBe('05 do not honour')
    expect(await page.title()).toBe('(1) cardctl inspector')
    await card.getByRole('button', {name: 'Decline'}).click()
    expect(await second).toEqual({authResponseCode: {code: '61'}})

    const large = {transactionAmount: {amount: 10_000, currency: 'EUR'}}
    const third = codeOf(post('/auth', callOf('fuel', 'c', large)))
    // It may be 6 or 6000.
    await page.getByPlaceholder('part').fill('6.000')
    expect(await page.getByRole('button', {name: 'Partial'}).isDisabled()).toBe(true)
    await page.getByPlaceholder('part').fill('40')
    await page.getByRole('button', {name: 'Partial'}).click()
    expect(await third).toMatchObject({partialApprovalAmount: {amount: 40, currency: 'EUR'}})

    const fourth = codeOf(post('/auth', callOf('chip', 'd')))
    await page.getByTitle('Show the call').click()
    await detail(page).getByText('"cardEntryMode"').waitFor()
    // A key that comes too soon after the call is not for this call.
    await page.waitForTimeout(600)
    await page.keyboard.press('d')
    // The code that was chosen for the hotel was for the hotel alone.
    expect(await fourth).toEqual({authResponseCode: {code: '51'}})
    await part(page, 'Decision').getByText('declined 51, insufficient funds').waitFor()
    await expect.poll(() => page.title()).toBe('cardctl inspector')
  })

  test('only looks on where no person decides', async () => {
    const {link, post} = await inspectedListener({
      deadlineMs: 3000,
      decider: {decide: () => new Promise(() => {})},
    })
    const page = await browser.open(link)
    const answer = post('/auth', callOf('contactless', 'a'))
    await page.getByText('Waiting for a decision').waitFor()
    expect(await page.getByRole('button', {name: 'Approve'}).count()).toBe(0)
    await rows(page).filter({hasText: 'late'}).click()
    await detail(page).getByText('must undo its own hold').waitFor()
    expect((await answer).status).toBe(503)
  })

  test('replays a call, and a changed one, with credentials and prefix', async () => {
    const auth = {type: 'basic', user: 'service', password: new Secret('sesame')} as const
    const {link, post, exchanges} = await inspectedListener({
      credentials: {auth},
      pathPrefix: '/hooks',
      inspect: {forward: {url: new URL('https://endpoint.example/mine/'), credentials: {auth}}},
    })
    const credentials = {authorization: `Basic ${Buffer.from('service:sesame').toString('base64')}`}
    await post('/auth', callOf('contactless', 'a'), credentials)
    const page = await browser.open(link, clipboard)
    await page.getByText('passed on to https://endpoint.example/mine').waitFor()
    await rows(page).first().click()

    await page.keyboard.press('c')
    await page.getByText('Copied as curl.').waitFor()
    expect(await copied(page)).toMatch(
      /^curl .*'https:\/\/endpoint[.]example\/mine\/auth' \\\n.*\\\n {2}--user "\$WEBHOOK_USER:\$WEBHOOK_PASSWORD"/,
    )

    await page.keyboard.press('r')
    await expect.poll(() => rows(page).count()).toBe(2)
    await detail(page).getByText('"replay-').waitFor()
    await part(page, 'Then and now').getByText('The same decision.').waitFor()

    await page.keyboard.press('e')
    const field = page.getByLabel('The call, as JSON')
    const text = await field.inputValue()
    await field.fill(text.replace('{', '{,'))
    await page.getByText('Invalid JSON at line 1, column 2.').waitFor()
    expect(await page.getByRole('button', {name: 'Send'}).isDisabled()).toBe(true)
    await field.fill(text.replace('"Kahvila Aino"', '"Kahvila Toinen"'))
    await page.keyboard.press('Control+Enter')
    await detail(page).getByRole('heading', {name: 'Kahvila Toinen'}).waitFor()
    expect(exchanges.map(({event}) => event.type)).toEqual(['auth', 'auth', 'auth'])
    expect(new Set(exchanges.map(({event}) => 'id' in event && event.id)).size).toBe(3)
  })

  test.each([
    ['markup', '<script>document.title="owned"</script><img src=x onerror="document.title=1">'],
    ['writing turned around', 'Shop \u202Egnp.exe\u202C \u2067right\u2069'],
    ['control characters', 'A\u0000B\u001B[31mC\nD'],
    ['a very long name', 'x'.repeat(2000)],
    ['nothing but space', ' '],
  ])('shows a merchant of %s as text', async (_, name) => {
    const {link, post} = await inspectedListener()
    const call = callOf('contactless', 'a')
    call.merchantData.name = name
    await post('/auth', call)
    await post('/auth', callOf('hotel', 'b'))
    const page = await browser.open(link)
    await rows(page).nth(1).click()
    await detail(page).getByText('"merchantData"').waitFor()
    expect(await page.title()).toBe('cardctl inspector')
    expect(await page.locator('script, img').count()).toBe(1)
    const shown = await rows(page).nth(1).textContent()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there.
    expect(shown).not.toMatch(/[\u0000-\u001f\u202a-\u202e\u2066-\u2069]/)
    expect(shown).toContain('EUR100.00approved')
    const widths = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]')
    expect(widths[0]).toBe(widths[1])
    const heights = await rows(page).evaluateAll(all => all.map(row => row.getBoundingClientRect().height))
    expect(new Set(heights).size).toBe(1)
  })

  test('is walked through by keys', async () => {
    const {link, post} = await inspectedListener()
    for (const id of ['a', 'b', 'c']) await post('/auth', callOf('contactless', id))
    const page = await browser.open(link)
    await rows(page).nth(2).waitFor()
    const chosen = () => rows(page).evaluateAll(all => all.findIndex(row => row.ariaSelected === 'true'))
    await page.keyboard.press('j')
    expect(await chosen()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await chosen()).toBe(2)
    await page.keyboard.press('k')
    expect(await chosen()).toBe(1)
    await page.keyboard.press('g')
    expect(await chosen()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await chosen()).toBe(-1)
    await page.keyboard.press('?')
    await page.getByRole('dialog', {name: 'Keys'}).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', {name: 'Keys'}).waitFor({state: 'hidden'})
    await page.keyboard.press('Tab')
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
    expect(outline).toBe('solid')
  })

  test('shows the next call from its beginning', async () => {
    const {link, post} = await inspectedListener()
    for (const id of ['a', 'b']) await post('/auth', callOf('contactless', id))
    const page = await browser.open(link)
    await rows(page).nth(1).click()
    const scrolled = () => page.locator('.detail').evaluate(box => box.scrollTop)
    await page.locator('.detail').evaluate(box => box.scrollTo({top: 400}))
    expect(await scrolled()).toBeGreaterThan(0)
    await rows(page).first().click()
    await detail(page).getByText('"id": "b"').waitFor()
    expect(await scrolled()).toBe(0)
  })

  test('is light or dark as the system is, until somebody chooses', async () => {
    const {link} = await inspectedListener()
    const page = await browser.open(link, {colorScheme: 'dark'})
    const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    await page.getByText('live', {exact: true}).waitFor()
    const dark = await ground()
    await page.emulateMedia({colorScheme: 'light'})
    const light = await ground()
    expect(light).not.toBe(dark)
    await page.keyboard.press('t')
    await page.keyboard.press('t')
    await expect.poll(ground).toBe(dark)
    await page.reload()
    await expect.poll(ground).toBe(dark)
  })

  test('fits into 360 pixels: the list, then the call', async () => {
    const {link, post} = await inspectedListener({ask: true, pathPrefix: '/hooks/of-a-long-name/and-more'})
    const page = await browser.open(link, {viewport: {width: 360, height: 640}, hasTouch: true})
    const fits = async () =>
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await page.getByText('Waiting for the first call').waitFor()
    await fits()
    const answer = post(
      '/auth',
      callOf('fuel', 'a', {transactionAmount: {amount: 123456789.99, currency: 'EUR'}}),
    )
    await page.getByRole('button', {name: 'Approve'}).waitFor()
    await fits()
    await page.getByRole('button', {name: 'Approve'}).tap()
    await answer
    await rows(page).first().tap()
    await part(page, 'Request').waitFor()
    expect(await rows(page).first().isVisible()).toBe(false)
    await fits()
    await page.getByRole('button', {name: 'Edit and replay'}).tap()
    await page.getByLabel('The call, as JSON').waitFor()
    await fits()
    await page.getByRole('button', {name: 'Cancel'}).tap()
    await page.getByRole('button', {name: 'Back to the list'}).tap()
    await rows(page).first().waitFor()
  })

  test('works over TLS', async () => {
    const tls = {cert: pem('service'), key: new Secret(pem('service.key'))}
    const {link, exchanges} = await inspectedListener({tls})
    const page = await browser.open(link, {ignoreHTTPSErrors: true})
    await page.getByText('live', {exact: true}).waitFor()
    const body = JSON.stringify({path: '/auth', body: callOf('chip', 'a')})
    const proof = proofOf(new URL(link).origin)
    const headers = `{'content-type': 'application/json', 'x-cardctl-inspect': '${proof}'}`
    await page.evaluate(`fetch('send', {method: 'POST', headers: ${headers}, body: '${body}'})`)
    await rows(page).first().click()
    await page.keyboard.press('r')
    await expect.poll(() => exchanges.length).toBe(2)
  })

  test('opens again in the window that was let in', async () => {
    const {link, page: at} = await inspectedListener()
    const page = await browser.open(link)
    await page.getByText('live', {exact: true}).waitFor()
    await page.goto('about:blank')
    await page.goto(at)
    await page.getByText('live', {exact: true}).waitFor()
  })
})
