import type {Context} from '../../../cli/context.ts'
import {sharedDatabase} from '../../../cli/shared-database.ts'
import {broken, doubtful, type Finding, fine, type Step} from '../../../doctor/index.ts'
import {lookAtRateStore} from '../../../fleet/index.ts'

/** Beyond this, times of this machine and of the database that stand side by side mislead. */
const SKEW_MS = 2_000
/** Round trips up to this leave a process 50 turns a second. */
const SLOW_MS = 40
/** A process takes at most this many in a round trip. */
const TURNS_A_TRIP = 4

/** Checks the database by which the profile shares its rate, if it has one: reached, migrated, and with a clock like this machine's. */
export function rateStoreSteps(context: Context): readonly Step[] {
  return [
    {
      id: 'rateStore',
      area: 'network',
      title: 'Shared rate',
      needs: ['profile'],
      look: () => rateStore(context),
    },
  ]
}

async function rateStore(context: Context): Promise<Finding | readonly Finding[]> {
  const {rateStore: store} = await context.service.target()
  if (store === undefined) return []
  const {now} = context.surroundings
  const {shown, schema, skewMs, tripMs, mayCreate, user} = await lookAtRateStore(
    await sharedDatabase(context, store),
    now,
  )
  const facts = {database: shown, version: schema.version, known: schema.known, skewMs, tripMs}
  if (schema.version === 0 && !mayCreate) {
    return broken(
      'CONNECTION_FAILED',
      `${shown} has no tables, and this user may not create them`,
      `Let an administrator run in that database: CREATE SCHEMA cardctl_pace AUTHORIZATION ${user};`,
      {facts},
    )
  }
  if (schema.worksSince > schema.known) {
    return broken('CONNECTION_FAILED', `${shown} belongs to a newer cardctl`, 'Upgrade cardctl.', {facts})
  }
  if (Math.abs(skewMs) > SKEW_MS) {
    const seconds = (Math.abs(skewMs) / 1000).toFixed(1)
    return doubtful(
      `${shown} responds, but its clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`,
      'The rate follows the clock of the database, so it holds. Correct the clock that is wrong.',
      {facts},
    )
  }
  if (tripMs > SLOW_MS) {
    return doubtful(
      `${shown} needs ${Math.round(tripMs)} ms to respond, so a process gets at most ${Math.floor((1000 * TURNS_A_TRIP) / tripMs)} turns a second`,
      'Use a database near this machine.',
      {facts},
    )
  }
  const tables =
    schema.version === 0 ? 'the first run creates its tables' : `tables of version ${schema.version}`
  return fine(`${shown} responds in ${tripMs.toFixed(1)} ms, ${tables}`, {facts})
}
