// A service on a port, a home beside it, and what really happened at the service.
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createSandbox} from '../../../src/sandbox/index.ts'
import {openSqliteStore} from '../../../src/sandbox/store/sqlite-store.ts'
import type {Store} from '../../../src/sandbox/store/store.ts'
import {type CuttingProxy, type CuttingProxyOptions, cuttingProxy} from '../../helpers/cutting-proxy.ts'
import {ProcessHome, type ProcessHomeOptions, type Served, serveSandbox} from '../../helpers/process-home.ts'
import {withoutDemo} from './without-demo.ts'

export interface WorldOptions extends ProcessHomeOptions {
  /** Credit accounts beside those of the demo data, numbered from `FIRST_ACCOUNT`. */
  readonly accounts?: number
  /** What happens between the tool and the service. */
  readonly nextFault?: CuttingProxyOptions['next']
  /** Sees what passes between them; with a fault only. */
  readonly passed?: CuttingProxyOptions['passed']
  readonly serve?: readonly string[]
}

export const FIRST_ACCOUNT = 100_001

/** A transfer as the service has it. */
export interface Booked {
  readonly text: string | null
  readonly status: string
  readonly description: string | null
}

/** The profile is `world`, of kind sandbox. */
export class World {
  readonly folder: string
  readonly home: ProcessHome
  readonly service: Served
  readonly proxy: CuttingProxy | undefined
  readonly #store: Store

  private constructor(
    folder: string,
    home: ProcessHome,
    service: Served,
    proxy: CuttingProxy | undefined,
    store: Store,
  ) {
    this.folder = folder
    this.home = home
    this.service = service
    this.proxy = proxy
    this.#store = store
  }

  static async open({
    accounts = 0,
    nextFault: fault,
    passed,
    serve = [],
    env = {},
    ...program
  }: WorldOptions = {}): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'cardctl-world-'))
    const file = join(folder, 'service', 'sandbox.db')
    // The demo data first; the further accounts go into its store.
    await (await createSandbox({file})).close()
    const store = openSqliteStore(file)
    await store.transaction(async tx => {
      const model = await tx.accounts.get('2001')
      if (model === undefined) throw new Error('the demo data has no account 2001')
      for (let at = 0; at < accounts; at++) {
        const id = String(FIRST_ACCOUNT + at)
        await tx.accounts.put({...model, id, number: `9${id}`})
      }
    })
    const home = new ProcessHome(folder, {...program, env: {CARDCTL_PROFILE: 'world', ...env}})
    const service = await serveSandbox(home, '--data', join(folder, 'service'), ...serve)
    const proxy = fault && (await cuttingProxy({to: service.url, next: fault, passed}))
    await home.addProfile('world', proxy?.url ?? service.url)
    return new World(folder, home, service, proxy, store)
  }

  /** How many updates took effect, for each of the further accounts. */
  async effects(): Promise<readonly number[]> {
    const accounts = await this.#store.read(tx => tx.accounts.list())
    return accounts.filter(({id}) => Number(id) >= FIRST_ACCOUNT).map(({effects}) => effects)
  }

  /** The credit limit of each of the further accounts. */
  async limits(): Promise<ReadonlyMap<number, unknown>> {
    const accounts = await this.#store.read(tx => tx.accounts.list())
    return new Map(accounts.map(({id, members}) => [Number(id), members.creditLimit]))
  }

  /** The sum over all accounts of customers, in minor units by currency. */
  async totals(): Promise<Readonly<Record<string, bigint>>> {
    const sums: Record<string, bigint> = {}
    for (const {accountId, currency, booked} of await this.#store.read(tx => tx.balances.list())) {
      if (!accountId.startsWith('system:')) sums[currency] = (sums[currency] ?? 0n) + BigInt(booked)
    }
    return sums
  }

  /** All transfers, once every batch has ended. */
  async transfers(): Promise<readonly Booked[]> {
    for (;;) {
      const {batches, items} = await this.#store.read(async tx => ({
        batches: withoutDemo(await tx.batches.list()),
        items: await tx.transferItems.list(),
      }))
      if (batches.every(({status}) => status !== 'IN_PROGRESS')) {
        const descriptions = new Map(batches.map(({id, description}) => [id, description]))
        const own = items.filter(({batchId}) => descriptions.has(batchId))
        return own.map(({text, status, batchId}) => ({
          text,
          status,
          description: descriptions.get(batchId) ?? null,
        }))
      }
      // A request makes the service catch up with what is open.
      await fetch(`${this.service.url}/_sandbox/info`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  async close(): Promise<void> {
    await this.proxy?.close()
    await this.service.close()
    await this.#store.close()
    await rm(this.folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
  }
}
