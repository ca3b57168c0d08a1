import {join, resolve} from 'node:path'
import type {Verdict} from '../../../audit/index.ts'
import {beginTrail} from '../../../cli/audit-trail.ts'
import {callerText} from '../../../cli/caller.ts'
import {confirm} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {refuseHalfImported} from '../../../cli/stores.ts'
import {Failure} from '../../../errors/failure.ts'
import {proveNewFile} from '../../../files/named-output.ts'
import {refuseRunningIn} from '../../../journal/index.ts'
import {runningJudge} from '../../data/shared/export-data.ts'
import {explainedHere, trailFailure} from './check-trail.ts'
import {refuseAgent} from './refuse-agent.ts'

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
  refuseAgent(context, 'begins an audit trail')
  refuseHalfImported(data)
  const exportTo = resolve(file)
  await proveNewFile(exportTo)
  refuseRunningIn(join(data, 'journal'), runningJudge(data, now))
  await confirm(context, {
    place: {at: `Audit trail of this machine (${data})`},
    action: 'begin a new trail, and move the old one to a file',
    consequence: 'audit verify then expects no entries for earlier requests.',
  })
  const {auditUser} = await context.service.chosen()
  const explained = await explainedHere(context)
  const before = await verdictOfFormer(context)
  const isSound = before !== undefined
  const brokenBefore = isSound ? before.brokenBefore : new Date(now()).toISOString()
  const caller = callerText(context.caller)
  const settings = {exportTo, osUser, auditUser, caller, explained: {...explained, brokenBefore}, isSound}
  using audit = await beginTrail(data, settings, context.surroundings)
  return {publicKey: audit.publicKey, exported: exportTo}
}

/** Undefined if the trail is not intact. */
async function verdictOfFormer(context: Context): Promise<Verdict | undefined> {
  try {
    using audit = await context.stores.audit('check')
    return await trailFailure(context, audit)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
