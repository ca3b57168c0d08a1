import {join, resolve} from 'node:path'
import {beginTrail} from '../../../cli/audit-trail.ts'
import {confirm} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {refuseHalfImported} from '../../../cli/half-imported.ts'
import {Failure} from '../../../errors/failure.ts'
import {proveNewFile} from '../../../files/named-output.ts'
import {refuseRunningIn} from '../../../journal/index.ts'
import {runningJudge} from '../../data/shared/export-data.ts'
import {readWitness, trailFailure} from './check-trail.ts'

export interface BegunTrail {
  /** The public key of the new trail, in hex. */
  readonly publicKey: string
  /** The file with the old entries, if there were any. */
  readonly exported: string
}

/** @throws Failure USAGE while something runs, which would write with the old key; CONFIRMATION_… */
export async function replaceTrail(context: Context, file: string): Promise<BegunTrail> {
  const {data} = context.folders
  const {now, osUser} = context.surroundings
  refuseHalfImported(data)
  const exportTo = resolve(file)
  await proveNewFile(exportTo)
  refuseRunningIn(join(data, 'journal'), await runningJudge(now))
  await confirm(context, {
    place: {at: `Audit trail of this machine (${data})`},
    action: 'begin a new trail, and move the old one to a file',
    consequence: 'audit verify then expects no entries for earlier requests.',
  })
  const {auditUser} = await context.chosen()
  const {keys, newest} = await readWitness(context)
  const until = new Date(Math.max(now(), newest)).toISOString()
  const explained = {until, formerKeys: [...keys.keys()]}
  const isSound = await isIntact(context)
  const settings = {exportTo, osUser, auditUser, explained, isSound}
  using audit = await beginTrail(data, settings, context.surroundings)
  return {publicKey: audit.publicKey, exported: exportTo}
}

async function isIntact(context: Context): Promise<boolean> {
  try {
    using audit = await context.audit('check')
    await trailFailure(context, audit)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
