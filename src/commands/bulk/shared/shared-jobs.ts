import {hostname} from 'node:os'
import {typedLine} from '../../../cli/command-line.ts'
import type {Context} from '../../../cli/context.ts'
import {sharedDatabase} from '../../../cli/shared-database.ts'
import {honoursKey} from '../../../contract/operation.ts'
import {advice} from '../../../errors/advice.ts'
import {duration} from '../../../errors/duration.ts'
import {Failure} from '../../../errors/failure.ts'
import {contractDigest, JobsDatabase, readTeamKey, SharedJobs} from '../../../fleet/index.ts'
import type {Journal} from '../../../journal/index.ts'
import {namedRows} from './named-rows.ts'
import {bulkOperation} from './operation.ts'

const MOST_WORKERS = 3

/** @throws Failure PROFILE_INVALID, SECRET_MISSING, INPUT_INVALID for the URL, CONNECTION_FAILED */
export async function openSharedJobs(context: Context, journal: Journal): Promise<SharedJobs> {
  const target = await context.service.target()
  const {teamStore, teamKey, name} = target
  if (teamStore === undefined || teamKey === undefined) {
    const missing = teamStore === undefined ? 'teamStore' : 'teamKey'
    const flag = teamStore === undefined ? '--team-store env:TEAM_URL' : '--team-key env:TEAM_KEY'
    throw new Failure('PROFILE_INVALID', {
      message: `The profile ${name} has no ${missing}, which shared bulk jobs need.`,
      hint: advice`For example: ${typedLine(['profiles', 'edit', name, ...flag.split(' ')], undefined)}`,
      effect: 'none',
    })
  }
  const {now, sleep, signal, pid} = context.surroundings
  const tenant = (await target.tenant?.())?.open()
  const team = readTeamKey(await teamKey())
  return new SharedJobs({
    journal,
    database: await JobsDatabase.open(
      await sharedDatabase(context, teamStore),
      sleep,
      context.surroundings.signal,
    ),
    team,
    name: `${hostname()}:${pid}`,
    now,
    sleep,
    signal,
    identity: async id => {
      const operation = await bulkOperation(context, id)
      const {auditUser, idempotency, idempotencyHeader, service, words} = target
      const protection = operation.effect === 'read' ? 'read' : honoursKey(operation, target) ? 'key' : 'none'
      return {
        protection,
        contract: await contractDigest(operation),
        profile: {
          auditUser,
          idempotency,
          idempotencyHeader: idempotencyHeader?.toLowerCase(),
          service,
          words,
          dialect: target.dialect?.digest,
          tenant: tenant && team.digest('tenant', tenant).toString('hex'),
        },
      }
    },
    waiting: (job, others) => {
      const named = others.map(
        ({name, leaseLeftMs}) =>
          `${name}, whose lease ends in ${duration(Math.max(0, leaseLeftMs))} unless it renews it`,
      )
      const who = named.length === 0 ? 'a worker that has ended' : named.slice(0, MOST_WORKERS).join('; ')
      return context.printer.waiting({
        for: 'lease',
        why: `the rows of bulk job ${job} that are left belong to ${who}`,
        facts: {job, workers: others.map(({name}) => name)},
      })
    },
    leaseLost: (job, {silentMs, leaseMs}) =>
      context.printer.warn(
        `This worker lost its lease: for ${duration(silentMs)} it did not run, or did not reach the database, and a lease of bulk job ${job} lasts ${duration(leaseMs)}. Other workers may have taken the rows that it had. It continues with rows that nobody has.`,
        {code: 'LEASE_LOST', job, silentMs: Math.round(silentMs), leaseMs},
      ),
    stranded: (job, rows) => {
      const named = namedRows(rows.map(({row}) => row))
      const workers = [...new Set(rows.map(({worker}) => worker))].join(', ')
      context.printer.warn(
        `The effect of ${named} of bulk job ${job} is unknown. A worker (${workers}) ended before the response, and the service does not honour a key here. See: ${context.commandLine('bulk', 'results', {value: job}, '--state', 'unknown')}`,
      )
    },
  })
}
