// Headers of calls and answers on the page, and what an endpoint answered.
import type {Page} from 'playwright-core'
import {describe, expect, test} from 'vitest'
import {forwardTo} from '../../../src/webhook/index.ts'
import {readSaid} from '../../../src/webhook/page/client/read-said.ts'
import {callOf} from '../calls.ts'
import {endpoint} from '../listener.ts'
import {hasChromium, useBrowser} from './browser.ts'
import {inspectedListener} from './inspected-listener.ts'

const part = (page: Page, name: string) =>
  page
    .getByRole('region', {name: 'One call'})
    .locator('section')
    .filter({has: page.getByRole('heading', {name})})

test.each([
  ['status 200, {"a":[1]}', {words: 'status 200', json: {a: [1]}}],
  ['status 500, []', {words: 'status 500', json: []}],
  ['status 200, {"note":"xxx…', {words: 'status 200, {"note":"xxx…'}],
  ['status 200, no body', {words: 'status 200, no body'}],
  ['big ATM: mcc is 5814', {words: 'big ATM: mcc is 5814'}],
])('%s is read as words and JSON', (said, expected) => {
  expect(readSaid(said)).toEqual(expected)
})

describe.skipIf(!hasChromium)('the page', () => {
  const browser = useBrowser()

  test('shows headers folded, masked, and the answer of an endpoint as JSON', async () => {
    const address = await endpoint((_, response) => {
      response.writeHead(200, {'x-request-id': 'r-7', 'x-node': 'host-7', 'set-cookie': 'id=1234'})
      response.end('{"transactionData":{"authResponseCode":{"code":"05"}}}')
    })
    const {link, post} = await inspectedListener({decider: forwardTo(new URL(address))})
    await post('/auth', callOf('contactless', 'a'), {
      'x-request-id': 'r-1',
      authorization: 'Bearer abc123def',
    })
    const page = await browser.open(link)
    await page.getByRole('option').first().click()
    const request = part(page, 'Request')
    expect(await request.getByText('x-request-id').isVisible()).toBe(false)
    await request.getByText(/^\d+ headers$/).click()
    expect(await request.locator('dl').textContent()).toMatch(/x-request-idr-1authorization\[masked\]/)
    expect(await part(page, 'Answer').textContent()).toContain('1 header')
    const decision = part(page, 'Decision')
    expect(await decision.getByRole('listitem').first().textContent()).toContain('forwardstatus 200')
    await decision.getByText('"authResponseCode"').waitFor()
    await decision.getByText(/^\d+ headers$/).click()
    expect(await decision.locator('dl').textContent()).toMatch(
      /x-request-idr-7x-node\[masked\]set-cookie\[masked\]/,
    )
    expect(await page.content()).not.toMatch(/abc123def|id=1234/)
  })
})
