import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type Audit, type AuditEntry, openAudit} from '../../src/audit/index.ts'
import {Secret} from '../../src/sensitive/secret.ts'

/** 4 January 2027, noon. */
export const NOON = Date.UTC(2027, 0, 4, 12)
export const DAY = 86_400_000

export interface Room extends Disposable {
  readonly folder: string
  readonly file: string
  readonly clock: {at: number}
  open(keyByte?: number): Audit
}

/** A folder with a clock that stands until it is moved. */
export function room(place = tmpdir()): Room {
  const folder = mkdtempSync(join(place, 'cardctl-audit-'))
  const file = join(folder, 'data', 'audit.ndjson')
  const clock = {at: NOON}
  const opened: Audit[] = []
  return {
    folder,
    file,
    clock,
    open(keyByte = 7) {
      const key = new Secret(Buffer.alloc(32, keyByte))
      const audit = openAudit({file, now: () => clock.at, key})
      opened.push(audit)
      if (audit.isNew) audit.begin(() => key)
      return audit
    },
    [Symbol.dispose]: () => {
      for (const audit of opened) audit.close()
      rmSync(folder, {recursive: true, force: true})
    },
  }
}

export function entryOf(resource: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    kind: 'write',
    osUser: 'aino',
    auditUser: 'aino.virtanen',
    profile: 'prod',
    operation: 'accounts.patchCredit.v4',
    resources: [resource],
    key: 'k1',
    request: 'r_1',
    outcome: 'done',
    status: 200,
    durationMs: 12,
    ...more,
  }
}

/** The lines of a trail. */
export const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n')
