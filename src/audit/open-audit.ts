import type {Secret} from '../sensitive/secret.ts'
import {openDatabase} from '../sqlite/index.ts'
import {Audit} from './audit.ts'
import {headMigrations} from './trail-head.ts'

/** How long lines are kept unless the user says otherwise: PCI DSS 4, 10.5.1 asks for 12 months. */
export const AUDIT_RETENTION_DAYS = 400

export interface AuditOptions {
  /** `audit.ndjson` of the data folder; its head is kept beside it, in a file of that name and `.head`. */
  readonly file: string
  /** ms since 1970. */
  now(): number
  /** The key of the trail, once it has one. */
  key(): Secret<Buffer> | undefined
  /** How long to wait for other processes, ms; 10,000 by default. */
  readonly busyTimeoutMs?: number | undefined
}

/** @throws Failure STORE_DAMAGED or STORE_UNAVAILABLE. */
export function openAudit({file, now, key, busyTimeoutMs = 10_000}: AuditOptions): Audit {
  const head = openDatabase(`${file}.head`, {kind: 'audit trail', migrations: headMigrations, busyTimeoutMs})
  return new Audit(file, head, {now, key})
}
