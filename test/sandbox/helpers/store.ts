// The store that the tests of the sandbox use: SQLite, or PostgreSQL in the project that has it. There, a file's path is
// the name of a tenant.
import {createHash, randomUUID} from 'node:crypto'
import {beforeEach, inject} from 'vitest'
import type {SandboxOptions} from '../../../src/sandbox/index.ts'
import {connections} from '../../../src/sandbox/store/postgres/connect.ts'
import {openPostgresStore} from '../../../src/sandbox/store/postgres/open-postgres-store.ts'
import {openSqliteStore} from '../../../src/sandbox/store/sqlite-store.ts'
import type {Store} from '../../../src/sandbox/store/store.ts'
import {addTenant, findTenant} from '../../../src/sandbox/team.ts'
import {Secret} from '../../../src/sensitive/secret.ts'

/** A store of its own, or the one of this name. */
export async function openStore(file?: string): Promise<Store> {
  const {postgres} = await storeOptions(file)
  return postgres === undefined ? openSqliteStore(file) : openPostgresStore(postgres)
}

const nameOf = (file: string) => createHash('sha256').update(file).digest('hex').slice(0, 40)

/** The options of a sandbox on such a store. @param url the database, if not the one that all tests of the project share. */
export async function storeOptions(
  file?: string,
  url = inject('postgres'),
): Promise<Pick<SandboxOptions, 'file' | 'postgres'>> {
  if (url === undefined) return file === undefined ? {} : {file}
  const tenant = file === undefined ? randomUUID() : nameOf(file)
  const options = {url: new Secret(url), tenant, connections: 2}
  const opened = await connections(options)
  if ((await findTenant(opened, tenant)) === undefined) await addTenant(opened, tenant)
  await opened.pool.end()
  return {postgres: options}
}

/** Skips the tests of this file where the project has no database. */
export function skipWithoutPostgres(): void {
  beforeEach(({skip}) => skip(inject('postgres') === undefined, 'PostgreSQL is not installed'))
}
