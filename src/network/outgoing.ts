import {type AgentOptions, type ClientRequest, Agent as HttpAgent, request as httpRequest} from 'node:http'
import {Agent as HttpsAgent, request as httpsRequest, type RequestOptions} from 'node:https'
import type {PeerCertificate} from 'node:tls'
import type {Secret} from '../sensitive/secret.ts'

/** Trusted certificates, and our own. PEM. */
export interface OutgoingTls {
  /** Trust these authorities in place of Node's own list. */
  readonly ca?: string | undefined
  /** Trust exactly this certificate, whatever host it names. */
  readonly pinned?: string | undefined
  /** Our certificate and its key, for an endpoint that asks for one. */
  readonly cert?: string | undefined
  readonly key?: Secret | undefined
}

/** Connections to one URL. */
export interface Outgoing {
  /** Like `request` of node:https, over these connections. */
  request(url: URL, options: Omit<RequestOptions, 'agent' | 'rejectUnauthorized'>): ClientRequest
  /** Closes open connections immediately. */
  close(): void
}

/**
 * The only way from node:http(s) to another program. With TLS, the certificate is always checked:
 * NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment must not disable that, because credentials go this way.
 */
export function openOutgoing(
  protocol: string,
  {tls = {}, ...kept}: AgentOptions & {readonly tls?: OutgoingTls | undefined} = {},
): Outgoing {
  const isSecure = protocol === 'https:'
  const agent = isSecure
    ? new HttpsAgent({...kept, ...trusting(tls), rejectUnauthorized: true})
    : new HttpAgent(kept)
  const send = isSecure ? httpsRequest : httpRequest
  return {
    request: (url, options) => send(url, {...options, agent}),
    close: () => agent.destroy(),
  }
}

function trusting({ca, pinned, cert, key}: OutgoingTls) {
  return {
    ...(ca === undefined ? {} : {ca}),
    ...(pinned === undefined ? {} : pinning(pinned)),
    ...(cert === undefined ? {} : {cert}),
    ...(key && {key: key.open()}),
  }
}

/** The pinned certificate needs no trusted issuer. Other certificates of its issuer aren't trusted. */
function pinning(pinned: string) {
  return {
    ca: pinned,
    allowPartialTrustChain: true,
    checkServerIdentity: (_host: string, {raw}: PeerCertificate) =>
      raw.equals(derOf(pinned)) ? undefined : new Error('another certificate than the pinned one'),
  }
}

const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')
