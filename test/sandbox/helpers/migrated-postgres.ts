import {execFileSync} from 'node:child_process'
import process from 'node:process'
import {onTestFinished} from 'vitest'
import type {TestProject} from 'vitest/node'
import {connections} from '../../../src/sandbox/store/postgres/connect.ts'
import {migrate} from '../../../src/sandbox/store/postgres/migrate.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {type Cluster, type ClusterOptions, MODEL, startCluster} from '../../helpers/postgres.ts'

/** Before the tests of the project: one server with an empty, migrated database. */
export async function setup(project: TestProject): Promise<(() => void) | undefined> {
  const cluster = startCluster()
  project.provide('postgres', cluster?.url)
  if (cluster === undefined) return undefined
  cluster.stop()
  const model = `${cluster.data}-model`
  execFileSync('cp', ['-a', cluster.data, model])
  process.env[MODEL] = model
  cluster.start()
  const opened = await connections({url: new Secret(cluster.url)})
  await migrate(opened)
  await opened.pool.end()
  return () => {
    delete process.env[MODEL]
    cluster.remove()
  }
}

/** A server of one test, with the tables of a sandbox. */
export async function migratedCluster(options?: ClusterOptions): Promise<Cluster> {
  const cluster = await startMigrated(options)
  onTestFinished(() => cluster.remove())
  return cluster
}

/** A server with the tables of a sandbox. Who starts it removes it. */
export async function startMigrated(options?: ClusterOptions): Promise<Cluster> {
  const cluster = startCluster(options)
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  const opened = await connections({url: new Secret(cluster.url)})
  await migrate(opened)
  await opened.pool.end()
  return cluster
}
