import {createHash, timingSafeEqual} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import type {Secret} from '../../sensitive/secret.ts'

/** A browser that stays open needs no new link for so long; a server that ends takes its sessions along. */
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

  /** The cookie for who brings the token, the first time; undefined for everybody else. */
  signIn(token: string, request: IncomingMessage): string | undefined {
    if (!same(token, this.#token) || this.#used) return undefined
    this.#used = true
    // Browsers don't tell ports of a host apart: the name holds ours, and the path keeps it from other local servers.
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

/** Compares digests, so that the time tells nothing of how much was right. */
const same = (given: string, secret: Secret): boolean => timingSafeEqual(digest(given), digest(secret.open()))
