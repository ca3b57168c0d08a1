import {type AgentOptions, type ClientRequest, Agent as HttpAgent, request as httpRequest} from 'node:http'
import {Agent as HttpsAgent, request as httpsRequest, type RequestOptions} from 'node:https'
import type {PeerCertificate} from 'node:tls'
import type {Secret} from '../sensitive/secret.ts'

/** Whom to trust over TLS, and who we are. PEM. */
export interface OutgoingTls {
  /** Trust these authorities in place of Node's own list. */
  readonly ca?: string | undefined
  /** Trust exactly this certificate, whatever host it names. */
  readonly pinned?: string | undefined
  /** Our own certificate and its key, for an endpoint that asks for one. */
  readonly cert?: string | undefined
  readonly key?: Secret | undefined
}

/** Connections to one address. */
export interface Outgoing {
  /** As `request` of node:https, over these connections. */
  request(url: URL, options: Omit<RequestOptions, 'agent' | 'rejectUnauthorized'>): ClientRequest
  /** Cuts what is open. */
  close(): void
}

/**
 * The only way from node:http(s) to another program: over TLS the certificate is always checked.
 * NODE_TLS_REJECT_UNAUTHORIZED=0 in somebody's environment must not switch that off, since credentials travel here.
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

/** The certificate may be signed by somebody: it is trusted by itself, and nothing else that its signer made. */
function pinning(pinned: string) {
  return {
    ca: pinned,
    allowPartialTrustChain: true,
    checkServerIdentity: (_host: string, {raw}: PeerCertificate) =>
      raw.equals(derOf(pinned)) ? undefined : new Error('another certificate than the pinned one'),
  }
}

const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')
