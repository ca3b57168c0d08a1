// Begins and ends requests in a loop, telling each step on stdout as soon as it is written down.
import {join} from 'node:path'
import {journalFile, localKeyFile, openJournal, processSurroundings} from '../../src/journal/index.ts'
import {writeAtOnce} from '../helpers/write-at-once.ts'
import {service} from './fixtures.ts'

const [folder = '', count = '0', name = ''] = process.argv.slice(2)
const journal = openJournal({
  ...processSurroundings(Date.now),
  file: journalFile(folder, service),
  service,
  profile: 'prod',
  key: () => localKeyFile(join(folder, 'journal.key')),
  busyTimeoutMs: 60_000,
})
for (let n = 0; n < Number(count); n++) {
  const {id} = journal.begin({
    operation: 'accounts.patchDebit.v4',
    effect: 'write',
    method: 'PATCH',
    path: `/v4/DEBIT/${n}`,
    resources: [String(n)],
    input: {path: {id: String(n)}, query: {}, body: {segment: name}},
    sensitive: [],
    key: `${name}-${n}`,
    auditUser: 'aino',
  })
  writeAtOnce(`begun ${id}`)
  journal.end(id, {outcome: 'done', status: 200, durationMs: 1, attempts: 1, effect: 'done'})
  writeAtOnce(`ended ${id}`)
}
journal.close()
