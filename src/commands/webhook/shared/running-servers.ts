import {readFileSync} from 'node:fs'
import type {Context} from '../../../cli/context.ts'
import {processSurroundings} from '../../../journal/journal-options.ts'
import {openOutgoing} from '../../../network/outgoing.ts'
import {pageAt, type Recording} from '../../../webhook/index.ts'
import {linkFor, type PageKey} from './inspector.ts'

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
    servers.map(async server =>
      (await hasPage(server, pageAt(key.place)))
        ? [{server: server.url, link: linkFor(server.url, key)}]
        : [],
    ),
  )
  return links.flat()
}

/** Whether a server has the page: at its path, which others don't know. */
function hasPage({url, ca}: {readonly url: string; readonly ca?: string | undefined}, path: string) {
  const at = new URL(path, url)
  if (at.hostname === '0.0.0.0') at.hostname = '127.0.0.1'
  if (at.hostname === '[::]') at.hostname = '[::1]'
  return new Promise<boolean>(resolve => {
    const tls = ca === undefined ? {} : {ca: readFileSync(ca, 'utf8')}
    const outgoing = openOutgoing(at.protocol, {tls})
    const sent = outgoing.request(at, {timeout: 2000})
    sent.on('response', response => {
      resolve(response.statusCode === 200)
      outgoing.close()
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve(false))
    sent.end()
  })
}
