// A page for others shows each of its columns: on a phone, a tablet, a desk and on a sheet of A4.
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {hasChromium, useBrowser} from '../webhook/page/browser.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

/** What is between the margins of A4, in CSS pixels. */
const PAPER = 703

const LINK = `https://tickets.example.com/servicedesk/customer/portal/4/requests/SUP-1?comment=${'1849302'.repeat(9)}`

const open = hasChromium ? useBrowser().open : undefined

test.runIf(open).each([
  ['screen', 375],
  ['screen', 820],
  ['screen', 1280],
  ['print', PAPER],
] as const)('a shift with long notes and keys: %s, %i pixels wide', async (media, width) => {
  const limit = (account: string, note: string) =>
    home.run(['accounts', 'limit', account, '7000', '--type', 'credit', '--ticket', 'SUP-1', '--note', note])
  await limit('2001', LINK)
  await limit('9999', 'an ordinary note of some words, asked for by phone')
  const [signed, page] = [join(home.folder, 'signed.json'), join(home.folder, 'shift.html')]
  await home.json(['report', 'shift', '--signed', signed])
  await home.json(['report', 'shift', '--with', signed, '--html', page])
  const shown = await open?.(pathToFileURL(page).href, {viewport: {width, height: 900}})
  await shown?.emulateMedia({media})
  expect(await shown?.evaluate<string[]>(CUT)).toEqual([])
  expect(await shown?.getByText('refused', {exact: true}).count()).toBe(2)
})

/** What is wider than its place, or begins or ends beside the page. */
const CUT = `[...document.querySelectorAll('body, body *')].filter(element => {
  const {left, right} = element.getBoundingClientRect()
  return left < 0 || right > innerWidth || (getComputedStyle(element).display !== 'inline' && element.scrollWidth > element.clientWidth + 1)
}).map(element => element.tagName + ': ' + element.textContent.slice(0, 60))`
