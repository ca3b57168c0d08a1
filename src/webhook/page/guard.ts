import type {IncomingMessage} from 'node:http'
import {isSecure} from './door.ts'
import {POST_HEADER} from './wire.ts'

/**
 * Why a request for the page comes from the wrong place, as a sentence without a full stop; undefined for nothing. The
 * page is for browsers on this machine, which call it by a name of this machine: a name of the net that leads here (DNS
 * rebinding) is refused.
 */
export function strangerReason(request: IncomingMessage): string | undefined {
  if (!isThisMachine(request.socket.remoteAddress ?? '')) return 'the page is for browsers on this machine'
  const {host = ''} = request.headers
  if (!hostsOf(request).includes(host.toLowerCase())) return 'the page is not called by this name'
  return undefined
}

/** Why a request that changes something, or reads what calls hold, is not the page's own. */
export function crossSiteReason(request: IncomingMessage): string | undefined {
  const {headers, method} = request
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return 'another site asks'
  if (method !== 'POST') return undefined
  if (headers.origin !== `${isSecure(request) ? 'https' : 'http'}://${headers.host}`)
    return 'another site asks'
  if (headers['content-type'] !== 'application/json' || headers[POST_HEADER] !== '1')
    return 'the page does not ask like that'
  return undefined
}

function hostsOf(request: IncomingMessage): readonly string[] {
  const port = request.socket.localPort
  const isDefault = port === (isSecure(request) ? 443 : 80)
  const names = ['127.0.0.1', 'localhost', '[::1]']
  return names.flatMap(name => [`${name}:${port}`, ...(isDefault ? [name] : [])])
}

const isThisMachine = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address)
