// Two machines and one service: whatever each sends, by whichever command, nothing is booked more often than it was meant.
import {rm} from 'node:fs/promises'
import {join} from 'node:path'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

interface Row {
  readonly to: string
  readonly amount: number
  readonly text: string
}

const row = fc.record({
  to: fc.constantFrom('2007', '2005'),
  amount: fc.constantFrom(5, 7),
  text: fc.constantFrom('', 'Rent'),
})
/** Which of the payments a file has. */
const some = fc.array(fc.boolean(), {minLength: 6, maxLength: 6})
const step = fc.record({
  machine: fc.constantFrom(0, 1),
  way: fc.constantFrom(
    ...(['file', 'file', 'unmarked', 'api', 'only-new', 'plan', 'apply', 'retry-failed'] as const),
    ...(['failed-file', 'requests-retry', 'failed-file', 'rest', 'split', 'money', 'money'] as const),
  ),
  /** One of the files that people have. */
  file: fc.constantFrom(0, 1, 2),
  /** What becomes of the first request that sends transfers. */
  fate: fc.constantFrom(...(['booked', 'booked', 'booked', 'booked', 'booked', 'refused', 'lost'] as const)),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

test('no transfer is booked more often than the payments have it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, {minLength: 2, maxLength: 6}),
      fc.tuple(some, some),
      fc.array(step, {minLength: 4, maxLength: 12}),
      fc.boolean(),
      async (payments, files, steps, isEmpty) => {
        await using world = await World.open(payments, [[], ...files])
        if (isEmpty) await world.take({machine: 0, way: 'money', file: 0, fate: 'booked'})
        for (const one of steps) {
          await world.take(one)
          const booked = await world.booked()
          for (const [line, times] of booked)
            expect({line, times, done: world.done}).toEqual({
              line,
              times: Math.min(times, world.meant(line)),
              done: world.done,
            })
        }
      },
    ),
    {numRuns: RUNS},
  )
})

interface ItemAt {
  readonly fromId: string
  readonly toId: string
  readonly amount: number | string
  readonly status: string
}

interface BatchAt {
  readonly id: string
  readonly status: string
  readonly description?: string
  readonly failedTransferItems?: number
}

/** What is on the account. */
const MONEY = 10_000

const RUNS = 20

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

const lineOf = ({to, amount}: Pick<Row, 'to' | 'amount'>): string => `${to} ${amount}`

class World {
  readonly done: string[] = []
  readonly #payments: readonly Row[]
  /** All payments, and two parts of them. */
  readonly #files: readonly (readonly Row[])[]
  readonly #service: Service
  readonly #homes: readonly Home[]
  #fate: Step['fate'] = 'booked'
  #hasMoney = true
  #moved = 0

  private constructor(
    payments: readonly Row[],
    files: readonly (readonly boolean[])[],
    homes: readonly Home[],
    service: (world: () => World) => Service,
  ) {
    this.#payments = payments
    this.#files = files.map(file => payments.filter((_, at) => file[at] !== false))
    this.#homes = homes
    this.#service = service(() => this)
  }

  static async open(payments: readonly Row[], files: readonly (readonly boolean[])[]): Promise<World> {
    const homes = [await openHome(), await openHome()]
    let world: World | undefined
    const service = await openService(
      ({method}) =>
        method === 'POST' && world?.isRefused() ? reply(422, {title: 'No', status: 422}) : undefined,
      (own, {method}) => (method === 'POST' && world?.isLost() ? {...own, drop: true} : own),
    )
    world = new World(payments, files, homes, () => service)
    for (const home of homes)
      await home.json([
        ...['profiles', 'add', 'live', '--kind', 'live', '--base-url', service.url],
        ...['--profile-audit-user', 'aino'],
      ])
    return world
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#service.close(), ...this.#homes.map(home => home.remove())])
  }

  isRefused(): boolean {
    const isIt = this.#fate === 'refused'
    if (isIt) this.#fate = 'booked'
    return isIt
  }

  isLost(): boolean {
    const isIt = this.#fate === 'lost'
    if (isIt) this.#fate = 'booked'
    return isIt
  }

  /** How often a transfer may be booked. */
  meant(line: string): number {
    return this.#payments.filter(one => lineOf(one) === line).length
  }

  /** How often each was booked, or may still be. */
  async booked(): Promise<ReadonlyMap<string, number>> {
    const times = new Map<string, number>()
    for (const {fromId, toId, amount, status} of await this.#items()) {
      const line = lineOf({to: toId, amount: Number(amount)})
      if (fromId === '2006' && status !== 'FAILED' && this.meant(line) > 0)
        times.set(line, (times.get(line) ?? 0) + 1)
    }
    return times
  }

  async take({machine, way, file, fate}: Step): Promise<void> {
    const home = this.#homes[machine]
    if (home === undefined) throw new Error('there are two')
    const rows = this.#files[file] ?? []
    this.#fate = fate
    const code = await this.#go(home, way, rows)
    this.#fate = 'booked'
    await this.#settled()
    this.done.push(
      `${machine} ${way} ${rows.map(one => `${lineOf(one)} ${one.text}`).join(', ')} ${fate}: ${code}`,
    )
  }

  async #go(home: Home, way: Step['way'], rows: readonly Row[]): Promise<number | undefined> {
    const file = csv(rows)
    const create = ['a2a', 'create', '--from', '-']
    switch (way) {
      case 'file':
        return rows.length === 0 ? undefined : this.#run(home, create, rows, file)
      case 'unmarked':
        return rows.length === 0 ? undefined : this.#run(home, [...create, '--no-reference'], rows, file)
      case 'split':
        return rows.length === 0 ? undefined : this.#run(home, [...create, '--batch-size', '1'], rows, file)
      case 'only-new':
      case 'rest': {
        if (rows.length === 0) return undefined
        const flags = way === 'rest' ? ['--rest', '--batch-size', '1'] : ['--only-new']
        // How many are left is known from the question.
        return this.#guessed(home, [...create, ...flags], rows, file)
      }
      case 'api': {
        const transfers = rows.map(({to, amount, text}) => ({
          ...{fromAccountId: '2006', toAccountId: to, amount, currency: 'EUR', text},
        }))
        const api = ['api', 'POST', '/v1/a2a/batches', '--data', '-']
        return rows.length === 0 ? undefined : this.#run(home, api, rows, JSON.stringify({transfers}))
      }
      case 'plan': {
        if (rows.length === 0) return undefined
        await rm(join(home.folder, 'last.plan'), {force: true})
        const out = ['--out', join(home.folder, 'last.plan')]
        return this.#run(home, ['a2a', 'plan', '--from', '-', ...out], rows, file)
      }
      case 'apply':
        return this.#guessed(home, ['apply', join(home.folder, 'last.plan')], this.#payments)
      case 'retry-failed': {
        const failed = await this.#failed()
        if (failed === undefined) return undefined
        return this.#guessed(home, ['a2a', 'create', '--retry-failed', failed], this.#payments)
      }
      case 'failed-file': {
        const failed = await this.#failed()
        if (failed === undefined) return undefined
        const to = join(home.folder, 'failed.csv')
        await home.run(['a2a', 'get', failed, '--failed-to', to, '-p', 'live'])
        return this.#guessed(home, ['a2a', 'create', '--from', to], this.#payments)
      }
      case 'requests-retry': {
        const requests = await home.json<{id: string; effect: string}[]>([
          ...['requests', 'list', '--operation', 'a2a.create.v1', '-p', 'live'],
        ])
        const id = requests.find(({effect}) => effect === 'none')?.id
        if (id === undefined) return undefined
        return (await home.run(['requests', 'retry', id, '--confirm', id, '-p', 'live'])).code
      }
      case 'money':
        return this.#moveMoney()
    }
  }

  /** Without money on the account, transfers fail. */
  async #moveMoney(): Promise<number> {
    this.#fate = 'booked'
    this.#hasMoney = !this.#hasMoney
    const [from, to] = this.#hasMoney ? ['2002', '2006'] : ['2006', '2002']
    const booked = (await this.#items()).filter(({status}) => status === 'COMPLETED')
    const ofAccount = booked.filter(({fromId}) => fromId === '2006').map(({amount}) => Number(amount))
    const back = booked.filter(({toId}) => toId === '2006').map(({amount}) => Number(amount))
    const left = MONEY - sumOf(ofAccount) + sumOf(back)
    const amount = this.#hasMoney ? this.#moved : left
    this.#moved = amount
    const transfers = [{fromAccountId: from, toAccountId: to, amount, currency: 'EUR'}]
    const sent = await fetch(`${this.#service.url}/v1/a2a/batches?auditUser=me`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({description: 'money', transfers}),
    })
    return sent.status
  }

  async #run(home: Home, argv: readonly string[], rows: readonly Row[], stdin = ''): Promise<number> {
    const repeats = rows.length - new Set(rows.map(one => JSON.stringify(one))).size
    const total = rows.reduce((sum, {amount}) => sum + amount, 0)
    const agreed =
      argv[1] === 'plan' ? [] : ['--confirm-count', String(rows.length), '--confirm-total', `EUR:${total}`]
    const same = argv[0] === 'apply' || repeats === 0 ? [] : ['--same-rows', String(repeats)]
    return (await home.run([...argv, ...agreed, ...same, '-p', 'live'], {stdin})).code
  }

  /** Agrees to whatever the command says that it sends. */
  async #guessed(home: Home, argv: readonly string[], rows: readonly Row[], stdin = ''): Promise<number> {
    const flags = ['--confirm-count', '99', '-p', 'live']
    const repeats = Array.from({length: rows.length}, (_, at) => at)
    for (const same of argv[0] === 'apply' ? [0] : repeats) {
      const twice = same === 0 ? [] : ['--same-rows', String(same)]
      const asked = await home.run([...argv, ...flags, ...twice], {stdin})
      const [, count] = /There (?:is|are) (\d+) transfer/.exec(asked.stderr) ?? []
      if (count === undefined && !asked.stderr.includes('--same-rows')) return asked.code
      if (count === undefined) continue
      for (const total of totals(rows, Number(count))) {
        const agreed = ['--confirm-count', count, '--confirm-total', `EUR:${total}`, '-p', 'live']
        const sent = await home.run([...argv, ...agreed, ...twice], {stdin})
        if (!sent.stderr.includes('--confirm-total says')) return sent.code
      }
    }
    return -1
  }

  async #failed(): Promise<string | undefined> {
    return (await this.#batches()).find(
      ({description, failedTransferItems = 0}) => description !== 'money' && failedTransferItems > 0,
    )?.id
  }

  /** The service books a moment later. One batch of its demo data stays as it is. */
  async #settled(): Promise<void> {
    for (;;) {
      const open = (await this.#batches()).filter(({status}) => status === 'IN_PROGRESS')
      if (open.length <= 1) return
    }
  }

  async #items(): Promise<readonly ItemAt[]> {
    const pages = (await this.#batches()).map(({id}) => this.#read(`/${id}?auditUser=me&size=50`))
    return (await Promise.all(pages)).flatMap(({transfers}) => transfers.items)
  }

  async #batches(): Promise<readonly BatchAt[]> {
    return (await this.#read('?auditUser=me&size=50')).items
  }

  // biome-ignore lint/suspicious/noExplicitAny: what the service answers is looked at field by field
  async #read(path: string): Promise<any> {
    return (await fetch(`${this.#service.url}/v1/a2a/batches${path}`)).json()
  }
}

const csv = (rows: readonly Row[]): string =>
  `from,to,amount,currency,text\n${rows.map(({to, amount, text}) => `2006,${to},${amount},EUR,${text}\n`).join('')}`

/** Every sum that this many of the rows can add up to. */
function totals(rows: readonly Row[], count: number): readonly number[] {
  const sums = new Set<number>()
  for (let mask = 0; mask < 2 ** rows.length; mask++) {
    const chosen = rows.filter((_, at) => (mask >> at) % 2 === 1)
    if (chosen.length === count) sums.add(chosen.reduce((sum, {amount}) => sum + amount, 0))
  }
  return [...sums]
}
