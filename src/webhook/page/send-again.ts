import {request as httpRequest, type IncomingMessage} from 'node:http'
import {request as httpsRequest} from 'node:https'
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
  const secure = isSecure({socket} as IncomingMessage)
  const send = secure ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = send({
      host: socket.localAddress,
      port: socket.localPort,
      path,
      method: 'POST',
      agent: false,
      // It is this process: its certificate is made for other names than the address.
      ...(secure ? {rejectUnauthorized: false} : {}),
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

function authorization(auth: WebhookAuth): string {
  if (auth.type === 'bearer') return `Bearer ${auth.token.open()}`
  return `Basic ${Buffer.from(`${auth.user}:${auth.password.open()}`, 'utf8').toString('base64')}`
}
