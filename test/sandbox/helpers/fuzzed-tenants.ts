// Two tenants that send random requests at once, to two servers on one database, also with each other's ids, keys, tokens
// and paths. Nothing that belongs to one may be in a response to the other.
import {randomUUID} from 'node:crypto'
import type {DatabaseOptions} from '../../../src/postgres/options.ts'
import {openPostgresStore} from '../../../src/sandbox/store/postgres/open-postgres-store.ts'
import {addTenant, createTenantSandbox, withStore} from '../../../src/sandbox/team.ts'
import {ContractFuzz, valuesOf} from '../../helpers/contract-fuzz.ts'
import {seeded} from '../../helpers/random.ts'

export interface FuzzReport {
  readonly requests: number
  /** Requests that succeeded. */
  readonly successes: number
  /** Operations that succeeded at least once. */
  readonly operations: ReadonlySet<string>
  /** Requests that named something of the other tenant. */
  readonly foreignIds: number
  /** Responses with something of the other tenant. */
  readonly leaks: readonly string[]
}

interface Member {
  readonly name: string
  readonly token: string
  /** In every text that it sends. */
  readonly mark: string
  /** Its numeric ids begin with it. */
  readonly digits: string
  readonly ids: Set<string>
  /** Ids of the other that it has sent in a body: it may have stored them as its own text. */
  readonly sent: Set<string>
}

/** Ids that were made at random, and numbers of the ranges of `digits`. */
const RANDOM_ID =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=(?:[\w-]*\d){3})[\w-]{20,}|\b[789]0{3}\d{5}\b|mark[A-Z]\w*/g
/** Ids of the demo data, by what the name of the field or the operation says. */
const DEMO: readonly (readonly [RegExp, readonly string[]])[] = [
  [/customer/i, ['1001', '1002']],
  [/account/i, ['2001', '2002', '2005', '2006', '2007']],
  [/plastic|pincontrol/i, ['7001']],
  [/period/i, ['6001']],
  [/pricelist/i, ['5001']],
]
const demoIds = (name: string, operation: string): readonly string[] =>
  DEMO.find(([pattern]) => pattern.test(name))?.[1] ??
  DEMO.find(([pattern]) => pattern.test(operation))?.[1] ?? ['3001', '3002', '3003']

const SEQUENCES = ['batch', 'authorisation', 'clearing', 'transaction', 'fault']
const CONTROL = ['/_sandbox/authorisations', '/_sandbox/faults', '/v1/a2a/batches?auditUser=a&size=100']

const KINDS = valuesOf('StateKind')

const idsIn = (text: string): ReadonlySet<string> => new Set(text.match(RANDOM_ID) ?? [])

export async function fuzzTenants(
  postgres: DatabaseOptions,
  {seed, requests}: {readonly seed: number; readonly requests: number},
): Promise<FuzzReport> {
  const members = await Promise.all(['A', 'B'].map((letter, at) => newMember(postgres, letter, 7 + at)))
  const sandboxes = await Promise.all([1, 2].map(() => createTenantSandbox({postgres, idempotency: 'all'})))
  const servers = await Promise.all(sandboxes.map(sandbox => sandbox.serve()))
  try {
    const fuzzing = new Fuzzing(
      members,
      servers.map(({url}) => url),
    )
    await fuzzing.learn()
    const lanes = members.flatMap((_, at) =>
      [0, 1].map(lane => fuzzing.run(at, seed + 10 * at + lane, requests)),
    )
    await Promise.all(lanes)
    await fuzzing.look()
    return fuzzing
  } finally {
    for (const server of servers) await server.close()
    for (const sandbox of sandboxes) await sandbox.close()
  }
}

async function newMember(postgres: DatabaseOptions, letter: string, digit: number): Promise<Member> {
  const name = `${letter.toLowerCase()}${randomUUID().slice(0, 20)}`
  const token = await withStore(postgres, opened => addTenant(opened, name))
  const store = await openPostgresStore({...postgres, tenant: name})
  await store.transaction(async tx => {
    for (const id of SEQUENCES) await tx.sequences.put({id, next: digit * 100_000_000 + 1})
  })
  await store.close()
  return {
    name,
    token: token.open(),
    mark: `mark${letter}`,
    digits: `${digit}000`,
    ids: new Set(),
    sent: new Set(),
  }
}

class Fuzzing implements FuzzReport {
  readonly #members: readonly Member[]
  readonly #urls: readonly string[]
  /** Ids that both have from the start. */
  readonly #common = new Set<string>()
  /** Who got an id first. */
  readonly #owners = new Map<string, Member>()
  readonly leaks: string[] = []
  readonly operations = new Set<string>()
  requests = 0
  successes = 0
  foreignIds = 0

  constructor(members: readonly Member[], urls: readonly string[]) {
    this.#members = members
    this.#urls = urls
  }

  /** Reads the demo data of both. */
  async learn(): Promise<void> {
    for (const member of this.#members) {
      for (const path of [...KINDS.map(kind => `/_sandbox/state/${kind}`), ...CONTROL, '/_sandbox/info']) {
        const {text} = await this.#fetch(member, 0, 'GET', path, undefined)
        for (const id of idsIn(text)) if (!this.#belongs(id)) this.#common.add(id)
      }
    }
  }

  /** Reads everything once more, without naming anything, until something leaks. */
  async look(): Promise<void> {
    for (const member of this.#members) {
      for (const at of this.#urls.keys()) {
        for (const path of [...KINDS.map(kind => `/_sandbox/state/${kind}`), ...CONTROL]) {
          if (this.leaks.length > 0) return
          this.#judge(member, `GET ${path}`, '', (await this.#fetch(member, at, 'GET', path, undefined)).text)
        }
      }
    }
  }

  async run(own: number, seed: number, requests: number): Promise<void> {
    const random = seeded(seed)
    const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
    const member = this.#members[own] as Member
    const other = this.#members[1 - own] as Member
    let texts = 0
    const fuzz = new ContractFuzz({
      random,
      text: () => `${member.mark}x${texts++}`,
      id: (name, operation) => {
        const place = random()
        const demo = demoIds(name, operation)
        if (place < 0.6) return one(demo)
        const known = [...(place < 0.8 ? member : other).ids]
        return known.length === 0 ? one(demo) : one(known.slice(-60))
      },
    })
    for (let at = 0; at < requests && this.leaks.length === 0; at++) {
      const place = random()
      if (place < 0.03) await this.#elsewhere(member, other, at)
      else if (place < 0.1) await this.#page(member, one([...member.ids, ...other.ids, 'x']), at)
      else await this.#operation(member, fuzz, `key-${Math.floor(random() * 40)}`, at)
    }
  }

  async #operation(member: Member, fuzz: ContractFuzz, key: string, at: number): Promise<void> {
    let request = fuzz.request()
    // What a snapshot holds looks like ids, and no random one can be loaded.
    while (request.operation.startsWith('sandbox.snapshot.')) request = fuzz.request()
    const {operation, method, url, body} = request
    // A reset would begin the numbers anew, and most faults would end the run.
    if (['sandbox.reset', 'sandbox.faults.add', 'sandbox.clock.advance'].includes(operation) && at % 50 !== 0)
      return
    if (operation === 'sandbox.reset') return
    const sent = body === undefined ? undefined : JSON.stringify(body)
    for (const id of idsIn(sent ?? '')) member.sent.add(id)
    const {status, text} = await this.#fetch(member, at, method, url, sent, key)
    if (status < 300) {
      this.successes++
      this.operations.add(operation)
    }
    if (operation === 'sandbox.faults.add')
      await this.#fetch(member, at, 'DELETE', '/_sandbox/faults', undefined)
    this.#judge(
      member,
      `${method} ${url} ${sent ?? ''}: ${status}`,
      `${decodeURIComponent(url)} ${sent ?? ''}`,
      text,
    )
    if (status < 300 && this.#isForeign(member, idsIn(decodeURIComponent(url.split('?')[0] ?? '')))) {
      this.leaks.push(`${member.mark} reached ${method} ${url}: ${status}`)
    }
  }

  /** The path of the other tenant. */
  async #elsewhere(member: Member, other: Member, at: number): Promise<void> {
    const {status, text} = await this.#fetch(
      member,
      at,
      'GET',
      `/t/${other.name}/_sandbox/state/account`,
      undefined,
    )
    if (status !== 401)
      this.leaks.push(`${member.mark} at the path of the other: ${status} ${text.slice(0, 100)}`)
  }

  /** A single-use page of the own service, with anybody's token. */
  async #page(member: Member, token: string, at: number): Promise<void> {
    const page = at % 2 === 0 ? 'card-data' : 'pin'
    const body = JSON.stringify(page === 'pin' ? {controlId: token} : {token})
    const {status, text} = await this.#fetch(member, at, 'POST', `/t/${member.name}/pages/${page}`, body)
    this.#judge(member, `page ${page} ${token}: ${status}`, body, text)
    if (status < 300 && this.#isForeign(member, idsIn(token))) this.leaks.push(`${member.mark} used ${token}`)
  }

  async #fetch(
    member: Member,
    at: number,
    method: string,
    path: string,
    body: string | undefined,
    key?: string,
  ) {
    this.requests++
    const response = await fetch((this.#urls[at % this.#urls.length] ?? '') + path, {
      method,
      headers: {
        authorization: `Bearer ${member.token}`,
        ...(body === undefined ? {} : {'content-type': 'application/json'}),
        ...(key === undefined ? {} : {'x-idempotency-key': key}),
      },
      ...(body === undefined ? {} : {body}),
    }).catch(() => undefined)
    return {status: response?.status ?? 599, text: (await response?.text().catch(() => '')) ?? ''}
  }

  #belongs(id: string): Member | undefined {
    const byName = this.#members.find(
      ({mark, digits}) => id.startsWith(mark) || (/^\d{9}$/.test(id) && id.startsWith(digits)),
    )
    return byName ?? this.#owners.get(id)
  }

  #isForeign(member: Member, ids: ReadonlySet<string>): boolean {
    const foreign = [...ids].some(
      id => this.#common.has(id) === false && (this.#belongs(id) ?? member) !== member,
    )
    if (foreign) this.foreignIds++
    return foreign
  }

  /** @param sent what the request itself named: a response may repeat it. */
  #judge(member: Member, request: string, sent: string, text: string): void {
    this.#isForeign(member, idsIn(sent))
    for (const id of idsIn(text)) {
      if (this.#common.has(id) || sent.includes(id) || member.sent.has(id)) continue
      const owner = this.#belongs(id)
      if (owner === undefined) this.#owners.set(id, member)
      if (owner === undefined || owner === member) member.ids.add(id)
      else this.leaks.push(`${member.mark} got ${id} by ${request.slice(0, 200)}`)
    }
  }
}
