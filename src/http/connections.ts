import {BlockList, isIP} from 'node:net'
import {createSecureContext} from 'node:tls'
import type {Dispatcher} from 'undici'
import {Failure} from '../errors/failure.ts'
import {isLoopback} from '../network/check-url.ts'
import type {TargetTls} from '../profiles/target.ts'
import {isProxyRefusal, ProxyFault} from './network-fault.ts'
import {authoritiesOf} from './request-parts.ts'

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

/** A proxy from the environment. */
interface Proxy {
  readonly url: string
  /** Its name in errors: `127.0.0.1:3128 (HTTPS_PROXY)`, without the credentials that its URL may hold. */
  readonly words: string
  /** Its URL has a user and a password. */
  readonly hasCredential: boolean
}

/** @throws Failure PROFILE_INVALID for an invalid URL. */
export function proxyFor(protocol: string, env: Env): Proxy | undefined {
  const own = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  return proxyIn(own, env) ?? proxyIn('ALL_PROXY', env)
}

function proxyIn(upper: string, env: Env): Proxy | undefined {
  const lower = upper.toLowerCase()
  const name = env[lower] === undefined ? upper : lower
  const value = (env[name] ?? '').trim()
  if (value === '') return undefined
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new Failure('PROFILE_INVALID', {
      message: `The proxy address in ${name} is not an http: or https: URL.`,
      hint: `Correct or unset ${name}.`,
      effect: 'none',
    })
  }
  return {url: parsed.href, words: `${parsed.host} (${name})`, hasCredential: parsed.username !== ''}
}

/** How a URL is reached. */
interface Route {
  readonly proxy?: Proxy | undefined
  /** Why there is no proxy, in words. */
  readonly direct?: string | undefined
}

/** @throws Failure PROFILE_INVALID for an invalid proxy URL. */
export function routeTo(origin: string, env: Env): Route {
  const {protocol, hostname, port} = new URL(origin)
  // Never reach this machine through a proxy: the proxy would connect to itself.
  if (isLoopback(hostname)) return {direct: 'the address is on this machine'}
  const host = hostname.replace(/^\[(.+)\]$/, '$1').replace(/(.)\.$/, '$1')
  const proxy = proxyFor(protocol, env)
  if (proxy === undefined) {
    return {direct: `${protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'} is not set`}
  }
  const excepted = env.no_proxy ?? env.NO_PROXY ?? ''
  return isExcepted(host, Number(port) || (protocol === 'https:' ? 443 : 80), excepted)
    ? {direct: 'NO_PROXY excepts the address'}
    : {proxy}
}

/**
 * Whether NO_PROXY names a host: by name or as part of its domain, with or without a port, or by a range of addresses
 * (`10.0.0.0/8`, `[fd00::]/8`), which never includes a name. `*.example` doesn't include `example` itself; `*` includes
 * everything.
 */
function isExcepted(host: string, port: number, list: string): boolean {
  return list.split(/[,\s]+/).some(entry => {
    const [, net, bits] = /^\[?([\da-f:.]+)\]?\/(\d{1,3})$/i.exec(entry) ?? []
    if (net !== undefined) return isInRange(host, net, Number(bits))
    const [, bracketed, ofBracketed, plain, ofPlain] =
      /^(?:\[([^\]]+)\](?::(\d+))?|([^:]+)(?::(\d+))?)$/.exec(entry) ?? []
    const onlyPort = ofBracketed ?? ofPlain
    const name = (bracketed ?? plain ?? entry).toLowerCase().replace(/(.)\.$/, '$1')
    if (name === '' || (onlyPort !== undefined && Number(onlyPort) !== port)) return false
    if (name === '*') return true
    const domain = name.replace(/^\*?\./, '')
    const isWildcard = name.startsWith('*.')
    return (!isWildcard && host === domain) || host.endsWith(`.${domain}`)
  })
}

function isInRange(host: string, net: string, bits: number): boolean {
  const family = isIP(net)
  if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false
  const range = new BlockList()
  const name = family === 4 ? 'ipv4' : 'ipv6'
  range.addSubnet(net, bits, name)
  return range.check(host, name)
}

interface ProxyOptions {
  readonly protocol: string
  readonly requestTls: Record<string, unknown>
  readonly proxyTls: Record<string, unknown>
}

/** Connections through a proxy. Its own faults end as a ProxyFault that names it. */
async function proxyAgent(
  proxy: Proxy,
  common: Record<string, unknown>,
  {protocol, requestTls, proxyTls}: ProxyOptions,
): Promise<Dispatcher> {
  // Loaded on first use: through a proxy, undici needs nearly all of its parts.
  const {DecoratorHandler, EnvHttpProxyAgent, Pool} = await import('undici')
  type Connector = (options: unknown, callback: (...args: unknown[]) => void) => void
  const blame = (error: Error): Error => new ProxyFault(proxy, error)
  const blaming =
    (connect: Connector): Connector =>
    (options, callback) => {
      try {
        connect(options, (error, socket) => callback(error instanceof Error ? blame(error) : error, socket))
      } catch (error) {
        callback(error instanceof Error ? blame(error) : error, null)
      }
    }

  class Blaming extends DecoratorHandler {
    readonly #handler: Dispatcher.DispatchHandler

    constructor(handler: Dispatcher.DispatchHandler) {
      super(handler)
      this.#handler = handler
    }

    onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
      this.#handler.onResponseError?.(controller, isProxyRefusal(error) ? blame(error) : error)
    }
  }

  const agent = new EnvHttpProxyAgent({
    ...common,
    // Empty texts, because undici reads process.env if these are undefined. A proxy for http: is not used for https:.
    httpProxy: protocol === 'http:' ? proxy.url : '',
    httpsProxy: protocol === 'https:' ? proxy.url : '',
    // routeTo has already decided which hosts are reached without it.
    noProxy: '',
    requestTls,
    proxyTls,
    // The connection to the proxy that carries CONNECT …
    clientFactory: (url: URL, options: object) => new Pool(url, withConnect(options)),
    // … or a forwarded request. Any other origin is a service behind the proxy or beside it.
    factory: (origin: string | URL, options: object) =>
      new Pool(origin, String(origin) === proxy.url ? withConnect(options) : options),
  } as object)
  return agent.compose(dispatch => (options, handler) => dispatch(options, new Blaming(handler)))

  function withConnect(options: object): object {
    const {connect} = options as {connect: Connector}
    return {...options, connect: blaming(connect)}
  }
}
