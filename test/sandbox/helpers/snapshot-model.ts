// A sandbox with a random past is saved and loaded into another one; then both get the same calls, and must respond alike.
import type {Sandbox, SandboxOptions} from '../../../src/sandbox/index.ts'
import {createSandbox} from '../../../src/sandbox/index.ts'
import {ContractFuzz} from '../../helpers/contract-fuzz.ts'
import {seeded} from '../../helpers/random.ts'
import {foreseenRandom, START} from './sandbox.ts'

export interface ModelReport {
  /** Of the calls after the load. */
  readonly calls: number
  readonly successes: number
  readonly operations: number
  /** Calls with an idempotency key that the past had answered. */
  readonly replayed: number
  readonly rows: number
  /** Calls that the two sandboxes answered differently. */
  readonly differences: readonly string[]
}

interface ModelOptions {
  readonly seed: number
  /** Calls before the snapshot. */
  readonly past: number
  /** Calls after it. */
  readonly calls: number
  /** Where the second sandbox keeps its state. */
  readonly other?: Pick<SandboxOptions, 'file' | 'postgres'>
}

/** Everything that a sandbox draws, from the beginning again after `rewind`. */
class Surroundings {
  readonly #start: number
  #passed = 0
  #bytes = foreseenRandom()
  #numbers = seeded(1)

  constructor(start: number) {
    this.#start = start
  }

  readonly options: SandboxOptions = {
    now: () => this.#start + this.#passed,
    monotonic: () => 0,
    random: size => this.#bytes(size),
    chance: () => this.#numbers(),
    sleep: async () => undefined,
    idempotency: 'all',
  }

  pass(ms: number): void {
    this.#passed += ms
  }

  rewind(): void {
    this.#bytes = foreseenRandom()
    this.#numbers = seeded(1)
  }
}

interface Call {
  readonly operation: string
  readonly method: string
  readonly url: string
  readonly body: string
  readonly key: string | undefined
  /** How long after the call before. */
  readonly afterMs: number
}

/** Ids of the demo data, by what the name of the field or the operation says. */
const DEMO: readonly (readonly [RegExp, readonly string[]])[] = [
  [/customer/i, ['1001', '1002', '1003']],
  [/account/i, ['2001', '2002', '2003', '2006', '2007']],
  [/plastic|pincontrol/i, ['7001', '7002']],
  [/period/i, ['6001', '6003']],
  [/pricelist/i, ['5001', '5002']],
  [/a2a|batch/i, ['88000', '88001']],
  [/authorisation/i, ['a_0', 'a_1']],
  [/./, ['3001', '3002', '3003']],
]
const demoIds = (name: string, operation: string): readonly string[] =>
  (DEMO.slice(0, -1).find(([pattern]) => pattern.test(name)) ??
    DEMO.find(([pattern]) => pattern.test(operation)))?.[1] ?? []

/** The clock of the machine is in these, and it is another one after the load. */
const OF_THE_MACHINE = new Set(['sandbox.reset', 'sandbox.snapshot.take', 'sandbox.snapshot.load'])

function callsOf(seed: number, count: number, ids: Set<string>): () => Call {
  const random = seeded(seed)
  let made = 0
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const fuzz = new ContractFuzz({
    random,
    text: () => `text ${made}`,
    id: (name, operation) =>
      random() < 0.8 || ids.size === 0 ? one(demoIds(name, operation)) : one([...ids].slice(-40)),
  })
  return () => {
    made++
    let request = fuzz.request()
    while (OF_THE_MACHINE.has(request.operation)) request = fuzz.request()
    const {operation, method, url, body} = request
    const key = random() < 0.5 ? `key-${Math.floor(random() * count)}` : undefined
    const afterMs = random() < 0.02 ? 3_600_000 : 1000
    return {operation, method, url, body: body === undefined ? '' : JSON.stringify(body), key, afterMs}
  }
}

const IDS = /"(?:id|batchId|transactionId|controlId|token)":"([^"]{1,60})"/g

async function send(
  sandbox: Sandbox,
  {method, url, body, key}: Call,
): Promise<{status: number; text: string; headers: string}> {
  const {
    status,
    headers,
    body: bytes,
    drop,
  } = await sandbox.handle({
    method,
    url,
    headers: {
      ...(body === '' ? {} : {'content-type': 'application/json'}),
      ...(key === undefined ? {} : {'x-idempotency-key': key}),
    },
    body,
  })
  return {
    status: drop ? 0 : status,
    text: Buffer.from(bytes).toString('utf8'),
    headers: JSON.stringify(headers),
  }
}

/** Problems have the time of the machine, and the clock says how far it is from it. */
const withoutMachine = (text: string): string =>
  text.replace(/"timestamp":"[^"]*"/, '"timestamp":"…"').replace(/"offsetMs":-?\d+/, '"offsetMs":0')

export async function snapshotModel({seed, past, calls, other = {}}: ModelOptions): Promise<ModelReport> {
  const [here, there] = [new Surroundings(START), new Surroundings(START + 40 * 86_400_000)]
  const one = await createSandbox(here.options)
  const ids = new Set<string>()
  const earlier: Call[] = []
  const next = callsOf(seed, past, ids)
  try {
    // The key is made at first use.
    await one.handle({method: 'GET', url: '/.well-known/jwks.json'})
    for (let at = 0; at < past; at++) {
      const call = next()
      here.pass(call.afterMs)
      const {text} = await send(one, call)
      for (const [, id = ''] of text.matchAll(IDS)) ids.add(id)
      if (call.key !== undefined) earlier.push(call)
      // Most faults would end the past.
      if (call.operation === 'sandbox.faults.add' && at % 10 !== 0) await clearFaults(one)
    }
    const snapshot = await one.snapshot()
    const copy: unknown = JSON.parse(JSON.stringify(snapshot))
    const two = await createSandbox({...there.options, ...other})
    try {
      await two.load(copy as typeof snapshot)
      here.rewind()
      there.rewind()
      return {rows: snapshot.rows, ...(await compare())}
    } finally {
      await two.close()
    }

    async function compare(): Promise<Omit<ModelReport, 'rows'>> {
      const differences: string[] = []
      const operations = new Set<string>()
      let successes = 0
      let replayed = 0
      for (let at = 0; at < calls; at++) {
        const again = at % 5 === 0 ? earlier[(at * 7) % Math.max(1, earlier.length)] : undefined
        const call = again ?? next()
        here.pass(call.afterMs)
        there.pass(call.afterMs)
        const [own, loaded] = [await send(one, call), await send(two, call)]
        if (own.status > 0 && own.status < 300) {
          successes++
          operations.add(call.operation)
        }
        if (own.headers.includes('x-idempotent-replayed')) replayed++
        for (const [, id = ''] of own.text.matchAll(IDS)) ids.add(id)
        const isSame =
          own.status === loaded.status && withoutMachine(own.text) === withoutMachine(loaded.text)
        if (!isSame)
          differences.push(
            `${call.operation} ${call.url} ${call.body}: ${own.status} ${own.text} <> ${loaded.status} ${loaded.text}`,
          )
        if (call.operation === 'sandbox.faults.add' && at % 10 !== 0)
          for (const sandbox of [one, two]) await clearFaults(sandbox)
      }
      return {calls, successes, operations: operations.size, replayed, differences}
    }
  } finally {
    await one.close()
  }
}

const clearFaults = (sandbox: Sandbox) => sandbox.handle({method: 'DELETE', url: '/_sandbox/faults'})
