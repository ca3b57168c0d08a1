// Appends lines for ever, or so many, telling each on stdout once it is on the disk.
import {writeSync} from 'node:fs'
import {openAudit} from '../../src/audit/index.ts'
import {Secret} from '../../src/sensitive/secret.ts'

const [file = '', name = '', count = '0', padding = '0'] = process.argv.slice(2)
const key = new Secret(Buffer.alloc(32, 7))
const audit = openAudit({file, now: Date.now, key: () => key, busyTimeoutMs: 60_000})
if (audit.isNew) audit.begin(() => key)
for (let n = 0; n < Number(count); n++) {
  audit.append({
    kind: 'write',
    osUser: 'aino',
    auditUser: 'x'.repeat(Number(padding)),
    profile: 'prod',
    operation: 'accounts.patchDebit.v4',
    resources: [`${name}-${n}`],
    outcome: 'done',
  })
  writeSync(1, `${name}-${n}\n`)
}
audit.close()
