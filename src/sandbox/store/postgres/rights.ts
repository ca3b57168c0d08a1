import type {PoolClient} from 'pg'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {codeOf, READ_ONLY} from '../../../postgres/reasons.ts'
import {storeUnavailable} from './connect.ts'
import {isolatedTables, ROLE, SCHEMA, TENANT_SETTING} from './schema.ts'

type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'

const WORK: readonly Privilege[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']

/** What the role of the sandbox may do, by table. It may do nothing with other tables. */
export const rights: ReadonlyMap<string, readonly Privilege[]> = new Map<string, readonly Privilege[]>([
  ...isolatedTables.map((table): [string, readonly Privilege[]] => [table, WORK]),
  ['versions', ['SELECT']],
])

const FORBIDDEN = '42501'

/** Before the tables are created or upgraded: the role, and what the user needs to do it. @throws Failure */
export async function prepareRights(client: PoolClient, shown: string): Promise<void> {
  const user = await text(client, 'SELECT quote_ident(current_user)')
  const tries = new Attempts(client)
  if ((await text(client, `SELECT 1 FROM pg_roles WHERE rolname = '${ROLE}'`)) === '') {
    await tries.run(`CREATE ROLE ${ROLE} NOLOGIN;`)
  }
  if (!(await isAllowed(client, `SET LOCAL ROLE ${ROLE}`))) await tries.run(`GRANT ${ROLE} TO ${user};`)
  if ((await text(client, `SELECT 1 FROM pg_namespace WHERE nspname = '${SCHEMA}'`)) === '') {
    const mayCreate = await text(client, "SELECT has_database_privilege(current_database(), 'CREATE')")
    if (mayCreate !== 'true') tries.refused.push(`CREATE SCHEMA ${SCHEMA} AUTHORIZATION ${user};`)
  } else tries.refused.push(...(await foreignOwners(client)))
  tries.end(shown)
}

/** Once the tables are there: what the role lacks, for example after a restore without its rights. @throws Failure */
export async function grantRights(client: PoolClient, shown: string): Promise<void> {
  const tries = new Attempts(client)
  for (const right of await missingRights(client)) await tries.run(right)
  tries.end(shown)
}

/**
 * Reads as a tenant does: as the role, and by row-level security.
 *
 * @returns whether it sees what is a tenant's.
 * @throws Failure STORE_UNAVAILABLE if the role lacks a right or the database takes no writes; the driver's error
 */
export async function readAsTenant(client: PoolClient, shown: string): Promise<boolean> {
  if ((await text(client, "SELECT current_setting('transaction_read_only')")) === 'on') {
    throw storeUnavailable(shown, Object.assign(new Error('read-only'), {code: READ_ONLY}))
  }
  const missing = await missingRights(client)
  if (missing.length > 0 || !(await isAllowed(client, `SET LOCAL ROLE ${ROLE}`))) {
    throw new Failure('STORE_UNAVAILABLE', {
      message: `Can't use the database ${shown}: the role ${ROLE} or the user lacks a permission.`,
      hint: advice`Run ${cardctl('sandbox', 'store', 'migrate', '--store', {value: 'REF'})}, which grants what is missing, or says who must.`,
    })
  }
  const tenant = await text(client, `SELECT min(id) FROM ${SCHEMA}.tenants`)
  await client.query(`SET LOCAL ROLE ${ROLE}; SET LOCAL ${TENANT_SETTING} = ${tenant || 0}`)
  const own = `SELECT tenant FROM ${SCHEMA}.stores WHERE tenant = ${tenant || 0} AND marks IS NOT NULL`
  const seen = await text(client, own)
  return seen === tenant
}

/** The statements that give the role what it lacks. */
async function missingRights(client: PoolClient): Promise<readonly string[]> {
  const wanted = [...rights].flatMap(([table, privileges]) => privileges.map(each => [table, each] as const))
  const {rows} = await client.query<{sql: string}>(
    `SELECT format('GRANT %s ON ${SCHEMA}.%I TO ${ROLE};', string_agg(privilege, ', '), name) AS sql
     FROM unnest($1::text[], $2::text[]) AS wanted (name, privilege)
     JOIN pg_class c ON c.relname = name AND c.relnamespace = '${SCHEMA}'::regnamespace
     WHERE EXISTS (SELECT FROM pg_roles WHERE rolname = '${ROLE}') AND NOT has_table_privilege('${ROLE}', c.oid, privilege)
     GROUP BY name ORDER BY name`,
    [wanted.map(([table]) => table), wanted.map(([, privilege]) => privilege)],
  )
  const {rows: schema} = await client.query(
    `SELECT 1 FROM pg_roles WHERE rolname = '${ROLE}' AND NOT has_schema_privilege(rolname, '${SCHEMA}', 'USAGE')`,
  )
  return [...schema.map(() => `GRANT USAGE ON SCHEMA ${SCHEMA} TO ${ROLE};`), ...rows.map(({sql}) => sql)]
}

/** The statements that give the user what somebody else owns, for example after a restore by another user. */
async function foreignOwners(client: PoolClient): Promise<readonly string[]> {
  const {rows} = await client.query<{sql: string}>(
    `SELECT format('ALTER %s OWNER TO %I;', what, current_user) AS sql FROM (
       SELECT 1 AS place, 'SCHEMA ${SCHEMA}' AS what, nspowner AS owner FROM pg_namespace WHERE nspname = '${SCHEMA}'
       UNION ALL SELECT 2, 'TABLE ' || oid::regclass, relowner FROM pg_class
         WHERE relnamespace = '${SCHEMA}'::regnamespace AND relkind = 'r'
       UNION ALL SELECT 3, 'FUNCTION ' || oid::regprocedure, proowner FROM pg_proc
         WHERE pronamespace = '${SCHEMA}'::regnamespace) AS owned
     WHERE NOT pg_has_role(owner, 'USAGE') ORDER BY place, what`,
  )
  return rows.map(({sql}) => sql)
}

/** Statements that an administrator must run if the user may not. */
class Attempts {
  readonly #client: PoolClient
  readonly refused: string[] = []

  constructor(client: PoolClient) {
    this.#client = client
  }

  async run(sql: string): Promise<void> {
    if (this.refused.length > 0 || !(await isAllowed(this.#client, sql, true))) this.refused.push(sql)
  }

  /** @throws Failure with the statements. */
  end(shown: string): void {
    if (this.refused.length === 0) return
    throw new Failure('STORE_UNAVAILABLE', {
      message: `The user lacks permissions in the database ${shown}. Nothing was changed.`,
      hint: `Let an administrator run this in that database, then run the command again: ${this.refused.join(' ')}`,
      data: {statements: this.refused},
    })
  }
}

/** Runs a statement, and takes it back unless it is to stay. @returns whether the user may. */
async function isAllowed(client: PoolClient, sql: string, stays = false): Promise<boolean> {
  await client.query('SAVEPOINT attempt')
  try {
    await client.query(sql)
    await client.query(stays ? 'RELEASE SAVEPOINT attempt' : 'ROLLBACK TO SAVEPOINT attempt')
    return true
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT attempt')
    // Another database of this server created the role at the same moment.
    if (/^(42710|23505)$/.test(codeOf(error))) return true
    // 22023: the role does not exist.
    if (codeOf(error) === FORBIDDEN || codeOf(error) === '22023') return false
    throw error
  }
}

/** The only value of a query, as text; empty for null or no row. */
async function text(client: PoolClient, sql: string): Promise<string> {
  const {rows} = await client.query<Record<string, unknown>>(sql)
  return String(Object.values(rows[0] ?? {})[0] ?? '')
}
