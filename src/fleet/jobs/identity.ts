import {createHash} from 'node:crypto'
import type {Operation} from '../../contract/operation.ts'
import {requestSchema} from '../../contract/schema.ts'
import type {OperationId} from '../../contract/types.ts'
import {Failure} from '../../errors/failure.ts'
import {canonicalJson} from '../../journal/key-rules.ts'

/** What protects a row that is sent twice. */
export type Protection = 'read' | 'key' | 'none'

/** What all workers of a job need to have in common, so that each builds the same request from a row. */
export interface Identity {
  readonly protection: Protection
  /** A digest of the operation in the contract. */
  readonly contract: string
  /** Settings of the profile, by name. */
  readonly profile: Readonly<Record<string, unknown>>
}

/** Changes if rows become other requests for a reason that is neither in the contract nor in the profile. */
const ROW_FORMAT = 1

export async function contractDigest(operation: Operation): Promise<string> {
  if (operation.form?.rows) return operation.form.rows.digest
  const schema = await requestSchema(operation.id as OperationId)
  return createHash('sha256')
    .update(canonicalJson([ROW_FORMAT, operation, schema ?? null]))
    .digest('hex')
    .slice(0, 24)
}

/**
 * Refuses a job if this process would build other requests from its rows than the worker that created it.
 *
 * @throws Failure OTHER_WORKER
 */
export function refuseOtherIdentity(
  job: Identity & {readonly id: string; readonly operation: string},
  own: Identity,
): void {
  const differing = settingsThatDiffer(job.profile, own.profile)
  if (own.contract !== job.contract) {
    const isImported = job.operation.startsWith('x:')
    throw otherWorker(
      `Bulk job ${job.id} sends ${job.operation} by ${isImported ? 'another imported contract' : 'the contract of another version of cardctl'}.`,
      `${isImported ? 'Import the same document' : 'Use the same version of cardctl'} on all machines.`,
    )
  }
  if (differing.length > 0 || own.protection !== job.protection) {
    throw otherWorker(
      `Bulk job ${job.id} was created with other settings of the profile: ${differing.join(', ') || 'idempotency'}.`,
      differing.includes('auditUser')
        ? 'Pass the same --audit-user on all machines, and use the same settings.'
        : 'Use the same settings on all machines.',
    )
  }
}

const otherWorker = (message: string, hint: string) =>
  new Failure('OTHER_WORKER', {message, hint, effect: 'none'})

/** The settings of a profile that differ. */
function settingsThatDiffer(job: Identity['profile'], own: Identity['profile']): readonly string[] {
  const names = [...new Set([...Object.keys(job), ...Object.keys(own)])]
  return names.filter(name => canonicalJson(job[name] ?? null) !== canonicalJson(own[name] ?? null))
}
