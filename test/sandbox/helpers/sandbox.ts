import {createHash} from 'node:crypto'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished} from 'vitest'
import {findOperation} from '../../../src/contract/match.ts'
import type {AnyInput, Operation} from '../../../src/contract/operation.ts'
import {operations} from '../../../src/contract/operations.gen.ts'
import type {Input, OperationId, ResponseBody} from '../../../src/contract/types.ts'
import {checkResponseStrict} from '../../../src/contract/validate.ts'
import {
  createSandbox,
  type PlainRequest,
  type PlainResponse,
  type SandboxOptions,
} from '../../../src/sandbox/index.ts'
import {storeOptions} from './store.ts'

/** 2026-06-15, a Monday, 12:00 UTC. */
export const START = Date.UTC(2026, 5, 15, 12)

/** A response as a test reads it. Its bytes match the contract. */
export interface Answered<Body> {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body of a success; what a problem holds is in `problem`. */
  readonly body: Body
  readonly problem: {readonly type: string; readonly detail: string; readonly status: number}
  readonly dropped: boolean
}

export interface SendOptions {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly origin?: PlainRequest['origin']
}

export interface TestSandbox {
  /** Calls an operation by its id; the input is typed by the contract. */
  op<Id extends OperationId>(
    id: Id,
    input?: Loose<Id>,
    options?: SendOptions,
  ): Promise<Answered<ResponseBody<Id>>>
  /** Sends anything. */
  send(method: string, url: string, body?: unknown, options?: SendOptions): Promise<Answered<unknown>>
  raw(request: PlainRequest): Promise<Answered<unknown>>
  /** Advances the clock, which doesn't move by itself. */
  pass(ms: number): void
  readonly now: () => number
  readonly errors: readonly unknown[]
  close(): Promise<void>
}

/** The contract's input, the audit user left out. */
type Loose<Id extends OperationId> = {
  readonly path?: Input<Id>['path']
  readonly query?: Omit<Input<Id>['query'], 'auditUser'>
  readonly body?: unknown
}

/**
 * A sandbox whose every response is validated as raw bytes, without unknown fields. Closed when the test ends.
 */
export async function testSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  let now = START
  const errors: unknown[] = []
  const {file, ...others} = options
  const sandbox = await createSandbox({
    now: () => now,
    onError: error => errors.push(error),
    ...others,
    ...(await storeOptions(file)),
  })
  let closed = false
  const close = async () => {
    if (!closed) await sandbox.close()
    closed = true
  }
  onTestFinished(async () => {
    await close()
    expect(errors, 'faults of the sandbox itself').toEqual([])
  })
  const raw = async (request: PlainRequest) =>
    checked(await sandbox.handle(request), request, options.prefixes ?? false)
  const send: TestSandbox['send'] = (method, url, body, {key, headers, origin} = {}) => {
    const bytes = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    return raw({
      method,
      url,
      headers: {
        ...(body === undefined ? {} : {'content-type': 'application/json'}),
        ...(key === undefined ? {} : {'x-idempotency-key': key}),
        ...headers,
      },
      body: Buffer.from(bytes),
      ...(origin && {origin}),
    })
  }
  return {
    raw,
    send,
    op: async (id, input = {}, sendOptions = {}) => {
      const {method, url} = requestLine(id, input)
      return (await send(method, url, input.body, sendOptions)) as Answered<never>
    },
    pass: ms => {
      now += ms
    },
    now: () => now,
    errors,
    close,
  }
}

function requestLine(
  id: OperationId,
  input: Partial<AnyInput> | Loose<OperationId>,
): {method: string; url: string} {
  const operation: Operation = operations[id]
  const parameters: Readonly<Record<string, unknown>> = input.path ?? {}
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters[name])),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : [[name, value]]
    for (const [member, one] of members) query.set(String(member), String(one))
  }
  if (operation.query.some(({name}) => name === 'auditUser')) query.set('auditUser', 'test')
  return {method: operation.method, url: query.size === 0 ? path : `${path}?${query}`}
}

async function checked(
  reply: PlainResponse,
  request: PlainRequest,
  prefixes: boolean,
): Promise<Answered<unknown>> {
  const text = Buffer.from(reply.body).toString('utf8')
  const dropped = reply.drop === true
  const isJson = /json/.test(reply.headers['content-type'] ?? '')
  const body: unknown = isJson ? JSON.parse(text) : undefined
  if (!dropped) {
    expect(reply.headers['content-length']).toBe(String(reply.body.length))
    const found = findOperation(request.method, request.url.split('?')[0] ?? '', {prefixes})
    if (found) await expectContract(found.operation, reply, body)
  }
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    body,
    problem: body as Answered<unknown>['problem'],
    dropped,
  }
}

async function expectContract(operation: Operation, reply: PlainResponse, body: unknown): Promise<void> {
  const success = reply.status < 400
  const type = reply.headers['content-type']
  if (reply.status === 401) expect(body).toBeUndefined()
  else expect(type).toBe(success ? 'application/json' : 'application/problem+json')
  if (success) expect(operation.success).toContain(reply.status)
  const violations = await checkResponseStrict(operation.id as OperationId, reply.status, body)
  expect(violations, `${operation.id} ${reply.status}`).toEqual([])
}

/** The path of a new file; its folder is removed when the test ends. */
export async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  onTestFinished(() => rm(folder, {recursive: true, force: true}))
  return join(folder, 'sandbox.db')
}

/** Bytes that look random and are always the same. */
export function foreseenRandom(): (size: number) => Buffer {
  let drawn = 0
  return size => {
    const blocks = Array.from({length: Math.ceil(size / 32)}, () =>
      createHash('sha256').update(String(drawn++)).digest(),
    )
    return Buffer.concat(blocks).subarray(0, size)
  }
}
