import type {Dispatcher} from 'undici'
import {Failure} from '../errors/failure.ts'
import {isLoopback} from '../sensitive/loopback.ts'
import {isProxyRefusal, ProxyFault} from './network-fault.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A proxy that the environment names. */
export interface Proxy {
  readonly url: string
  /** How errors name it: `127.0.0.1:3128 (HTTPS_PROXY)`, without the credentials that its address may hold. */
  readonly words: string
}

/** @throws Failure PROFILE_INVALID for an address that is none. */
export function proxyFor(protocol: string, env: Env): Proxy | undefined {
  const upper = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
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

/** How an address is reached. */
export interface WayTo {
  readonly proxy?: Proxy | undefined
  /** Why there is no proxy, in words. */
  readonly direct?: string | undefined
}

/** @throws Failure PROFILE_INVALID for the address of a proxy that is none. */
export function wayTo(origin: string, env: Env): WayTo {
  const {protocol, hostname, port} = new URL(origin)
  // This machine is never reached through a proxy, which would look for itself.
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
 * Whether NO_PROXY names a host: by name, as a part of its domain, with or without a port; `*.example` leaves out
 * `example` itself, `*` takes all.
 */
function isExcepted(host: string, port: number, list: string): boolean {
  return list.split(/[,\s]+/).some(entry => {
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

interface ProxyOptions {
  readonly protocol: string
  readonly requestTls: Record<string, unknown>
  readonly proxyTls: Record<string, unknown>
}

/** Connections by way of a proxy, whose own faults end as a ProxyFault that names it. */
export async function proxyAgent(
  proxy: Proxy,
  common: Record<string, unknown>,
  {protocol, requestTls, proxyTls}: ProxyOptions,
): Promise<Dispatcher> {
  // Loaded on first use: through a proxy undici needs nearly all of itself.
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
    // Empty texts, because undici reads process.env where these are undefined; a proxy for http: is none for https:.
    httpProxy: protocol === 'http:' ? proxy.url : '',
    httpsProxy: protocol === 'https:' ? proxy.url : '',
    // Who is reached without it was decided before: see wayTo.
    noProxy: '',
    requestTls,
    proxyTls,
    // The connection to the proxy, which CONNECT is sent on …
    clientFactory: (url: URL, options: object) => new Pool(url, withConnect(options)),
    // … or a forwarded request; any other origin is a service behind it, or beside it.
    factory: (origin: string | URL, options: object) =>
      new Pool(origin, String(origin) === proxy.url ? withConnect(options) : options),
  } as object)
  return agent.compose(dispatch => (options, handler) => dispatch(options, new Blaming(handler)))

  function withConnect(options: object): object {
    const {connect} = options as {connect: Connector}
    return {...options, connect: blaming(connect)}
  }
}
