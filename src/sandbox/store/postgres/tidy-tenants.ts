import type {Connections} from '../../../postgres/connect.ts'
import {ask} from '../../../postgres/query.ts'
import type {Store} from '../store.ts'
import {storeUnavailable} from './connect.ts'
import {openPostgresTenant} from './open-postgres-store.ts'
import {SCHEMA} from './schema.ts'
import type {Tenant} from './tenants.ts'

/** Tenants that are looked at in one round. */
const EACH_ROUND = 20

/** Goes through all tenants, some at a time and again and again, also through those that nobody uses. */
export class TenantRounds {
  readonly #connections: Connections
  readonly #tidy: (store: Store) => Promise<unknown>
  /** Id of the tenant that was looked at last. */
  #last = 0

  constructor(connections: Connections, tidy: (store: Store) => Promise<unknown>) {
    this.#connections = connections
    this.#tidy = tidy
  }

  /** @throws Failure STORE_UNAVAILABLE */
  async next(): Promise<void> {
    const tenants = await ask<Pick<Tenant, 'id' | 'maxRows'>>(this.#connections, {
      text: `SELECT id, max_rows::float8 AS "maxRows" FROM ${SCHEMA}.tenants WHERE id > $1 ORDER BY id LIMIT ${EACH_ROUND}`,
      values: [this.#last],
    }).catch((error: unknown) => {
      throw storeUnavailable(this.#connections.shown, error)
    })
    this.#last = tenants.length < EACH_ROUND ? 0 : (tenants.at(-1)?.id ?? 0)
    for (const tenant of tenants) {
      const store = openPostgresTenant(this.#connections, tenant, {})
      // Another process may remove the tenant now.
      await this.#tidy(store).catch(() => undefined)
      await store.close()
    }
  }
}
