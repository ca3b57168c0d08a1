import type {Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {Target} from '../profiles/target.ts'
import {valuesAt} from '../sensitive/json-pointer.ts'
import {maskSaid} from '../sensitive/mask-encoded.ts'
import {maskUrl} from '../sensitive/mask-request.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import type {WireResponse} from './attempt.ts'
import {interrupted} from './failures.ts'
import {responseShape, unproven} from './read-response.ts'
import {retryAfter} from './retry-rules.ts'
import type {BuiltRequest, SendOptions, ServiceResponse, Surroundings} from './send-types.ts'

/** What a profile says of requests that the service accepts (202) and carries out later. */
type Rules = NonNullable<NonNullable<Target['service']>['accepted']>

/**
 * Where the service says how a write that it accepted (202) ends, if the profile says how to read it: at the host of the request and
 * below a base URL of the profile.
 */
export function acceptedAt(
  {operation, origin, path}: BuiltRequest,
  {headers: {location}}: Pick<WireResponse, 'headers'>,
  {service, baseUrl, groups}: Target,
): URL | undefined {
  const changes = operation.effect === 'write' || operation.effect === 'destroy'
  if (service?.accepted === undefined || !changes || location === undefined) return undefined
  // The contract has its own way to ask for what it calls accepted.
  if (operation.form === undefined && operation.success.includes(202)) return undefined
  const found = URL.parse(location, origin + path)
  if (found === null || found.origin !== origin || found.username !== '' || /%2f|%5c/i.test(found.pathname))
    return undefined
  const bases = [baseUrl, ...Object.values(groups).flatMap(group => group?.baseUrl ?? [])]
  const isBelow = bases.some(base => {
    const {origin: host, pathname} = new URL(base)
    return host === origin && found.pathname.startsWith(`${pathname.replace(/\/+$/, '')}/`)
  })
  return isBelow ? found : undefined
}

/** A read of the address that an accepted request has given, with the headers of that request. */
function readOf(built: BuiltRequest, {pathname, search, href}: URL): BuiltRequest {
  const {'content-type': _type, [built.keyHeader]: _key, ...headers} = built.headers
  const {form: _form, needs: _needs, answers: _answers, ...operation} = built.operation
  return {
    ...built,
    operation: {
      ...operation,
      id: `GET ${pathname}`,
      topic: 'api',
      method: 'GET',
      effect: 'read',
      body: 'none',
      success: [200],
      touches: [],
    } satisfies Operation,
    input: {path: {}, query: {}},
    method: 'GET',
    url: maskUrl(href),
    path: pathname + search,
    title: `GET ${pathname}`,
    headers,
    body: undefined,
    key: undefined,
    keyed: false,
    irreversible: false,
    asked: undefined,
    envelope: undefined,
  }
}

const FIRST_MS = 500
const LONGEST_MS = 10_000

interface Polling {
  readonly options: SendOptions
  readonly surroundings: Surroundings
  /** Milliseconds since 1970, when the request was first sent. */
  readonly startedAt: number
  read(built: BuiltRequest, options: SendOptions): Promise<ServiceResponse>
}

/**
 * Asks for the state of an accepted request until it is done or has failed.
 *
 * @throws Failure REFUSED if it failed; EFFECT_UNKNOWN if it is still open when the time is over, or can't be told.
 */
export async function pollToEnd(
  built: BuiltRequest,
  at: URL,
  {state: place, done, failed, pending, timeoutMs}: Rules,
  {options, surroundings, startedAt, read}: Polling,
): Promise<ServiceResponse> {
  const {signal} = options
  const asked = options.timeoutMs === undefined ? timeoutMs : Math.min(options.timeoutMs, timeoutMs)
  const endsAt = (options.timeoutMs === undefined ? surroundings.now() : startedAt) + asked
  const request = readOf(built, at)
  const isOf = (values: readonly string[] | undefined, state: string): boolean =>
    values?.some(value => value.toLowerCase() === state.toLowerCase()) ?? false
  let seen = 'its state is not known'
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 1.5, LONGEST_MS)) {
    const left = endsAt - surroundings.now()
    if (left <= 0) break
    const {admit, waiting, retries} = options
    const {response, body, why} = await read(request, {
      admit,
      waiting,
      retries,
      signal,
      timeoutMs: left,
    }).then(
      one => ({response: one, body: one.body, why: undefined}),
      (error: unknown) => {
        if (!(error instanceof Failure)) throw error
        // A state of failure makes the response look like an error.
        return {response: undefined, body: error.details.reply ?? error.details.problem, why: error.message}
      },
    )
    if (signal?.aborted) throw interrupted(built, signal.reason, 1, true)
    const [found] = valuesAt(body, place)
    const state = typeof found === 'string' || typeof found === 'number' ? String(found) : undefined
    seen =
      state === undefined
        ? (why ?? `its state is not at ${place}`)
        : `its state is ${maskWithin(maskSaid(state), 60)}`
    if (state !== undefined && isOf(failed, state)) throw ended(built, seen, body)
    if (state !== undefined && isOf(done, state) && response !== undefined) {
      const missing = built.operation.needs?.length
        ? unproven(built.operation, responseShape(built.operation), body)
        : undefined
      if (missing !== undefined) throw open(built, at, `${seen}, but of its response ${missing}`)
      const key = built.key === undefined ? {} : {idempotencyKey: built.key}
      return {
        ...response,
        ...key,
        isForeign: true,
        isPolled: true,
        durationMs: Math.max(0, surroundings.now() - startedAt),
      }
    }
    if (state !== undefined && pending !== undefined && !isOf(pending, state)) break
    const asks = response && retryAfter(response.headers, surroundings.now())
    const pause = Math.max(asks ?? 0, wait)
    if (surroundings.now() + pause >= endsAt) break
    try {
      await surroundings.sleep(pause, signal)
    } catch {
      throw interrupted(built, signal?.reason, 1, true)
    }
  }
  throw open(built, at, seen)
}

const ended = ({title, key}: BuiltRequest, seen: string, body: unknown): Failure =>
  new Failure('REFUSED', {
    message: `${title} was accepted (202), and then failed: ${seen}.`,
    effect: 'none',
    status: 202,
    ...(key === undefined ? {} : {idempotencyKey: key}),
    ...(typeof body === 'object' && body !== null ? {problem: {...body}} : {}),
  })

const open = ({title, key, keyed}: BuiltRequest, at: URL, seen: string): Failure =>
  new Failure('EFFECT_UNKNOWN', {
    message: `${title} was accepted (202) and is still open at ${maskUrl(at.pathname)}: ${seen}`,
    effect: 'unknown',
    repeatable: keyed,
    status: 202,
    ...(key === undefined ? {} : {idempotencyKey: key}),
    data: {location: maskUrl(at.href)},
  })
