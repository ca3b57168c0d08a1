import {X509Certificate} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import {isIPv6} from 'node:net'
import type {TLSSocket} from 'node:tls'
import {openOutgoing} from '../../network/outgoing.ts'
import type {WebhookAuth} from '../credentials.ts'
import {isSecure} from './door.ts'

/**
 * Sends a call to the port that a request of the page came to, as the service would. Resolves when it is on its way: what
 * comes of it is told like that of every call.
 * @throws the system's error when the port doesn't take it.
 */
export function sendAgain(
  {socket}: Pick<IncomingMessage, 'socket'>,
  path: string,
  bytes: Buffer,
  auth: WebhookAuth | undefined,
): Promise<void> {
  const {localAddress = '', localPort} = socket
  const protocol = isSecure({socket} as IncomingMessage) ? 'https:' : 'http:'
  const url = new URL(
    `${protocol}//${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`,
  )
  // It is this process: its certificate is known, and made for other names than the address.
  const outgoing = openOutgoing(protocol, {tls: {pinned: ownCertificate(socket as TLSSocket)}})
  return new Promise((resolve, reject) => {
    const request = outgoing.request(url, {
      path,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': bytes.length,
        ...(auth ? {authorization: authorization(auth)} : {}),
      },
    })
    request.on('finish', resolve)
    request.on('error', reject)
    request.on('response', response => response.resume())
    request.end(bytes)
  })
}

/** What a TLS server shows over this connection of its own. */
function ownCertificate(socket: Partial<TLSSocket>): string | undefined {
  const certificate = socket.getCertificate?.()
  if (!certificate || !('raw' in certificate)) return undefined
  return new X509Certificate(certificate.raw).toString()
}

function authorization(auth: WebhookAuth): string {
  if (auth.type === 'bearer') return `Bearer ${auth.token.open()}`
  return `Basic ${Buffer.from(`${auth.user}:${auth.password.open()}`, 'utf8').toString('base64')}`
}
