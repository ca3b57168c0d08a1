import type {Dispatcher} from 'undici'
import {Failure} from '../errors/failure.ts'
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

interface ProxyOptions {
  readonly protocol: string
  readonly noProxy: string
  readonly requestTls: Record<string, unknown>
  readonly proxyTls: Record<string, unknown>
}

/** Connections by way of a proxy, whose own faults end as a ProxyFault that names it. */
export async function proxyAgent(
  proxy: Proxy,
  common: Record<string, unknown>,
  {protocol, noProxy, requestTls, proxyTls}: ProxyOptions,
): Promise<Dispatcher> {
  // A door: through a proxy undici needs nearly all of itself.
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
    noProxy,
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
