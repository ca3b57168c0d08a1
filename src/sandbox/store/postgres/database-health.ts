import {setTimeout as pause} from 'node:timers/promises'
import type {Connections} from '../../../postgres/connect.ts'
import type {Health} from '../../own-pages.ts'
import {checkTables} from './migrate.ts'

/** How long an answer of the database shows that it is there, ms. */
const FRESH_MS = 1_000
/** How long a health check waits for the database, ms. */
const READY_MS = 2_000

/** Whether a process can work with its database. */
export function databaseHealth(opened: Connections): Health {
  const {pool} = opened
  let answeredAt = Number.NEGATIVE_INFINITY
  pool.on('release', error => {
    if (!error) answeredAt = performance.now()
  })
  return {
    isReady: async () => {
      // Under load, the database shows that it is there: a busy process must not look like one without a database.
      if (pool.waitingCount > 0 && performance.now() - answeredAt < FRESH_MS) return true
      const usable = checkTables(opened).catch(() => false)
      return Promise.race([usable, pause(READY_MS, false, {ref: false})])
    },
    gauges: () => ({
      cardctl_database_connections: ['Connections to the database.', pool.totalCount],
      cardctl_database_waiting: ['Requests that wait for a connection.', pool.waitingCount],
    }),
  }
}
