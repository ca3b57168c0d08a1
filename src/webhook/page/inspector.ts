import {existsSync, readFileSync} from 'node:fs'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {dirname, join} from 'node:path'
import type {CallCredentials} from '../../network/call-credentials.ts'
import type {Secret} from '../../sensitive/secret.ts'
import type {Exchange, Pending} from '../exchange.ts'
import type {Recording} from '../recording/recording.ts'
import {Access, isSecure, originOf} from './access.ts'
import {type Action, type ActionOptions, createActions, readPost} from './actions.ts'
import {createHistory, type History} from './history.ts'
import {CallFeed, openStream} from './stream.ts'
import {type Epoch, type Hello, PROOF_HEADER, type StreamMessages, type Target} from './wire.ts'

/** Nothing but the page's own files, no inline code or style, and text never becomes markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** The head of every answer of the page. */
function sendHead(
  response: ServerResponse,
  status: number,
  type: string,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...HEADERS,
    'content-type': type,
    // The rest of an unread body must not be taken for the next request.
    ...(response.req.complete ? {} : {connection: 'close'}),
    ...more,
  })
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendHead(response, status, 'application/json')
  response.end(JSON.stringify(value))
}

/**
 * Why a request for the page comes from the wrong place, as a sentence without a full stop; undefined for nothing. The
 * page is for browsers on this machine, which call it by a name of this machine: a name of the net that leads here (DNS
 * rebinding) is refused, and so are scripts of other pages.
 */
function strangerReason(request: IncomingMessage): string | undefined {
  if (!isThisMachine(request.socket.remoteAddress ?? '')) return 'the page is for browsers on this machine'
  const {host = '', origin} = request.headers
  if (!hostsOf(request).includes(host.toLowerCase())) return 'the page has another host name'
  if (origin !== undefined && origin !== originOf(request)) return 'the request comes from another site'
  return undefined
}

/** Why a request that changes something, or reads what calls hold, is not the page's own. */
function crossSiteReason(request: IncomingMessage): string | undefined {
  const {headers, method} = request
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return 'the request comes from another site'
  if (method !== 'POST') return undefined
  if (headers.origin !== originOf(request)) return 'the request comes from another site'
  if (headers['content-type'] !== 'application/json' || headers[PROOF_HEADER] === undefined)
    return 'the request does not come from the page'
  return undefined
}

function hostsOf(request: IncomingMessage): readonly string[] {
  const port = request.socket.localPort
  const isDefault = port === (isSecure(request) ? 443 : 80)
  const names = ['127.0.0.1', 'localhost', '[::1]']
  return names.flatMap(name => [`${name}:${port}`, ...(isDefault ? [name] : [])])
}

const isThisMachine = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address)

interface Asset {
  readonly type: string
  readonly bytes: Buffer
}

/** The page's files by their paths below that of the page; the build makes them (tools/build.ts). */
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '': ['index.html', 'text/html; charset=utf-8'],
  'page.js': ['page.js', 'text/javascript; charset=utf-8'],
  'page.css': ['page.css', 'text/css; charset=utf-8'],
  'icon.svg': ['icon.svg', 'image/svg+xml'],
}

const read = new Map<string, Asset>()

/** The file of the page at this path, if any. */
function findAsset(path: string): Asset | undefined {
  const [file, type] = Object.hasOwn(FILES, path) ? (FILES[path] ?? []) : []
  if (file === undefined || type === undefined) return undefined
  const known = read.get(file)
  if (known) return known
  const asset = {type, bytes: readFileSync(join(packageRoot(), 'dist', 'inspector', file))}
  read.set(file, asset)
  return asset
}

/** Sources and build lie at different depths below the package. */
function packageRoot(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

export interface InspectorOptions extends ActionOptions {
  /** The page is at `/_inspect/PLACE/`, a path that others don't know. */
  readonly place: string
  /** The secret that opens the page. The link has it. */
  readonly key: Secret
  /** Differs with every start. */
  readonly epoch: string
  /** Calls `renew` if there is another key by now. Asked at each request, so that a new link works at once. */
  readonly lookForKey?: (() => void) | undefined
  /** How often each rule has decided; absent without rules. */
  readonly ruleHits?: (() => StreamMessages['rules']) | undefined
  /** Opens the recording for reading; absent if nothing is recorded. */
  readonly openRecording?: (() => Recording) | undefined
}

/** The page for people: three hooks of the listener. */
export interface Inspector {
  /** Answers what is for the page. Paths of calls are never among it. */
  page(request: IncomingMessage, response: ServerResponse): boolean
  onPending(pending: Pending): void
  onExchange(exchange: Exchange): void
  /** The rules were loaded again. */
  onRules(): void
  /** Another key opens the page from now on. Windows with the former one are locked. */
  renew(key: Secret): void
  /** Ends the streams, which would stay open for ever. */
  close(): void
}

/** The path of the page. */
export const pageAt = (place: string): string => `/_inspect/${place}/`

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A browser opens six connections to one host, and some must be free for what people do. */
const MOST_STREAMS = 4

export function createInspector(options: InspectorOptions): Inspector {
  const feed = new CallFeed()
  let access = new Access(options)
  const base = pageAt(options.place)
  /** The oldest first. */
  const streams = new Set<ReturnType<typeof openStream>>()
  const actions = createActions(options)
  const history = options.openRecording && createHistory(options.openRecording)

  /** What answers at a path: anybody on this machine gets the files, who has the key gets the rest. */
  function handlerOf(path: string): {readonly method: 'GET' | 'POST'; readonly handle: Handler} | undefined {
    if (path === 'stream') return {method: 'GET', handle: forMembers(stream)}
    if (path === 'session') return {method: 'GET', handle: forMembers(done)}
    if (path === 'epoch') return {method: 'GET', handle: tellEpoch}
    if (path === 'history') return {method: 'GET', handle: forMembers(fromHistory(readPage))}
    if (path === 'call') return {method: 'GET', handle: forMembers(fromHistory(readCall))}
    const action = Object.hasOwn(actions, path) ? actions[path] : undefined
    if (action) return {method: 'POST', handle: forMembers((...both) => void act(action, ...both))}
    const asset = findAsset(path)
    return asset && {method: 'GET', handle: (_, response) => sendFile(response, asset)}
  }

  const forMembers =
    (handle: Handler): Handler =>
    (request, response) => {
      options.lookForKey?.()
      const cross = crossSiteReason(request)
      if (cross !== undefined) sendJson(response, 403, {reason: cross})
      else if (!access.admits(request, queryOf(request)))
        sendJson(response, 401, {reason: 'open the page with its link'})
      else handle(request, response)
    }

  const done: Handler = (_, response) => sendJson(response, 200, {})

  const tellEpoch: Handler = (request, response) => {
    const cross = crossSiteReason(request)
    if (cross !== undefined) sendJson(response, 403, {reason: cross})
    else sendJson(response, 200, {epoch: options.epoch} satisfies Epoch)
  }

  /** Answers from the recording. */
  const fromHistory =
    (read: (history: History, query: URLSearchParams) => unknown): Handler =>
    (request, response) => {
      try {
        const found = history && read(history, queryOf(request))
        if (found === undefined) sendJson(response, 404, {reason: 'the recording doesn’t have it'})
        else sendJson(response, 200, found)
      } catch {
        // Whatever is wrong with the file must not end the server.
        sendJson(response, 503, {reason: 'the recording can’t be read'})
      }
    }

  async function act(action: Action, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readPost(request).catch(() => undefined)
    const done = await action(body, request)
    if (typeof done === 'string') sendJson(response, 409, {reason: done})
    else sendJson(response, 200, done ?? {})
  }

  const stream: Handler = (request, response) => {
    const [oldest] = streams
    if (oldest && streams.size >= MOST_STREAMS) {
      streams.delete(oldest)
      oldest('paused')
    }
    sendHead(response, 200, 'text/event-stream')
    const stop = openStream(feed, response, {
      hello: helloTo(request),
      rules: options.ruleHits,
      lastId: String(request.headers['last-event-id']),
    })
    streams.add(stop)
    response.once('close', () => streams.delete(stop))
  }

  function helloTo(request: IncomingMessage): Hello {
    const {epoch, deadlineMs, pathPrefix, credentials, pendingCalls, forward} = options
    const url = originOf(request) + pathPrefix
    return {
      epoch,
      ...targetOf(url, credentials),
      ...(forward && {forward: targetOf(forward.url.href.replace(/\/+$/, ''), forward.credentials)}),
      deadlineMs,
      ask: pendingCalls !== undefined,
      history: history !== undefined,
    }
  }

  return {
    page: (request, response) => {
      const [path = ''] = (request.url ?? '').split('?')
      const handler = path.startsWith(base) ? handlerOf(path.slice(base.length)) : undefined
      if (!handler) return false
      const stranger = strangerReason(request)
      if (stranger !== undefined) sendJson(response, 403, {reason: stranger})
      else if (request.method !== handler.method)
        sendJson(response, 405, {reason: `this takes ${handler.method}`})
      else handler.handle(request, response)
      return true
    },
    onPending: pending => feed.pending(pending),
    onExchange: exchange => feed.exchange(exchange),
    onRules: () => feed.touch(),
    renew: key => {
      access = new Access({key, epoch: options.epoch})
      for (const stop of streams) stop()
    },
    close: () => {
      for (const stop of streams) stop()
      history?.close()
    },
  }
}

const targetOf = (url: string, {auth}: CallCredentials = {}): Target => ({
  url,
  ...(auth && {auth: auth.type, ...(auth.type === 'header' && {authHeader: auth.name.toLowerCase()})}),
})

const queryOf = ({url = ''}: IncomingMessage): URLSearchParams => new URLSearchParams(url.split('?')[1])

function readPage(history: History, query: URLSearchParams): unknown {
  const at = query.get('before')
  if (at === null) return history.page()
  if (!/^\d{1,15}$/.test(at)) return undefined
  return history.page({at: Number(at), event: query.get('event') ?? undefined})
}

const readCall = (history: History, query: URLSearchParams): unknown => history.call(query.get('event') ?? '')

function sendFile(response: ServerResponse, {type, bytes}: Asset): void {
  sendHead(response, 200, type, {'content-length': String(bytes.length)})
  response.end(bytes)
}
