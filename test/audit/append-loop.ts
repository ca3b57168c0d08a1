// Appends lines for ever, or so many, telling each on stdout once it is on the disk.
import {openAudit} from '../../src/audit/index.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {writeAtOnce} from '../helpers/write-at-once.ts'

const [file = '', name = '', count = '0', padding = '0'] = process.argv.slice(2)
const key = new Secret(Buffer.alloc(32, 7))
const audit = openAudit({file, now: Date.now, key, busyTimeoutMs: 60_000})
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
  writeAtOnce(`${name}-${n}`)
}
audit.close()
