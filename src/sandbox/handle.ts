import {findOperation, type Match} from '../contract/match.ts'
import {Failure, isStoreAway} from '../errors/failure.ts'
import {authenticate, challenge, guardBrowsers} from './access.ts'
import {cardDataPage} from './cards/card-data-page.ts'
import {jwks} from './cards/service-key.ts'
import {cardDataFrame, pinFrame} from './html-page.ts'
import {uuid} from './ids.ts'
import {pinPage} from './pin/page.ts'
import {
  droppedConnection,
  emptyResponse,
  jsonResponse,
  type PlainRequest,
  problemResponse,
  type TextResponse,
} from './plain-http.ts'
import {Problem} from './problems.ts'
import {runOperation} from './run-operation.ts'
import type {Responder, Service} from './service.ts'

/** A response, with the operation for the log. */
export interface Handled {
  readonly reply: TextResponse
  /** Its id, if the request had one. */
  readonly operation: string | null
}

/**
 * Responds to one request. Never throws.
 *
 * @param caller the name of a caller whose credentials were checked before; without it, they are checked here.
 */
export async function handle(service: Service, request: PlainRequest, caller?: string): Promise<Handled> {
  const {path, search} = splitUrl(request.url)
  const {options} = service
  let operation: string | null = null
  try {
    const isGuarded = caller !== undefined || options.auth !== undefined
    guardBrowsers(request, path, {...options, isGuarded})
    const page = openPage(service, request, path)
    if (page) return {reply: await page, operation}
    const credential = caller ?? authenticate(options.auth, request.headers.authorization)
    if (credential === undefined) return {reply: unauthenticated(service), operation}
    await checkRate(service, credential)
    const match = resolveOperation(request.method, path, options.prefixes ?? false)
    operation = match.operation.id
    return {reply: await runOperation(service, request, {match, search, credential, isGuarded}), operation}
  } catch (error) {
    // Nobody knows whether it had an effect, and no status says that.
    if (error instanceof Failure && error.details.effect === 'unknown')
      return {reply: droppedConnection(), operation}
    return {reply: refuse(service, request, error), operation}
  }
}

function splitUrl(url: string): {path: string; search: string} {
  const at = url.indexOf('?')
  return at < 0 ? {path: url, search: ''} : {path: url.slice(0, at), search: url.slice(at + 1)}
}

/** 401 has no body. */
function unauthenticated({options}: Service): TextResponse {
  return emptyResponse(401, options.auth === undefined ? {} : {'www-authenticate': challenge(options.auth)})
}

async function checkRate(service: Service, credential: string): Promise<void> {
  const wait = (await service.rateLimit?.take(credential, service.monotonic())) ?? 0
  if (wait === 0) return
  const headers = {'retry-after': String(Math.ceil(wait / 1000))}
  throw new Problem(
    429,
    'rate-limit',
    'Too many requests',
    'This sandbox received more requests than its rate limit allows.',
    headers,
  )
}

/** The response to an error. */
export function refuse(responder: Responder, request: PlainRequest, error: unknown): TextResponse {
  const problem = error instanceof Problem ? error : faultOf(responder, request, error)
  const {path} = splitUrl(request.url)
  return problemResponse(problem, {path, id: uuid(responder.random), now: responder.now()})
}

/** An error of the sandbox itself. Callers from other machines don't learn where its file is. */
function faultOf({onError}: Responder, {origin}: PlainRequest, error: unknown): Problem {
  onError(error)
  if (isStoreAway(error)) {
    // Here nothing was committed: a retry after the time has no second effect. What is in doubt has no response.
    const detail = origin === 'network' ? 'The sandbox cannot read or write its state.' : error.message
    return new Problem(503, 'store-unavailable', 'Not available', detail, {'retry-after': '1'})
  }
  return new Problem(500, 'internal', 'Internal error', 'The sandbox failed to handle this request.')
}

type Page = (service: Service, request: PlainRequest) => Promise<TextResponse>

/**
 * Served without credentials, in addition to the operations: the key set, and pages that require a token or control id.
 */
const pages: Readonly<Record<string, Page>> = {
  'GET /.well-known/jwks.json': async service => {
    return jsonResponse(200, await jwks(service), {'cache-control': 'max-age=300'})
  },
  'POST /pages/card-data': async (service, request) => cardDataPage(service, request),
  'GET /pages/card-data-frame': async () => cardDataFrame(),
  'POST /pages/pin': async (service, request) => pinPage(service, request),
  'GET /pages/pin-frame': async () => pinFrame(),
}

/** Paths that are served without credentials. */
export const pagePaths: ReadonlySet<string | undefined> = new Set(
  Object.keys(pages).map(key => key.split(' ')[1]),
)

/** @param path without the query. @returns undefined if there is no such page. */
function openPage(service: Service, request: PlainRequest, path: string): Promise<TextResponse> | undefined {
  if (!pagePaths.has(path)) return undefined
  const found = pages[`${request.method} ${path}`]
  if (found) return found(service, request)
  const others = Object.keys(pages).filter(key => key.endsWith(` ${path}`))
  const allow = others.map(key => key.split(' ')[0]).join(', ')
  return Promise.resolve(emptyResponse(405, {allow}))
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Finds the operation for a method and a path.
 * @param prefixes whether paths may begin with the prefix of their group.
 * @throws Problem 404, or 405 if only the method is wrong.
 */
function resolveOperation(method: string, path: string, prefixes: boolean): Match {
  const found = findOperation(method, path, {prefixes})
  if (found) return found
  const allow = METHODS.filter(other => findOperation(other, path, {prefixes}) !== undefined).join(', ')
  if (allow !== '') {
    throw new Problem(405, 'method-not-allowed', 'Method not allowed', `This path accepts ${allow}.`, {allow})
  }
  throw new Problem(404, 'operation-not-found', 'Unknown operation', 'No operation has this path.')
}
