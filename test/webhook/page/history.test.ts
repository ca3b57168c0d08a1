// The calls of the recording, on the page and behind it.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Page} from 'playwright-core'
import {describe, expect, onTestFinished, test} from 'vitest'
import {readAddress, writeAddress} from '../../../src/webhook/page/client/address.ts'
import {replayId} from '../../../src/webhook/page/client/replay.ts'
import {createHistory, timeOf} from '../../../src/webhook/page/history.ts'
import {hasChromium, useBrowser} from './browser.ts'
import {type Inspected, inspected} from './inspected.ts'
import {recorded} from './recorded.ts'
import {exchangeOf, NOON, type Sample} from './sample-calls.ts'

const rows = (page: Page) => page.getByRole('option')
const foot = (page: Page) => page.locator('.foot')
const detail = (page: Page) => page.getByRole('region', {name: 'One call'})

function recording(count: number, sampleOf?: (number: number, earlier: readonly string[]) => Sample) {
  const folder = mkdtempSync(join(tmpdir(), 'recorded-'))
  onTestFinished(() => rmSync(folder, {recursive: true}))
  return recorded(join(folder, 'events.db'), count, sampleOf)
}

async function site(
  count: number,
  sampleOf?: (number: number, earlier: readonly string[]) => Sample,
): Promise<Inspected & {events: readonly string[]}> {
  const {events, open} = await recording(count, sampleOf)
  const opened = await inspected({openRecording: open})
  onTestFinished(opened.close)
  return {...opened, events}
}

describe('the history of the page', () => {
  test('gives every recorded call once, newest first, also those of one moment', async () => {
    const {events, open} = await recording(1234, () => ({at: NOON}))
    const history = createHistory(open)
    const found: string[] = []
    let page = history.page()
    for (;;) {
      found.push(...page.calls.map(({event}) => event.event))
      expect(page.total).toBe(1234)
      if (!page.next) break
      page = history.page(page.next)
    }
    history.close()
    expect(found).toHaveLength(1234)
    expect(new Set(found)).toEqual(new Set(events))
  })

  test('gives the whole of a call by its id, and nothing by what is no id', async () => {
    const {events, open} = await recording(3)
    const history = createHistory(open)
    const [first = ''] = events
    expect(timeOf(first)).toBe(NOON - 2000)
    expect(history.call(first)).toMatchObject({
      event: {event: first},
      request: {body: {card: {cardId: '3001'}}},
    })
    for (const event of ['', 'e_1', first.toLowerCase(), `${first}0`, '%']) {
      expect(history.call(event)).toBeUndefined()
    }
    expect(history.page().calls[0]?.request.body).toEqual({merchantData: {category: {code: '5814'}}})
    history.close()
  })
})

test('the address keeps the call and the filter', () => {
  const address = {event: 'e_1', filter: {text: 'mcc:5411 >100 & "a b"', groups: new Set(['late'] as const)}}
  expect(readAddress(writeAddress(address))).toEqual(address)
  expect(writeAddress(readAddress(''))).toBe('')
  expect(readAddress('#show=late,nothing&call=').filter.groups).toEqual(new Set(['late']))
})

describe.skipIf(!hasChromium)('the page with a recording', () => {
  const browser = useBrowser()

  test('starts with the recorded calls and reads older ones as somebody scrolls', async () => {
    const {link, inspector} = await site(1300)
    const page = await browser.open(link)
    await rows(page)
      .filter({hasText: /1.300[.]00/u})
      .waitFor()
    await foot(page)
      .getByText(/500 of 1.300 recorded calls/)
      .waitFor()
    const list = page.getByRole('listbox')
    await expect
      .poll(
        async () => {
          await list.evaluate(box => {
            box.scrollBy({top: -50})
            box.scrollTo({top: box.scrollHeight})
          })
          return foot(page).textContent()
        },
        {timeout: 60_000},
      )
      .toBe('1\u202f300 calls')
    // The last page may have come after the last scrolling.
    await list.evaluate(box => box.scrollTo({top: box.scrollHeight}))
    await rows(page).filter({hasText: 'EUR1.00'}).waitFor()
    inspector.onExchange(exchangeOf(9999, {at: NOON + 1}))
    await page.getByRole('button', {name: '1 new'}).waitFor()
    // Pages of a recording wait for the machine.
  }, 120_000)

  test('shows a call by its link, and the filter, also after a reload', async () => {
    const {
      link,
      page: at,
      events,
    } = await site(1300, number => ({
      amount: number,
      code: number % 650 === 10 ? '51' : '00',
    }))
    const page = await browser.open(link, {complaints: /404/})
    await rows(page).first().waitFor()
    await page.goto(`${at}#call=${events[9]}&q=code:51&show=declined`)
    await detail(page).getByText('insufficient funds').waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)
    expect(await page.getByRole('searchbox').inputValue()).toBe('code:51')
    await rows(page).first().click()
    await detail(page).getByText('"amount": 660').first().waitFor()
    expect(page.url()).toContain(`call=${events[659]}`)
    await page.reload()
    await detail(page).getByText('"amount": 660').first().waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('code:51')
    const [answer, request] = await Promise.all(
      ['Answer', 'Request'].map(name => detail(page).getByRole('heading', {name}).boundingBox()),
    )
    expect(answer?.y).toBeLessThan(request?.y ?? 0)
    await page.goto(`${at}#call=e_01JD8ZZZZZZZZZZZZZZZZZZZZZ`)
    await page.getByText('This call is not recorded, or no longer.').waitFor()
  })

  test('compares a replay with the call that it repeats, field by field, also after a reload', async () => {
    const {link, events} = await site(600, (number, [first = '']) =>
      number === 600 ? {id: replayId(first, '0123456789ab')} : {code: number === 1 ? '51' : '00'},
    )
    const page = await browser.open(link)
    await rows(page).first().click()
    const part = detail(page).locator('.then-and-now')
    await part.getByText('Declined then, approved now.').waitFor()
    const cells = await part.getByRole('row').allInnerTexts()
    expect(cells.map(text => text.replace(/\s+/g, ' ').trim())).toEqual([
      'Field Then Now',
      'decision≠ changed declined 51 approved',
      'status 200 200',
      'transactionData.authResponseCode.code≠ changed "51" "00"',
      'time 3 ms 3 ms',
    ])
    await page.reload()
    await part.getByText('Declined then, approved now.').waitFor()
    await part.getByRole('button', {name: 'Show the call of then'}).click()
    await detail(page).getByText('insufficient funds').waitFor()
    expect(page.url()).toContain(events[0])
    expect(await part.count()).toBe(0)
  })

  test('says what a mistake in the filter is', async () => {
    const {link} = await site(2)
    const page = await browser.open(link)
    await page.getByRole('searchbox').fill('outcome:aproved')
    await page.getByText('Outcome is one of approved, partial, declined').waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)
    expect(await page.getByRole('searchbox').getAttribute('aria-invalid')).toBe('true')
  })
})
