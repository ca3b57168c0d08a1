import type {PoolClient} from 'pg'
import {rights} from './rights.ts'
import {isolatedTables, OTHERS, otherTables, POLICY, ROLE, SCHEMA, TAKE_CALLS} from './schema.ts'

const TABLES = [...isolatedTables, ...otherTables]

/** What somebody has changed that lets a tenant's rows be seen or changed by others, as sentences. */
export async function weaknesses(client: PoolClient, isNewer: boolean): Promise<readonly string[]> {
  const found = [
    ...(await roleFaults(client)),
    ...(await ownerFaults(client)),
    ...(await policyFaults(client)),
    ...(await grantFaults(client)),
    ...(await detourFaults(client)),
    ...(await definerFaults(client)),
    ...(await settingFaults(client)),
  ]
  // A newer cardctl may have added tables and columns.
  return isNewer ? found : [...found, ...(await strangers(client))]
}

/** Superusers may do everything anyway. Before PostgreSQL 16, CREATEROLE makes a role a member of any other. */
async function roleFaults(client: PoolClient): Promise<readonly string[]> {
  const found = await rowsOf<{fault: string}>(
    client,
    `WITH owner AS (SELECT o.* FROM pg_roles o JOIN pg_namespace ON nspowner = o.oid WHERE nspname = '${SCHEMA}'),
       others AS (SELECT r.* FROM pg_roles r, owner o
         WHERE NOT r.rolsuper AND r.oid <> o.oid AND r.rolname NOT IN ('${ROLE}', current_user))
     SELECT format('The role %s bypasses row-level security.', rolname) AS fault FROM pg_roles
       WHERE rolname IN ('${ROLE}', current_user) AND (rolsuper OR rolbypassrls)
     UNION ALL SELECT 'The role ${ROLE} may log in.' FROM pg_roles WHERE rolname = '${ROLE}' AND rolcanlogin
     UNION ALL SELECT format('The role %s may act as %s, for any tenant.', r.rolname, g.rolname)
       FROM others r, pg_roles g WHERE (g.rolname = '${ROLE}' OR g.oid = (SELECT oid FROM owner))
         AND pg_has_role(r.oid, g.oid, 'MEMBER')
     UNION ALL SELECT format('The role %s may make itself a member of every role.', rolname) FROM others
       WHERE rolcreaterole AND current_setting('server_version_num')::integer < 160000
     UNION ALL SELECT DISTINCT format('The role ${ROLE} has the rights of %s.', g.rolname)
       FROM pg_auth_members a JOIN pg_roles g ON g.oid = a.roleid JOIN pg_roles r ON r.oid = a.member
       WHERE r.rolname = '${ROLE}' ORDER BY 1`,
  )
  return found.map(({fault}) => fault)
}

/** A function that the role may call, with the rights of somebody who reads our tables. Extensions have their own. */
async function definerFaults(client: PoolClient): Promise<readonly string[]> {
  const found = await rowsOf<{name: string}>(
    client,
    `SELECT p.oid::regprocedure::text AS name FROM pg_proc p JOIN pg_roles r ON r.rolname = '${ROLE}'
     WHERE prosecdef AND has_function_privilege(r.oid, p.oid, 'EXECUTE') AND has_schema_privilege(r.oid, pronamespace, 'USAGE')
       AND EXISTS (SELECT FROM pg_class c WHERE relnamespace = '${SCHEMA}'::regnamespace AND relkind = 'r'
         AND has_table_privilege(proowner, c.oid, 'SELECT'))
       AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
     ORDER BY 1`,
  )
  return sentence(
    `The role ${ROLE} may call functions with the rights of somebody who reads all rows:`,
    found,
  )
}

/** What sessions begin with that changes whose rows are seen, or what the names in a statement mean. */
async function settingFaults(client: PoolClient): Promise<readonly string[]> {
  const found = await rowsOf<{name: string}>(
    client,
    `SELECT format('%s for %s', split_part(entry, '=', 1), coalesce(rolname, 'every role')) AS name
     FROM pg_db_role_setting CROSS JOIN unnest(setconfig) AS entry LEFT JOIN pg_roles r ON r.oid = setrole
     WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
       AND entry ~ '^(cardctl[.]|row_security=|role=|session_replication_role=|search_path=.*pg_catalog)' ORDER BY 1`,
  )
  return sentence('Sessions begin with a setting that is not of cardctl:', found)
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

/** Exactly one policy for each table, and row-level security. */
export async function policyFaults(client: PoolClient): Promise<readonly string[]> {
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
       UNION ALL SELECT format('tables that %s creates', defaclrole::regrole), defaclrole, defaclacl
         FROM pg_default_acl, pg_namespace WHERE nspname = '${SCHEMA}' AND defaclobjtype IN ('r', 'S')
           AND (defaclnamespace = pg_namespace.oid OR defaclnamespace = 0 AND defaclrole = nspowner)
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
       UNION ALL SELECT 'child table', inhrelid::regclass::text, inhparent FROM pg_inherits
       UNION ALL SELECT 'constraint', conname::text, unnest(ARRAY[conrelid, confrelid]) FROM pg_constraint
         WHERE contype = 'c' OR contype = 'f' AND (confrelid <> '${SCHEMA}.tenants'::regclass
           OR connamespace <> '${SCHEMA}'::regnamespace)
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

/** The columns with a default, and what it is. */
const DEFAULTS = [
  'commits.at now()',
  `stores.marks jsonb_build_object('${OTHERS}', (gen_random_uuid())::text)`,
  'tenants.created_at now()',
  'tokens.created_at now()',
  'versions.at now()',
]

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
  const defaults = await rowsOf<{name: string}>(
    client,
    `SELECT format('%s.%s %s', relname, attname, pg_get_expr(adbin, adrelid)) AS name FROM pg_attrdef
       JOIN pg_class c ON c.oid = adrelid JOIN pg_attribute a ON attrelid = adrelid AND attnum = adnum
     WHERE relnamespace = '${SCHEMA}'::regnamespace`,
  )
  const names = defaults.map(({name}) => name)
  const changed = [
    ...names.filter(each => !DEFAULTS.includes(each)),
    ...DEFAULTS.filter(each => !names.includes(each)),
  ]
  const columns = new Set(changed.map(each => each.split(' ')[0] ?? ''))
  return [
    ...sentence(`In the schema ${SCHEMA}, these are not of cardctl:`, found),
    ...sentence(
      'Other defaults than those of cardctl have',
      [...columns].sort().map(name => ({name})),
    ),
  ]
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
