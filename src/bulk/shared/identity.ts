import {createHash} from 'node:crypto'
import type {Operation} from '../../contract/operation.ts'
import {requestSchema} from '../../contract/schema.ts'
import type {OperationId} from '../../contract/types.ts'
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
  const schema = await requestSchema(operation.id as OperationId)
  return createHash('sha256')
    .update(canonicalJson([ROW_FORMAT, operation, schema ?? null]))
    .digest('hex')
    .slice(0, 24)
}

/** The settings of a profile that differ. */
export function settingsThatDiffer(job: Identity['profile'], own: Identity['profile']): readonly string[] {
  const names = [...new Set([...Object.keys(job), ...Object.keys(own)])]
  return names.filter(name => canonicalJson(job[name] ?? null) !== canonicalJson(own[name] ?? null))
}
