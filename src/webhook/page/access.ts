import {createHash, createHmac, timingSafeEqual} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import type {Secret} from '../../sensitive/secret.ts'
import {PROOF_HEADER, provenText} from './wire.ts'

/**
 * Lets pages in that have the key of the link. A page never sends the key: it proves that it has it, for this run of the
 * server and for the address that it was loaded from. So a proof is of no use to another program, even to one that takes
 * the port while the server is away. A cookie would go to every port of this machine.
 */
export class Access {
  readonly #key: Secret
  readonly #epoch: string

  constructor({key, epoch}: {readonly key: Secret; readonly epoch: string}) {
    this.#key = key
    this.#epoch = epoch
  }

  /** @param query the proof of a stream, which can have no header. */
  admits(request: IncomingMessage, query: URLSearchParams): boolean {
    const header = request.headers[PROOF_HEADER]
    const given = typeof header === 'string' ? header : (query.get('proof') ?? '')
    const text = provenText(this.#epoch, originOf(request))
    const proof = createHmac('sha256', this.#key.open()).update(text).digest('base64url')
    return timingSafeEqual(digest(given), digest(proof))
  }
}

/** The origin of the page, as its browser has it. */
export const originOf = (request: IncomingMessage): string =>
  URL.parse(`${isSecure(request) ? 'https' : 'http'}://${request.headers.host ?? ''}`)?.origin ?? ''

/** Whether the request came over TLS. */
export const isSecure = ({socket}: Pick<IncomingMessage, 'socket'>): boolean => 'encrypted' in socket

/** Compares digests, so that the time doesn't show how many characters were right. */
const digest = (text: string) => createHash('sha256').update(text).digest()
