import type {PlainRequest, PlainResponse} from '../../src/sandbox/index.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {canaries} from './canaries.ts'

/** How the service answers: as it should, or in one of the ways in which services spill what they were told. */
export const MODES = ['well', 'wordy', 'refusal', 'unauthorised', 'text', 'page', 'garbled', 'cut'] as const
export type Mode = (typeof MODES)[number]

export interface LeakyService extends Service {
  mode: Mode
}

/** A sandbox on a port that echoes requests with their credentials and adds secrets nobody asked for. */
export async function openLeakyService(): Promise<LeakyService> {
  let mode: Mode = 'well'
  const service = await openService(
    async request => {
      const {pathname} = new URL(request.url, 'http://x')
      if (pathname === '/oauth2/token') return token(request, mode)
      if ((mode === 'well' || mode === 'wordy') && pathname === '/auth') return approved(request)
      return mode === 'well' || mode === 'wordy' ? undefined : spilling[mode](request)
    },
    own => (mode === 'wordy' ? wordy(own) : own),
  )
  return {
    ...service,
    get connections() {
      return service.connections
    },
    get mode() {
      return mode
    },
    set mode(next) {
      mode = next
    },
  }
}

const token = (request: PlainRequest, mode: Mode): PlainResponse =>
  mode === 'unauthorised'
    ? reply(401, {error: 'invalid_client', error_description: echo(request)})
    : reply(200, {access_token: canaries.accessToken, token_type: 'bearer', expires_in: 3600})

/** The other side of the webhook: an endpoint that answers a call, and says more than it should. */
const approved = (request: PlainRequest): PlainResponse =>
  reply(200, {transactionData: {authResponseCode: {code: '00'}}, seen: echo(request), ...secrets})

const echo = ({method, url, headers, body}: PlainRequest): string =>
  `${method} ${url} authorization: ${headers.authorization ?? headers['x-api-key']} ${Buffer.from(body).toString()}`

const secrets = {
  cardNumber: canaries.pan,
  note: `card ${canaries.pan} of the customer`,
  cvv2: '739',
  pinBlock: canaries.pinBlock,
  tzpk: canaries.tzpk,
  token: canaries.controlToken,
}

const problem = (status: number, request: PlainRequest): PlainResponse =>
  reply(
    status,
    {
      type: 'about:blank',
      title: `Refused for ${canaries.pan}`,
      status,
      detail: echo(request),
      request: {headers: request.headers, body: parsed(request.body)},
      ...secrets,
    },
    {
      'content-type': 'application/problem+json',
      'set-cookie': `session=${canaries.controlToken}`,
      'www-authenticate': `Bearer error_description="not ${request.headers.authorization ?? request.headers['x-api-key']}"`,
      location: `/x?token=${canaries.controlToken}`,
    },
  )

const spilling: Record<Exclude<Mode, 'well' | 'wordy'>, (request: PlainRequest) => PlainResponse> = {
  refusal: request => problem(422, request),
  unauthorised: request => problem(401, request),
  text: request => ({status: 400, headers: {'content-type': 'text/plain'}, body: Buffer.from(echo(request))}),
  page: request => ({
    status: 502,
    headers: {'content-type': 'text/html'},
    body: Buffer.from(`<html><title>Bad gateway ${canaries.pan}</title>${echo(request)}</html>`),
  }),
  garbled: request => ({
    status: 200,
    headers: {'content-type': 'application/json'},
    body: Buffer.from(`{"card": "${canaries.pan}", ${echo(request)}`),
  }),
  cut: () => ({status: 200, headers: {}, body: Buffer.alloc(0), drop: true}),
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    return undefined
  }
}

/** Adds what nobody asked for to a reply of the sandbox. */
function wordy(answer: PlainResponse): PlainResponse {
  const body = parsed(answer.body)
  if (typeof body !== 'object' || body === null) return answer
  const more = Array.isArray(body)
    ? body.map(item => (typeof item === 'object' ? {...item, diagnostics: secrets} : item))
    : {...body, diagnostics: secrets}
  const {'content-length': _, ...headers} = answer.headers
  return {...answer, headers, body: Buffer.from(JSON.stringify(more))}
}
