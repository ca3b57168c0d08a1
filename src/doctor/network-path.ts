import {lookup} from 'node:dns/promises'
import {request as httpRequest} from 'node:http'
import {request as httpsRequest} from 'node:https'
import {connect, isIP, type Socket} from 'node:net'
import type {Hint} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import type {ErrorCode} from '../errors/registry.ts'
import {broken, type Finding, fine} from './finding.ts'

/** A proxy between this machine and a host. */
export interface ProxyInUse {
  readonly url: string
  /** Host, port and variable. Leaves out the credentials that the proxy's URL may hold. */
  readonly words: string
}

/** A host that requests go to, and the way there. */
export interface NetworkPath {
  readonly url: URL
  readonly proxy?: ProxyInUse | undefined
  /** Why there is no proxy: `no proxy is set`, `NO_PROXY excepts it`. */
  readonly direct?: string | undefined
}

export interface NetworkOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Classifies a network error. */
  faultOf(error: Error): {readonly code: ErrorCode; readonly reason: string}
}

/** Where to open the connection: the proxy if there is one, else the host. */
export function firstHop({url, proxy}: NetworkPath): {host: string; port: number} {
  const hop = proxy === undefined ? url : new URL(proxy.url)
  const port = Number(hop.port) || (hop.protocol === 'https:' ? 443 : 80)
  return {host: hop.hostname.replace(/^\[(.+)\]$/, '$1'), port}
}

export function proxyFinding({url, proxy, direct = ''}: NetworkPath): Finding {
  const facts = {host: url.host, proxy: proxy?.words ?? null}
  return proxy === undefined ? fine(`none: ${direct}`, {facts}) : fine(`by way of ${proxy.words}`, {facts})
}

/**
 * Checks whether the name resolves. With a proxy, only the proxy's own name is checked, because the proxy resolves the
 * host.
 */
export async function nameFinding(way: NetworkPath, options: NetworkOptions): Promise<Finding> {
  const {host} = firstHop(way)
  const whose = way.proxy === undefined ? host : `the proxy ${host}`
  if (isIP(host) !== 0) return fine(`${whose} is an address, nothing to look up`, {facts: {host}})
  try {
    const found = await within(options, lookup(host, {all: true}))
    const addresses = found.map(({address}) => address)
    return fine(`${whose} is ${addresses.slice(0, 3).join(', ')}${addresses.length > 3 ? ' …' : ''}`, {
      facts: {host, addresses},
    })
  } catch (error) {
    const fault = faultOf(error, options)
    return broken(
      fault.code,
      `${whose}: ${fault.reason}`,
      'Check the spelling of the address, and the name servers of this machine (VPN?).',
      {facts: {host}},
    )
  }
}

/** Checks whether something listens at the port. Sends nothing. */
export async function connectionFinding(way: NetworkPath, options: NetworkOptions): Promise<Finding> {
  const {host, port} = firstHop(way)
  const facts = {host, port}
  try {
    const socket = await openSocket(host, port, options)
    socket.destroy()
    return fine(`port ${port} of ${way.proxy === undefined ? host : `the proxy ${host}`} responds`, {facts})
  } catch (error) {
    const {code, reason} = faultOf(error, options)
    const advice =
      code === 'TIMED_OUT'
        ? 'A firewall may drop the packets: ask who runs it, or connect to the VPN.'
        : 'Check host and port of the address, and whether the service runs.'
    return broken(code, `${host}, port ${port}: ${reason}`, advice, {facts})
  }
}

/** Opens a connection to the host, through the proxy's tunnel if there is one. */
export async function socketTo(way: NetworkPath, options: NetworkOptions): Promise<Socket> {
  if (way.proxy === undefined) {
    const {host, port} = firstHop(way)
    return openSocket(host, port, options)
  }
  return within(options, tunnel(new URL(way.proxy.url), way.url))
}

function openSocket(host: string, port: number, options: NetworkOptions): Promise<Socket> {
  const socket = connect({host, port})
  const opened = new Promise<Socket>((resolve, reject) => {
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
  return within(options, opened).catch((error: unknown) => {
    socket.destroy()
    throw error
  })
}

function tunnel(proxy: URL, {hostname, port}: URL): Promise<Socket> {
  const authority = `${hostname}:${port || 443}`
  const credentials =
    proxy.username === '' ? undefined : `${decoded(proxy.username)}:${decoded(proxy.password)}`
  const send = proxy.protocol === 'https:' ? httpsRequest : httpRequest
  const request = send({
    host: proxy.hostname.replace(/^\[(.+)\]$/, '$1'),
    port: proxy.port || undefined,
    method: 'CONNECT',
    path: authority,
    agent: false,
    headers: {
      host: authority,
      ...(credentials === undefined
        ? {}
        : {'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`}),
    },
  })
  return new Promise((resolve, reject) => {
    request.once('error', reject)
    request.once('response', response => {
      response.destroy()
      reject(new Error('The proxy responded to CONNECT with a page'))
    })
    request.once('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket as Socket)
      socket.destroy()
      const status = response.statusCode ?? 0
      reject(
        new Failure('CONNECTION_FAILED', {
          message: `the proxy refuses to connect to ${authority} (${status})`,
          hint: proxyAdvice(status, authority, credentials !== undefined),
        }),
      )
    })
    request.end()
  })
}

function proxyAdvice(status: number, authority: string, wasSent: boolean): string {
  if (status !== 407) return `Ask the people of the proxy to let connections to ${authority} through.`
  return wasSent
    ? 'It got a user and password, and does not accept them. Correct them in the variable, percent-encoded; else ask the people of the proxy.'
    : 'Write USER:PASSWORD@ before the host of the proxy, in the variable.'
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Ends work on the network at the time limit or the signal, even if nothing responds. */
export async function within<T>({timeoutMs, signal}: NetworkOptions, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const stop = (): void => late.reject(signal.reason)
  const timer = setTimeout(
    () => late.reject(Object.assign(new Error('no response'), {code: 'ETIMEDOUT'})),
    timeoutMs,
  )
  signal.addEventListener('abort', stop, {once: true})
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    // If the work fails later, its error is no longer needed.
    work.catch(() => undefined)
  }
}

/** @throws the error itself if the user stops the command. */
export function faultOf(
  error: unknown,
  {faultOf: sort, signal}: NetworkOptions,
): {readonly code: ErrorCode; readonly reason: string; readonly advice?: Hint} {
  if (signal.aborted || !(error instanceof Error)) throw error
  // A proxy that says no.
  if (error instanceof Failure) return {code: error.code, reason: error.message, advice: error.advice}
  return sort(error)
}
