import {createHmac} from 'node:crypto'
import {pageAt} from '../../../src/webhook/index.ts'

export const PLACE = 'the-place'
export const KEY = 'the-key'

/** The page of the tests' inspectors on a server, without its key and with it. */
export function linksOf(url: string): {readonly page: string; readonly link: string} {
  const page = new URL(pageAt(PLACE), url).href
  return {page, link: `${page}#key=${KEY}`}
}

/** What a page that was loaded from an origin sends to show that it has the key. */
export const proofOf = (origin: string, {key = KEY, epoch = 'first'} = {}): string =>
  createHmac('sha256', key).update(`${epoch} ${origin}`).digest('base64url')
