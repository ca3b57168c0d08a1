import {advice, type Hint} from '../../errors/advice.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {maskSaid} from '../../sensitive/mask-encoded.ts'

export type Query = Record<string, unknown>

/** Why the next page can't be read although there is one. */
export interface Stuck {
  readonly reason: 'NEXT_UNKNOWN' | 'OTHER_ORIGIN' | 'OTHER_PATH' | 'TOTAL_PASSED' | 'TOTAL_MISSED'
  readonly message: string
  readonly hint: Hint
}

/** The link with the relation `next` in a Link header (RFC 8288). */
export function nextInLinkHeader(header: string): string | undefined {
  const links = /<([^>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^",;\s]+))?)*)/g
  for (const [, link = '', parameters = ''] of header.matchAll(links)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^",;\s]+))/i.exec(parameters)
    const names = (relations?.[1] ?? relations?.[2] ?? '').toLowerCase().split(/\s+/)
    if (names.includes('next')) return link
  }
  return undefined
}

/** Whether a text is a link, though its name doesn't say so: a cursor may begin with a slash too. */
export const looksLikeLink = (text: string): boolean =>
  /^https?:\/\//i.test(text) || /^(?:\/|\?)[^\s]*\?|^\?|^\/[\w-]+(?:\/[\w.~-]+)*\/?$/.test(text)

/**
 * The query of the next page, from a link. The link must lead to the address of this page, because the request carries
 * the credentials of the profile: same host, and the same last word of the path, as a gateway may hide the others.
 *
 * @param here the URL of this page.
 */
export function followed(link: string, here: URL, query: Query): {next: Query} | {stuck: Stuck} {
  let to: URL
  try {
    to = new URL(link, here)
  } catch {
    return {
      stuck: {
        reason: 'NEXT_UNKNOWN',
        message: 'The response has a link to the next page that is no URL.',
        hint: 'Report this to the service.',
      },
    }
  }
  if (!isSameHost(to, here)) {
    return {
      stuck: {
        reason: 'OTHER_ORIGIN',
        message: `The next page is at ${maskSaid(to.origin)}, which is not the address of the profile, so it was not read.`,
        hint: advice`The credentials of the profile go to its own address only. If the service is there now: ${cardctl('profiles', 'edit', {value: 'NAME'}, '--base-url', {value: 'URL'})}`,
      },
    }
  }
  if (lastWord(to) !== lastWord(here)) {
    return {
      stuck: {
        reason: 'OTHER_PATH',
        message: `The next page is at another path, ${maskSaid(to.pathname)}, so it was not read.`,
        hint: advice`Read it with: ${cardctl('api', 'get', {value: 'PATH'})}`,
      },
    }
  }
  return {next: {...query, ...queryOf(to)}}
}

/** A proxy that ends TLS may leave the service with links to http. Requests go to the address of the profile anyway. */
const isSameHost = (to: URL, here: URL): boolean =>
  to.origin === here.origin ||
  (/^https?:$/.test(to.protocol) && to.hostname === here.hostname && to.port === '' && here.port === '')

const lastWord = ({pathname}: URL): string => pathname.replace(/\/+$/, '').split('/').at(-1) ?? ''

function queryOf({searchParams}: URL): Query {
  const query: Query = {}
  for (const name of new Set(searchParams.keys())) {
    const values = searchParams.getAll(name)
    query[name] = values.length === 1 ? values[0] : values
  }
  return query
}
