import {readFile} from 'node:fs/promises'
import type {Context} from '../../../cli/context.ts'
import {processSurroundings} from '../../../journal/journal-options.ts'
import {openOutgoing} from '../../../network/outgoing.ts'
import type {Recording} from '../../../webhook/index.ts'
import {linkFor, type PageKey, pageUrl} from './inspector.ts'

/** The servers that run and record, the latest first. */
export function runningServers({surroundings}: Context, recording: Recording) {
  const {isAlive} = processSurroundings(surroundings.now)
  return recording.servers().filter(({process: {pid, mark}}) => isAlive(pid, mark) === true)
}

export interface ServerLink {
  readonly server: string
  readonly link: string
}

/** The links of those that have an inspector page. */
export async function linksOfServers(
  servers: ReturnType<typeof runningServers>,
  key: PageKey,
): Promise<readonly ServerLink[]> {
  const links = await Promise.all(
    servers.map(async ({url, ca}) =>
      // A server whose certificate is gone can't be asked.
      (await hasPage(pageUrl(url, key), ca).catch(() => false))
        ? [{server: url, link: linkFor(url, key)}]
        : [],
    ),
  )
  return links.flat()
}

/** Whether a server has the page: at its path, which others don't know. */
async function hasPage(page: URL, ca: string | undefined): Promise<boolean> {
  const tls = ca === undefined ? {} : {ca: await readFile(ca, 'utf8')}
  const outgoing = openOutgoing(page.protocol, {tls})
  try {
    return await new Promise((resolve, reject) => {
      const sent = outgoing.request(page, {timeout: 2000})
      sent.on('response', ({statusCode}) => resolve(statusCode === 200))
      sent.on('timeout', () => sent.destroy())
      sent.on('error', reject)
      sent.end()
    })
  } finally {
    outgoing.close()
  }
}
