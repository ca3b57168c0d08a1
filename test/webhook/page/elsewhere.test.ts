// A call that the page sends to another endpoint than this server.
import type {Page} from 'playwright-core'
import {describe, expect, test} from 'vitest'
import {Secret} from '../../../src/sensitive/secret.ts'
import {hostToConfirm} from '../../../src/webhook/page/client/endpoint-field.ts'
import {replayElsewhere} from '../../../src/webhook/page/replay-elsewhere.ts'
import {callOf} from '../calls.ts'
import {endpoint} from '../listener.ts'
import {hasChromium, useBrowser} from './browser.ts'
import {inspectedListener} from './inspected-listener.ts'

const options = {deadlineMs: 5000, now: Date.now}
const request = {path: '/auth', body: callOf('chip', 'replay-1')} as const
const answer = (code: string) => JSON.stringify({transactionData: {authResponseCode: {code}}})

describe('a call to another endpoint', () => {
  test.each([
    ['localhost:3000', 'use an http or https URL'],
    ['ftp://127.0.0.1', 'use an http or https URL'],
    ['http://127.0.0.1:1/auth', 'without /auth'],
    ['http://127.0.0.1:1/?token=t', 'without a query'],
    ['http://user:sesame@127.0.0.1:1', 'the URL contains credentials'],
    ['https://endpoint.example', 'type its host: endpoint.example'],
    ['http://169.254.169.254', 'type its host: 169.254.169.254'],
    ['http://127.0.0.1.example', 'type its host: 127.0.0.1.example'],
    [7, 'the call is invalid'],
  ])('is not sent to %s', async (to, reason) => {
    expect(await replayElsewhere({...request, to}, options)).toContain(reason)
    expect(await replayElsewhere({...request, to, confirm: 'another.example'}, options)).toContain(reason)
  })

  test('has the credentials of --forward-to only for that endpoint, and its answer comes masked', async () => {
    const seen: (string | undefined)[] = []
    const to = await endpoint((incoming, response) => {
      seen.push(incoming.headers.authorization)
      response.end('{"transactionData":{"authResponseCode":{"code":"51"}},"pan":"4111111111111111"}')
    })
    const auth = {type: 'bearer', token: new Secret('sesame')} as const
    const forward = {url: new URL(to), credentials: {auth}}
    const result = await replayElsewhere({...request, to}, {...options, forward})
    expect(result).toMatchObject({to: `${to}/`, outcome: 'declined', code: '51', reply: {status: 200}})
    expect(JSON.stringify(result)).not.toContain('411111111')
    await replayElsewhere({...request, to}, {...options, forward: {...forward, url: new URL(`${to}/mine`)}})
    expect(seen).toEqual(['Bearer sesame', undefined])
  })

  test('that is refused there is not sent', async () => {
    let isCalled = false
    const to = await endpoint((_, response) => {
      isCalled = true
      response.end()
    })
    const refused = async ({host}: URL) => `${host} is a service`
    expect(await replayElsewhere({...request, to}, {...options, refused})).toBe(
      `${new URL(to).host} is a service`,
    )
    expect(isCalled).toBe(false)
  })

  test('that nobody answers says so', async () => {
    const to = 'http://127.0.0.1:1'
    expect(await replayElsewhere({...request, to}, options)).toMatchObject({
      outcome: 'unreachable',
      reason: "the endpoint can't be reached (ECONNREFUSED)",
    })
  })
})

test.each([
  ['http://127.0.0.1:3000', undefined],
  ['http://localhost/x', undefined],
  ['http://[::1]:1', undefined],
  ['', undefined],
  ['https://endpoint.example/x', 'endpoint.example'],
  ['http://127.0.0.1.example', '127.0.0.1.example'],
])('the page asks for the host of %s again: %s', (url, host) => {
  expect(hostToConfirm(url)).toBe(host)
})

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
const clipboard = {permissions: ['clipboard-read', 'clipboard-write']}

describe.skipIf(!hasChromium)('the page', () => {
  const browser = useBrowser()

  test('asks for an endpoint once, sends a call there, and copies it as curl for there', async () => {
    const bodies: string[] = []
    const to = await endpoint(async (incoming, response) => {
      let text = ''
      for await (const chunk of incoming) text += chunk
      bodies.push(text)
      response.end(answer('05'))
    })
    const {link, post, exchanges} = await inspectedListener()
    await post('/auth', callOf('contactless', 'a'))
    const page = await browser.open(link, {...clipboard, complaints: /409/})
    await page.getByRole('option').first().click()
    await page.keyboard.press('c')
    await page.getByText('Type the URL of your endpoint first.').waitFor()
    const field = page.getByLabel('URL without /auth')
    await field.fill('https://endpoint.example')
    const send = page.getByRole('button', {name: 'Send with a new id'})
    await page.getByLabel('Another machine: type endpoint.example to confirm').waitFor()
    expect(await send.isDisabled()).toBe(true)
    await field.fill(`${to}/auth`)
    await send.click()
    await page.getByText(/^Use an http or https URL without a query/).waitFor()
    await field.fill(to)
    await send.click()
    const part = page.locator('.then-and-now')
    await part.getByText('Approved then, declined now.').waitFor()
    expect(await part.textContent()).toContain(to)
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).toMatch(/"id":"replay-e_1-[0-9a-f]{8}"/)
    // It was not sent to this server.
    expect(exchanges).toHaveLength(1)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    expect(await field.count()).toBe(0)
    await page.reload()
    await page.getByRole('option').first().click()
    await page.keyboard.press('c')
    await page.getByText('Copied as curl.').waitFor()
    const curl = await copied(page)
    expect(curl).toContain(`'${to}/auth'`)
    expect(curl).toMatch(/"id":"replay-e_1-/)
    await page.keyboard.press('o')
    expect(await field.inputValue()).toBe(to)
  })
})
