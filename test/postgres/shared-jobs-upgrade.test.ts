// A rolling upgrade of the machines that share a job. The newer version is this one with more steps of its schema.
import {setTimeout as pause} from 'node:timers/promises'
import {expect, onTestFinished, test} from 'vitest'
import {jobsSchema} from '../../src/fleet/index.ts'
import {connections} from '../../src/postgres/connect.ts'
import {type Migration, migrate, type Schema} from '../../src/postgres/migrate.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {startCluster} from '../helpers/postgres.ts'
import {numbers, openMachines, PRICES, prepare, pricesOf, prompt, witness} from '../helpers/team.ts'

const {name: JOBS_SCHEMA, migrations: jobsMigrations} = jobsSchema

/** First the newer version adds to what an old one uses, also to the table whose rows `take` gives. */
const adding: Migration = {
  worksSince: jobsMigrations.length,
  sql: `ALTER TABLE ${JOBS_SCHEMA}.rows ADD COLUMN priority integer NOT NULL DEFAULT 0;
ALTER TABLE ${JOBS_SCHEMA}.workers ADD COLUMN version text;
ALTER TABLE ${JOBS_SCHEMA}.jobs ADD COLUMN team text;
CREATE INDEX rows_by_priority ON ${JOBS_SCHEMA}.rows (job, priority, row);`,
}
/** A version later, what only old ones used is removed. */
const removing: Migration = {
  worksSince: jobsMigrations.length + 1,
  sql: `ALTER TABLE ${JOBS_SCHEMA}.rows DROP COLUMN line;`,
}

const newer = (...steps: Migration[]): Schema => ({
  ...jobsSchema,
  migrations: [...jobsMigrations, ...steps],
})

test('machines of an old version work on beside a newer schema, and stop before one that removed what they use', async () => {
  const cluster = startCluster()
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => cluster.remove())
  const opened = await connections({url: new Secret(cluster.url)}, 'cardctl jobs')
  onTestFinished(() => opened.pool.end())
  let isMigrated: Promise<unknown> | undefined
  const {service, rows} = await witness(async row => {
    // In the middle of the job, while both machines have rows.
    if (row === '20') isMigrated = migrate(opened, newer(adding))
    await pause(3)
  })
  const [one, two] = await openMachines(2, {database: cluster.url, url: service.url})
  const {job} = await prepare(one, PRICES, pricesOf(80), ['--lease', '1h'])
  const work = () => one.team(['bulk', 'work', job], {sleep: prompt})
  const ended = await Promise.all([work(), two.team(['bulk', 'work', job], {sleep: prompt})])
  expect(ended.map(({code, stderr}) => [code, stderr.includes('Error')])).toEqual([
    [0, false],
    [0, false],
  ])
  expect(await isMigrated).toMatchObject({version: jobsMigrations.length})
  expect(rows.toSorted()).toEqual(numbers(80).toSorted())

  // A job from the start, by processes that begin beside the newer schema.
  const later = await prepare(
    two,
    PRICES,
    pricesOf(6, () => 0),
  )
  const worked = await one.team(['bulk', 'work', later.job], {sleep: prompt})
  expect(worked.code, worked.stderr).toBe(0)
  expect(rows.slice(80)).toEqual(numbers(6))
  expect(await two.teamJson(['bulk', 'results', later.job])).toHaveLength(6)

  const unfinished = await prepare(two, PRICES, pricesOf(2))
  await migrate(opened, newer(adding, removing))
  const refused = await one.team(['bulk', 'work', unfinished.job], {sleep: prompt})
  expect(refused.code).toBe(9)
  expect(refused.stderr).toContain("changed by a newer cardctl, which this one can't work beside")
  expect(refused.stderr).toContain('Upgrade cardctl.')
  expect(rows).toHaveLength(86)
}, 60_000)

test('a user that may not create the schema of shared jobs gets the statement that an administrator must run', async () => {
  const cluster = startCluster()
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => cluster.remove())
  const ask = (sql: string) => cluster.run('psql', '-qAt', '-c', sql, 'app')
  ask('CREATE ROLE "Night shift" LOGIN')
  const opened = await connections(
    {url: new Secret(cluster.url.replace('app@', 'Night%20shift@'))},
    'cardctl jobs',
  )
  onTestFinished(() => opened.pool.end())
  for (const sql of [
    'CREATE SCHEMA cardctl_jobs AUTHORIZATION "Night shift";',
    'ALTER SCHEMA cardctl_jobs OWNER TO "Night shift";',
  ]) {
    await expect(migrate(opened, jobsSchema)).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      hint: `Let an administrator run this in that database, then run the command again: ${sql}`,
      details: {data: {statements: [sql]}},
    })
    if (sql.startsWith('CREATE')) ask('CREATE SCHEMA cardctl_jobs')
    else ask(sql)
  }
  expect(await migrate(opened, jobsSchema)).toMatchObject({version: 0})
})
