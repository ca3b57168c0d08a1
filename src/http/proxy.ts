import {BlockList, isIP} from 'node:net'
import type {Dispatcher} from 'undici'
import {Failure} from '../errors/failure.ts'
import {isLoopback} from '../network/loopback.ts'
import {isProxyRefusal, ProxyFault} from './network-fault.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A proxy from the environment. */
export interface Proxy {
  readonly url: string
  /** Its name in errors: `127.0.0.1:3128 (HTTPS_PROXY)`, without the credentials that its URL may hold. */
  readonly words: string
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
  return {url: parsed.href, words: `${parsed.host} (${name})`}
}

/** How a URL is reached. */
export interface Route {
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
export async function proxyAgent(
  proxy: Proxy,
  common: Record<string, unknown>,
  {protocol, requestTls, proxyTls}: ProxyOptions,
): Promise<Dispatcher> {
  // Loaded on first use: through a proxy, undici needs nearly all of its parts.
  const {DecoratorHandler, EnvHttpProxyAgent, Pool} = await import('undici')
  type Connector = (options: unknown, callback: (...args: unknown[]) => void) => void
  const blame = (error: Error): Error => new ProxyFault(proxy.words, error)
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
