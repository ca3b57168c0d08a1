import {createSecureContext} from 'node:tls'
import type {Dispatcher} from 'undici'
import {Failure} from '../errors/failure.ts'
import type {TargetTls} from '../profiles/target.ts'
import {authoritiesOf} from './base-url.ts'
import {proxyAgent, proxyFor, routeTo} from './proxy.ts'

/** Give up on a host that doesn't respond at all after this time, within the deadline. Milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000
/** More than any run needs, fewer than would look like an attack. */
const MAX_CONNECTIONS = 128

type Env = Readonly<Record<string, string | undefined>>

/** The connections of one sender, opened and kept alive as needed. */
export interface Connections {
  /**
   * The dispatcher for an origin, by a Unix socket if one is given. The client certificate is shown only on request.
   *
   * @throws Failure PROFILE_INVALID for a certificate, key or proxy address that can't be used.
   */
  to(
    origin: string,
    options: {readonly clientCertificate: boolean; readonly socket?: string | undefined},
  ): Promise<Dispatcher>
  close(): Promise<void>
}

interface TlsOptions {
  ca?: string[]
  cert?: string
  key?: string
}

function usable(options: TlsOptions, what: string): void {
  try {
    createSecureContext(options)
  } catch {
    // OpenSSL's own message may quote the file.
    throw new Failure('PROFILE_INVALID', {
      message: `${what} of the profile cannot be used: not valid PEM, or not matching.`,
      effect: 'none',
    })
  }
}

async function tlsOptions(tls: TargetTls, clientCertificate: boolean): Promise<TlsOptions> {
  const options: TlsOptions = {}
  const authorities = authoritiesOf(tls)
  if (tls.ca !== undefined && authorities !== undefined) {
    options.ca = authorities
    usable({ca: [tls.ca]}, 'The CA certificate')
    if (!tls.ca.includes('-----BEGIN CERTIFICATE-----')) {
      throw new Failure('PROFILE_INVALID', {
        message: 'The CA certificate of the profile contains no PEM certificate.',
        effect: 'none',
      })
    }
  }
  if (clientCertificate && tls.cert !== undefined && tls.key !== undefined) {
    options.cert = tls.cert
    options.key = (await tls.key()).open()
    usable({cert: options.cert, key: options.key}, 'The client certificate or its key')
  }
  return options
}

/** Connections with the TLS of the target and the proxy of the environment, opened on first use. */
export function createConnections(tls: TargetTls, env: Env): Connections {
  const agents = new Map<string, Promise<Dispatcher>>()
  /** The keys of agents, by origin: a run asks for the same one thousands of times. */
  const keys = new Map<string, string>()

  async function open(
    protocol: string,
    clientCertificate: boolean,
    proxied: boolean,
    socketPath: string | undefined,
  ): Promise<Dispatcher> {
    const own = await tlsOptions(tls, clientCertificate)
    // NODE_TLS_REJECT_UNAUTHORIZED must not disable the check silently.
    const shared = {rejectUnauthorized: true, allowH2: false}
    const proxy = proxied ? proxyFor(protocol, env) : undefined
    const options = {
      connectTimeout: CONNECT_TIMEOUT_MS,
      connections: MAX_CONNECTIONS,
      allowH2: false,
      connect: {...shared, ...own, ...(socketPath === undefined ? {} : {socketPath})},
    }
    if (proxy === undefined) {
      // Loaded on first use: the embedded sandbox needs nothing of undici's network side.
      const {default: Agent} = await import('undici/lib/dispatcher/agent.js')
      return new Agent(options)
    }
    return proxyAgent(proxy, options, {
      protocol,
      requestTls: {...shared, ...own},
      proxyTls: {...shared, ...(own.ca ? {ca: own.ca} : {})},
    })
  }

  return {
    async to(origin, {clientCertificate, socket}) {
      const asked = `${clientCertificate} ${origin} ${socket}`
      const known = agents.get(keys.get(asked) ?? '')
      if (known !== undefined) return known
      const {protocol} = new URL(origin)
      const proxied = routeTo(origin, env).proxy !== undefined
      const key = `${protocol} ${clientCertificate} ${proxied} ${socket}`
      const agent = agents.get(key) ?? open(protocol, clientCertificate, proxied, socket)
      agents.set(key, agent)
      keys.set(asked, key)
      return agent
    },
    async close() {
      const open = [...agents.values()]
      agents.clear()
      // destroy, not close: an abandoned attempt may still wait for a connection.
      await Promise.allSettled(open.map(async agent => (await agent).destroy()))
    },
  }
}
