import {Failure} from '../errors/failure.ts'
import {answer} from './answer.ts'
import {authenticate, challenge} from './authentication.ts'
import {guardBrowsers} from './browser-guard.ts'
import {uuid} from './ids.ts'
import {openPage} from './pages/open-page.ts'
import {emptyReply, type PlainReply, type PlainRequest} from './plain-http.ts'
import {Problem, problemReply} from './problems.ts'
import {resolveOperation} from './resolve-operation.ts'
import type {Service} from './service.ts'

/** A reply, and what the log wants to know besides. */
export interface Handled {
  readonly reply: PlainReply
  /** The operation's id, if one was reached. */
  readonly operation: string | null
}

/** Answers one request, whatever it is; nothing is thrown. */
export async function handle(service: Service, request: PlainRequest): Promise<Handled> {
  const {path, search} = splitUrl(request.url)
  const {options} = service
  let operation: string | null = null
  try {
    guardBrowsers(request, path, options)
    const page = openPage(service, request, path)
    if (page) return {reply: await page, operation}
    const credential = authenticate(options.auth, request.headers.authorization)
    if (credential === undefined) return {reply: unauthenticated(service), operation}
    checkRate(service, credential)
    const match = resolveOperation(request.method, path, options.prefixes ?? false)
    operation = match.operation.id
    return {reply: await answer(service, request, {match, search, credential}), operation}
  } catch (error) {
    return {reply: refuse(service, request, error), operation}
  }
}

function splitUrl(url: string): {path: string; search: string} {
  const at = url.indexOf('?')
  return at < 0 ? {path: url, search: ''} : {path: url.slice(0, at), search: url.slice(at + 1)}
}

/** 401 has no body. */
function unauthenticated({options}: Service): PlainReply {
  return emptyReply(401, options.auth === undefined ? {} : {'www-authenticate': challenge(options.auth)})
}

function checkRate(service: Service, credential: string): void {
  const wait = service.rateLimit?.take(credential, service.monotonic()) ?? 0
  if (wait === 0) return
  const headers = {'retry-after': String(Math.ceil(wait / 1000))}
  throw new Problem(
    429,
    'rate-limit',
    'Too many requests',
    'The rate limit of this sandbox is reached.',
    headers,
  )
}

/** The reply to what went wrong, whatever it was. */
export function refuse(service: Service, request: PlainRequest, error: unknown): PlainReply {
  const problem = error instanceof Problem ? error : faultOf(service, request, error)
  const {path} = splitUrl(request.url)
  return problemReply(problem, {path, id: uuid(service.random), now: service.now()})
}

/** A fault of the sandbox itself: told to its owner, and to the caller as far as it is his file. */
function faultOf(service: Service, {origin}: PlainRequest, error: unknown): Problem {
  service.options.onError?.(error)
  if (error instanceof Failure && error.code === 'STORE_UNAVAILABLE') {
    const detail = origin === 'network' ? 'The store of the sandbox cannot be used.' : error.message
    return new Problem(503, 'store-unavailable', 'Not available', detail, {'retry-after': '1'})
  }
  return new Problem(500, 'internal', 'A fault of the sandbox', 'The sandbox failed to answer this request.')
}
