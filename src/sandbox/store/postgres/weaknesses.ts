import type {PoolClient} from 'pg'
import {rights} from './rights.ts'
import {isolatedTables, otherTables, POLICY, ROLE, SCHEMA, TAKE_CALLS} from './schema.ts'

const TABLES = [...isolatedTables, ...otherTables]

/** What somebody has changed that lets a tenant's rows be seen or changed by others, as sentences. */
export async function weaknesses(client: PoolClient, isNewer: boolean): Promise<readonly string[]> {
  const found = [
    ...(await roleFaults(client)),
    ...(await ownerFaults(client)),
    ...(await policyFaults(client)),
    ...(await grantFaults(client)),
    ...(await detourFaults(client)),
  ]
  // A newer cardctl may have added tables.
  return isNewer ? found : [...found, ...(await strangers(client))]
}

async function roleFaults(client: PoolClient): Promise<readonly string[]> {
  const [role] = await rowsOf<{bypasses: boolean; login: boolean; members: string[]; groups: string[]}>(
    client,
    `SELECT rolsuper OR rolbypassrls AS bypasses, rolcanlogin AS login,
       ARRAY(SELECT DISTINCT m.rolname::text FROM pg_auth_members a JOIN pg_roles m ON m.oid = a.member
         WHERE a.roleid = r.oid AND NOT m.rolsuper AND m.rolname <> current_user AND m.oid <> n.nspowner ORDER BY 1) AS members,
       ARRAY(SELECT DISTINCT g.rolname::text FROM pg_auth_members a JOIN pg_roles g ON g.oid = a.roleid
         WHERE a.member = r.oid ORDER BY 1) AS groups
     FROM pg_roles r, pg_namespace n WHERE r.rolname = '${ROLE}' AND n.nspname = '${SCHEMA}'`,
  )
  if (role === undefined) return []
  return [
    ...(role.bypasses ? [`The role ${ROLE} bypasses row-level security.`] : []),
    ...(role.login ? [`The role ${ROLE} may log in.`] : []),
    ...role.members.map(name => `The role ${name} may act as ${ROLE}, for any tenant.`),
    ...role.groups.map(name => `The role ${ROLE} has the rights of ${name}.`),
  ]
}

/** Who owns a table may switch off its row-level security. */
async function ownerFaults(client: PoolClient): Promise<readonly string[]> {
  const found = await rowsOf<{name: string; owner: string}>(
    client,
    `SELECT name, pg_get_userbyid(owner) AS owner FROM (
       SELECT relname::text AS name, relowner AS owner FROM pg_class
         WHERE relnamespace = '${SCHEMA}'::regnamespace AND relkind IN ('r', 'p')
       UNION ALL SELECT proname || '()', proowner FROM pg_proc WHERE pronamespace = '${SCHEMA}'::regnamespace
       UNION ALL SELECT 'the schema ${SCHEMA}', nspowner FROM pg_namespace WHERE nspname = '${SCHEMA}') AS owned
     WHERE pg_get_userbyid(owner) = '${ROLE}'
       OR owner <> (SELECT nspowner FROM pg_namespace WHERE nspname = '${SCHEMA}') ORDER BY name`,
  )
  return found.map(({name, owner}) => `The role ${owner} owns ${name}.`)
}

async function policyFaults(client: PoolClient): Promise<readonly string[]> {
  const found = await rowsOf<{name: string; forced: boolean; policies: string[]}>(
    client,
    `SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS forced,
       ARRAY(SELECT concat_ws('|', polname, polpermissive, polcmd, polroles::text,
           pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
         FROM pg_policy WHERE polrelid = c.oid ORDER BY polname) AS policies
     FROM pg_class c WHERE relnamespace = '${SCHEMA}'::regnamespace AND relname = ANY($1) ORDER BY relname`,
    [isolatedTables],
  )
  const wanted = plain(`own_rows|t|*|{0}|${POLICY}`)
  const isRight = ([first = '', ...others]: readonly string[]) =>
    plain(first) === wanted && others.length === 0
  return [
    ...sentence(
      'Row-level security is off for',
      found.filter(({forced}) => !forced),
    ),
    ...sentence(
      'The policies differ from those of cardctl for',
      found.filter(({policies}) => !isRight(policies)),
    ),
  ]
}

/** An expression without what PostgreSQL adds when it prints it. */
const plain = (expression: string): string => expression.toLowerCase().replaceAll(/[\s()]|::text/g, '')

/** Rights that cardctl has given to nobody. Whoever has one reads the rows of all tenants, or changes them. */
async function grantFaults(client: PoolClient): Promise<readonly string[]> {
  const granted = await rowsOf<{name: string; grantee: string; privilege: string; passes: boolean}>(
    client,
    `SELECT name, CASE grantee WHEN 0 THEN 'public' ELSE pg_get_userbyid(grantee) END AS grantee,
       privilege_type AS privilege, is_grantable AS passes
     FROM (
       SELECT relname::text AS name, relowner AS owner, relacl AS acl FROM pg_class
         WHERE relnamespace = '${SCHEMA}'::regnamespace AND relkind <> 'i'
       UNION ALL SELECT format('%s.%s', relname, attname), relowner, attacl FROM pg_attribute a
         JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = '${SCHEMA}'::regnamespace
       UNION ALL SELECT 'the schema ${SCHEMA}', nspowner, nspacl FROM pg_namespace WHERE nspname = '${SCHEMA}'
     ) AS objects, aclexplode(acl) WHERE grantee <> owner ORDER BY 1, 2, 3`,
  )
  const isMeant = ({name, grantee, privilege, passes}: (typeof granted)[number]) =>
    grantee === ROLE &&
    !passes &&
    (name === `the schema ${SCHEMA}`
      ? privilege === 'USAGE'
      : rights.get(name)?.some(each => each === privilege))
  const faults = Map.groupBy(
    granted.filter(each => !isMeant(each)),
    ({grantee, privilege, passes}) =>
      `The role ${grantee} has ${privilege}${passes ? ', and may grant it,' : ''} on`,
  )
  return [...faults].flatMap(([text, objects]) => sentence(text, objects))
}

/** Ways to the rows that row-level security does not check as the role: with the rights of somebody else. */
async function detourFaults(client: PoolClient): Promise<readonly string[]> {
  const found = await rowsOf<{what: string; name: string; table: string}>(
    client,
    `SELECT DISTINCT what, name, relname::text AS table FROM (
       SELECT CASE c.relkind WHEN 'r' THEN 'rule' ELSE 'view' END AS what,
         CASE c.relkind WHEN 'r' THEN r.rulename::text ELSE r.ev_class::regclass::text END AS name, d.refobjid AS used
         FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class c ON c.oid = r.ev_class
         WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
       UNION ALL SELECT 'function', objid::regprocedure::text, refobjid FROM pg_depend
         WHERE classid = 'pg_proc'::regclass AND refclassid = 'pg_class'::regclass
       UNION ALL SELECT 'trigger', tgname::text, tgrelid FROM pg_trigger WHERE NOT tgisinternal
       UNION ALL SELECT 'parent table', inhparent::regclass::text, inhrelid FROM pg_inherits
     ) AS detours JOIN pg_class t ON t.oid = used
     WHERE t.relnamespace = '${SCHEMA}'::regnamespace AND t.relkind IN ('r', 'p') ORDER BY 1, 2, 3`,
  )
  const byName = Map.groupBy(found, ({what, name}) => `The ${what} ${name} uses`)
  return [...byName].flatMap(([text, all]) =>
    sentence(
      text,
      all.map(({table}) => ({name: table})),
    ),
  )
}

/** What is in the schema and not of cardctl. */
async function strangers(client: PoolClient): Promise<readonly string[]> {
  const found = await rowsOf<{name: string}>(
    client,
    `SELECT relname::text AS name FROM pg_class WHERE relnamespace = '${SCHEMA}'::regnamespace
       AND relkind NOT IN ('i', 'S') AND NOT (relkind = 'r' AND relname = ANY($1))
     UNION ALL SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = '${SCHEMA}'::regnamespace
       AND (proname <> $2 OR prosecdef) ORDER BY 1`,
    [TABLES, TAKE_CALLS],
  )
  return sentence(`In the schema ${SCHEMA}, these are not of cardctl:`, found)
}

const sentence = (text: string, all: readonly {readonly name: string}[]): readonly string[] =>
  all.length === 0 ? [] : [`${text} ${all.map(({name}) => name).join(', ')}.`]

async function rowsOf<Row extends object>(
  client: PoolClient,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const {rows} = await client.query(sql, [...values])
  return rows as Row[]
}
