import {type Operation, withAuditUser} from '../../src/contract/operation.ts'
import {Failure} from '../../src/errors/failure.ts'
import {
  createSender,
  type Preview,
  type RequestParts,
  type SendOptions,
  type ServiceResponse,
  type Surroundings,
} from '../../src/http/index.ts'
import type {Target} from '../../src/profiles/target.ts'

export function operation(more: Partial<Operation> = {}): Operation {
  return {
    id: 'test.operation',
    topic: 'test',
    group: 'accounts',
    method: 'GET',
    path: '/v4/{id}',
    prefix: '/account',
    summary: 'A test',
    deprecated: false,
    effect: 'read',
    idempotent: false,
    extension: true,
    pathParams: ['id'],
    query: [{name: 'auditUser', required: true}],
    body: 'optional',
    success: [200],
    sensitive: {request: [], reply: []},
    irreversible: [],
    touches: [],
    hazards: [],
    ...more,
  }
}

export const kinds = {
  read: operation(),
  disclose: operation({effect: 'disclose', method: 'POST'}),
  keyed: operation({effect: 'write', method: 'PATCH', idempotent: true}),
  irreversible: operation({
    effect: 'write',
    method: 'PATCH',
    idempotent: true,
    irreversible: [{pointer: '/status', values: ['ACCOUNT_TO_CLOSE'], warning: 'Closes it for good.'}],
  }),
  unkeyed: operation({effect: 'write', method: 'PATCH'}),
  put: operation({effect: 'write', method: 'PUT'}),
  destroy: operation({effect: 'destroy', method: 'DELETE', body: 'none'}),
} as const satisfies Record<string, Operation>

export function target(baseUrl: string, more: Partial<Target> = {}): Target {
  return {
    name: 'staging',
    kind: 'test',
    embedded: false,
    readOnly: false,
    secondPersonFor: [],
    ceiling: [],
    baseUrl,
    groups: {},
    words: {},
    auditUser: 'aino',
    auth: {type: 'none'},
    tls: {},
    idempotency: 'documented',
    settleDelayMs: 2_000,
    allowInsecure: false,
    requireTicket: false,
    serviceCheck: true,
    strict: false,
    hosts: [new URL(baseUrl).host],
    ...more,
  }
}

/** A clock that moves only while somebody sleeps, and what was slept. */
export interface Still extends Surroundings {
  readonly slept: number[]
  readonly lines: string[]
}

export function still(more: Partial<Surroundings> & {onSleep?: (ms: number) => Promise<void>} = {}): Still {
  const slept: number[] = []
  const lines: string[] = []
  let time = Date.parse('2026-11-21T12:00:00Z')
  let keys = 0
  const {onSleep, ...rest} = more
  return {
    slept,
    lines,
    now: () => time,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      slept.push(ms)
      time += ms
      await onSleep?.(ms)
    },
    random: () => 0.5,
    newKey: () => {
      keys += 1
      return `made-${keys}`
    },
    env: {},
    debug: line => lines.push(line),
    version: '0.0.0',
    checkResponse: async () => [],
    ...rest,
  }
}

/** The failure that a promise ends with. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('It was expected to fail, and did not')
}

/** What is built and sent in one step. */
export type SentRequest = RequestParts & SendOptions

/** A sender for one step: builds a request with the profile's audit user, as the command line does, and sends or shows it. */
export interface OpenSender {
  send(request: SentRequest): Promise<ServiceResponse>
  preview(parts: RequestParts): Promise<Preview>
  close(): Promise<void>
}

export function openSender(to: Target, surroundings: Surroundings): OpenSender {
  const sender = createSender(to, surroundings)
  const build = ({operation, input, idempotencyKey}: RequestParts) =>
    sender.build({operation, input: withAuditUser(operation, input, to.auditUser), idempotencyKey})
  return {
    send: async request => sender.send(build(request), request),
    preview: async parts => sender.preview(build(parts)),
    close: () => sender.close(),
  }
}
