// A statement that is under way when its process is told to stop.
import {setTimeout as pause} from 'node:timers/promises'
import pg from 'pg'
import {expect, onTestFinished, test} from 'vitest'
import {JobsDatabase, LONG_RESPONSE_MS} from '../../src/fleet/jobs/jobs-database.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {startCluster} from '../helpers/postgres.ts'

test('a long statement that waits for a lock ends when its process is told to stop', async () => {
  // A server of its own, since the lock blocks everyone in the database.
  const cluster = startCluster()
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => cluster.remove())
  const stop = new AbortController()
  const jobs = await JobsDatabase.open({url: new Secret(cluster.url)}, async () => undefined, stop.signal)
  const holder = new pg.Client({connectionString: cluster.url})
  await holder.connect()
  await holder.query('BEGIN; LOCK TABLE cardctl_jobs.rows')
  const counting = jobs.ask('SELECT count(*) FROM cardctl_jobs.rows', [], {responseMs: LONG_RESPONSE_MS})
  const refused = expect(counting).rejects.toThrow('holds the table rows')
  await pause(3_000)
  stop.abort('SIGTERM')
  await refused
  await jobs.close()
  await holder.end()
}, 60_000)
