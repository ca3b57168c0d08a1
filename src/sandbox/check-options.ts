import {
  aFunction,
  aSecret,
  aText,
  checkOptions,
  invalid,
  members,
  must,
  oneOf,
  type Rule,
  type Rules,
  wholeNumber,
} from '../errors/check-options.ts'
import type {RateWindow} from '../limits/rate-window.ts'
import type {CallAuth} from '../network/call-credentials.ts'
import {
  keyProblem,
  SIGNATURE_PRESET_NAMES,
  SIGNATURE_PRESETS,
  signedProblem,
} from '../network/signature-defaults.ts'
import type {SandboxAuth} from './access.ts'
import type {SandboxCredentials, WebhookOptions} from './authorisations/endpoint-client.ts'
import type {SandboxOptions} from './options.ts'
import type {HandledRequest, PlainRequest} from './plain-http.ts'
import type {ProcessTable} from './process-mark.ts'
import type {ServeOptions, TlsOptions} from './serve.ts'
import {checkSnapshot} from './snapshot/snapshot.ts'
import type {PostgresOptions} from './store/postgres/options.ts'

const aBoolean = must('true or false', value => typeof value === 'boolean')
/** Node's maximum: a longer timer fires at once. */
const LONGEST_MS = 2 ** 31 - 1

const milliseconds = (least = 0, most = LONGEST_MS): Rule =>
  wholeNumber(least, most, 'milliseconds, a whole number')

const listOf =
  (rule: Rule): Rule =>
  (value, place) => {
    if (!Array.isArray(value)) throw invalid(`${place} must be a list.`)
    for (const [at, item] of value.entries()) rule(item, `${place}[${at}]`)
  }

/** An http or https URL to which a path can be appended. */
const httpAddress: Rule = (value, place) => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw invalid(`${place} must be an http or https URL without a query, for example http://127.0.0.1:3000.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(`${place} must not contain credentials; use the options for them.`)
  }
}

const notItsPath = must('without /auth at its end', url => !/\/(auth|warm-up)$/.test(String(url)))

/** Real deadlines are a few seconds. A test that waits longer than this hangs. */
const LONGEST_DEADLINE = 600_000

const pem = must('PEM text', value => typeof value === 'string' && value.includes('-----BEGIN '))

const auth: Rule = (value, place) => {
  const {type} = (typeof value === 'object' && value !== null ? value : {}) as {type?: unknown}
  const basic = members<Extract<SandboxAuth, {type: 'basic'}>>(
    {type: oneOf('basic', 'bearer'), user: aText, password: aSecret},
    ['type', 'user', 'password'],
  )
  const bearer = members<Extract<SandboxAuth, {type: 'bearer'}>>({type: oneOf('bearer'), token: aSecret}, [
    'type',
    'token',
  ])
  return (type === 'bearer' ? bearer : basic)(value, place)
}

const callAuth: Rule = (value, place) => {
  const {type} = (typeof value === 'object' && value !== null ? value : {}) as {type?: unknown}
  if (type !== 'header') return auth(value, place)
  members<Extract<CallAuth, {type: 'header'}>>({type: oneOf('header'), name: aText, value: aSecret}, [
    'type',
    'name',
    'value',
  ])(value, place)
}

const signatureMembers = members<NonNullable<SandboxCredentials['signature']>>(
  {
    keys: (value, place) => {
      must('a list of at least one key', keys => Array.isArray(keys) && keys.length > 0)(value, place)
      listOf(aSecret)(value, place)
    },
    preset: oneOf(...SIGNATURE_PRESET_NAMES),
    header: aText,
    timestampHeader: aText,
    idHeader: aText,
    signed: (value, place) => {
      aText(value, place)
      const problem = signedProblem(String(value))
      if (problem !== undefined) throw invalid(`${place} ${problem}.`)
    },
    encoding: oneOf('hex', 'base64'),
    prefix: must('text', value => typeof value === 'string'),
    keyEncoding: oneOf('text', 'base64'),
    toleranceMs: milliseconds(),
  },
  ['keys'],
)

const signature: Rule = (value, place) => {
  signatureMembers(value, place)
  const given = value as NonNullable<SandboxCredentials['signature']>
  const form = {...SIGNATURE_PRESETS[given.preset ?? 'plain'], ...given}
  for (const key of given.keys) {
    const problem = keyProblem(key.open(), form)
    if (problem !== undefined) throw invalid(`${place}.keys ${problem}.`)
  }
}

const credentials = members<SandboxCredentials>({auth: callAuth, signature})

/** The base URL of an endpoint. */
export const endpointAddress: Rule = (value, place) => {
  httpAddress(value, place)
  notItsPath(value, place)
}

export const deadlineRule = milliseconds(1, LONGEST_DEADLINE)

const webhook: Rule = (value, place) => {
  members<WebhookOptions>({
    url: endpointAddress,
    handler: aFunction,
    user: aText,
    password: aSecret,
    deadlineMs: deadlineRule,
    fallback: oneOf('approve', 'decline'),
    idleMs: milliseconds(),
    ca: pem,
    cert: pem,
    key: aSecret,
    credentials,
  })(value, place)
  const {url, handler, user, password, cert, key, credentials: given} = value as WebhookOptions
  const isOne = (url === undefined) !== (handler === undefined)
  must('given alone: one of the two', () => isOne)(value, `${place}.url or ${place}.handler`)
  const isAlone = (user === undefined) !== (password === undefined)
  must('given both or neither', () => !isAlone)(value, `${place}.user and ${place}.password`)
  const isHalf = (cert === undefined) !== (key === undefined)
  must('given both or neither', () => !isHalf)(value, `${place}.cert and ${place}.key`)
  const isTwice = user !== undefined && given?.auth !== undefined
  must('given alone: one of the two', () => !isTwice)(value, `${place}.user or ${place}.credentials.auth`)
}

const sandboxRules: Rules<SandboxOptions> = {
  file: aText,
  postgres: members<PostgresOptions>(
    {
      url: aSecret,
      tenant: aText,
      ca: pem,
      connections: wholeNumber(1, 1000),
      reread: aFunction,
      onRefused: aFunction,
      statementMs: milliseconds(1),
      lockMs: milliseconds(1),
    },
    ['url'],
  ),
  from: (value, place) => void checkSnapshot(value, place),
  busyTimeoutMs: milliseconds(),
  now: aFunction,
  monotonic: aFunction,
  random: aFunction,
  chance: aFunction,
  sleep: aFunction,
  processes: members<ProcessTable>({
    own: must('a process mark', value => typeof value === 'object' && value !== null),
    isAlive: aFunction,
  }),
  auth,
  allowedHosts: listOf(aText),
  rateLimit: listOf(
    members<RateWindow>({count: wholeNumber(1, 1e9), windowMs: milliseconds(1)}, ['count', 'windowMs']),
  ),
  prefixes: aBoolean,
  idempotency: oneOf('documented', 'all'),
  strictIdempotency: aBoolean,
  settlement: oneOf('access', 'background'),
  remoteCheckoutMs: milliseconds(),
  webhook,
  onUnreachable: aFunction,
  onWebhookCall: aFunction,
  baseUrl: httpAddress,
  onRequest: aFunction,
  onError: aFunction,
}

const serveRules: Rules<ServeOptions> = {
  host: aText,
  port: wholeNumber(0, 65_535),
  tls: (value, place) => {
    if (value === 'self-made') return
    must("'self-made', or {cert, key}", each => typeof each === 'object' && each !== null)(value, place)
    members<TlsOptions>({cert: pem, key: pem, clientCa: pem}, ['cert', 'key'])(value, place)
  },
  drainMs: milliseconds(),
}

const requestRules: Rules<HandledRequest> = {
  method: aText,
  url: must('a path, for example /v4/3001', value => typeof value === 'string' && value.startsWith('/')),
  headers: must(
    'an object of texts',
    value =>
      typeof value === 'object' &&
      value !== null &&
      Object.values(value).every(each => typeof each === 'string'),
  ),
  body: must(
    'bytes (a Uint8Array or Buffer), or text',
    value => value instanceof Uint8Array || typeof value === 'string',
  ),
  origin: oneOf('embedded', 'loopback', 'network'),
}

/** @throws Failure INPUT_INVALID, naming the option. */
export const checkSandboxOptions = (options: unknown): void =>
  checkOptions('createSandbox', options, sandboxRules)

/** @throws Failure INPUT_INVALID, naming the option. */
export const checkServeOptions = (options: unknown): void => checkOptions('serve', options, serveRules)

/** Checks a request and adds the defaults. @throws Failure INPUT_INVALID if it is not a request. */
export function requestOf(request: HandledRequest): PlainRequest {
  checkOptions('handle', request, requestRules, ['method', 'url'])
  const {method, url, headers = {}, body = '', origin} = request
  return {
    method: method.toUpperCase(),
    url,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    ...(origin === undefined ? {} : {origin}),
  }
}
