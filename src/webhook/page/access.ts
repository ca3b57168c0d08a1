import {createHash, timingSafeEqual} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import type {Secret} from '../../sensitive/secret.ts'

/** How long a browser that stays open needs no new link. Sessions end with the server. */
const SESSION_SECONDS = 24 * 60 * 60

/** Lets one browser in: the token of the link works once and is exchanged for a cookie. */
export class Access {
  readonly #token: Secret
  readonly #session: Secret
  #used = false

  constructor({token, session}: {token: Secret; session: Secret}) {
    this.#token = token
    this.#session = session
  }

  /** The cookie for the first request with the token; undefined for all others. */
  signIn(token: string, request: IncomingMessage): string | undefined {
    if (!same(token, this.#token) || this.#used) return undefined
    this.#used = true
    // Browsers share cookies between the ports of a host. The name has our port, and the path keeps it from other servers.
    const secure = isSecure(request) ? '; Secure' : ''
    return `${cookieName(request)}=${this.#session.open()}; Path=/_inspect/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Strict${secure}`
  }

  admits(request: IncomingMessage): boolean {
    const name = cookieName(request)
    const cookies = (request.headers.cookie ?? '').split(';').map(cookie => cookie.trim().split('='))
    return cookies.some(([key, value]) => key === name && same(value ?? '', this.#session))
  }
}

/** Whether the request came over TLS. */
export const isSecure = ({socket}: IncomingMessage): boolean => 'encrypted' in socket

const cookieName = ({socket}: IncomingMessage): string => `cardctl_${socket.localPort}`

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares digests, so that the time doesn't show how many characters were right. */
const same = (given: string, secret: Secret): boolean => timingSafeEqual(digest(given), digest(secret.open()))
