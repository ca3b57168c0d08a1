// A data folder with many entries in the audit trail, requests in the journal and rows in a bulk job.
import {randomBytes} from 'node:crypto'
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {keyFileOf, openAudit, placeKeyFile} from '../src/audit/index.ts'
import {JobStore} from '../src/bulk/index.ts'
import {
  type Journal,
  journalFile,
  localKeyFile,
  openJournal,
  processSurroundings,
} from '../src/journal/index.ts'
import {machineKeyFile} from '../src/journal/journal-file.ts'
import {createSandbox} from '../src/sandbox/index.ts'
import {openSqliteStore} from '../src/sandbox/store/sqlite-store.ts'
import {Secret} from '../src/sensitive/secret.ts'

/** Number of entries that are written with one sync. */
const BATCH = 20_000

export const JOB = 'j_BENCH'

const SERVICE = {id: 'sandbox', identity: 'embedded', words: 'the embedded sandbox'}
const ACCOUNT = '2001'

/** Fills the data folder of the profile `sandbox`. */
export function fillRecords(data: string, count: number): void {
  mkdirSync(data, {recursive: true, mode: 0o700})
  fillTrail(join(data, 'audit.ndjson'), count)
  using journal = openJournal({
    ...processSurroundings(Date.now),
    file: journalFile(data, SERVICE),
    service: SERVICE,
    profile: 'sandbox',
    key: () => localKeyFile(machineKeyFile(data)),
    keyFile: machineKeyFile(data),
  })
  fillJournal(journal, count)
  fillJob(journal, count)
}

function fillTrail(file: string, count: number): void {
  const key = new Secret(Buffer.from(randomBytes(32)))
  using audit = openAudit({file, now: Date.now, key})
  audit.begin(() => (placeKeyFile(keyFileOf(file), {place: 'file', key}) ? key : undefined))
  for (const numbers of batches(count)) {
    audit.append(
      numbers.map(number => ({
        kind: 'write',
        osUser: 'tester',
        auditUser: 'tester',
        profile: 'sandbox',
        operation: 'accounts.patchCredit.v4',
        resources: [`account:${ACCOUNT}`],
        members: ['creditLimit'],
        key: `bench-${number}`,
        request: requestId(number),
        outcome: 'done',
        status: 200,
        durationMs: 12,
      })),
    )
  }
}

/** Copies one request of the journal many times, so that all columns have values. */
function fillJournal(journal: Journal, count: number): void {
  const {id} = journal.begin({
    operation: 'accounts.patchCredit.v4',
    effect: 'write',
    method: 'PATCH',
    path: `/v4/CREDIT/${ACCOUNT}`,
    resources: [`account:${ACCOUNT}`],
    input: {path: {id: ACCOUNT}, query: {}, body: {creditLimit: 5000}},
    sensitive: [],
    key: 'bench-0',
    auditUser: 'tester',
  })
  journal.end(id, {outcome: 'done', status: 200, effect: 'done', durationMs: 12, attempts: 1})
  const columns = journal.store.db.all<{name: string}>('PRAGMA table_info(request)').map(({name}) => name)
  const own: Readonly<Record<string, string>> = {
    id: `printf('r_%026d', number)`,
    key: `'bench-' || number`,
    begun_at: 'begun_at - :count + number',
  }
  journal.store.unsynced(() => {
    journal.store.db.run(
      `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < :count)
       INSERT INTO request (${columns.join(', ')})
       SELECT ${columns.map(name => own[name] ?? name).join(', ')} FROM numbers, request WHERE id = :id`,
      {count: count - 1, id},
    )
  })
}

function fillJob(journal: Journal, count: number): void {
  const store = new JobStore(journal, Date.now)
  const operation = 'accounts.patchCredit.v4'
  store.create({id: JOB, operation, source: 'rows.csv', settings: {map: {creditLimit: 'body.creditLimit'}}})
  for (const rows of batches(count)) {
    journal.store.unsynced(() =>
      store.restoreRows(
        JOB,
        rows.map(row => ({
          row,
          line: row + 1,
          values: {id: ACCOUNT, creditLimit: String(row)},
          state: 'done',
          follows: undefined,
          begunAt: 1_800_000_000_000,
          request: requestId(row),
          status: 200,
          code: undefined,
          message: undefined,
          reply: {id: ACCOUNT, creditLimit: row},
        })),
      ),
    )
  }
  store.setState(JOB, 'done')
}

/** Adds this number of cards to a customer of the embedded sandbox. */
export async function fillCards(data: string, customerId: string, count: number): Promise<void> {
  const file = join(data, 'sandbox', 'sandbox.db')
  await (await createSandbox({file})).close()
  const store = openSqliteStore(file)
  try {
    await store.transaction(async tx => {
      const [model] = await tx.cards.list({where: {customerId}, limit: 1})
      if (model === undefined) throw new Error(`Customer ${customerId} has no card.`)
      for (let number = 1; number <= count; number++) {
        const id = `9${String(number).padStart(9, '0')}`
        await tx.cards.put({...model, id, referenceNumber: `9${id}`, numberDigest: id})
      }
    })
  } finally {
    await store.close()
  }
}

const requestId = (number: number): string => `r_${String(number).padStart(26, '0')}`

function* batches(count: number): Generator<readonly number[], void, undefined> {
  for (let from = 0; from < count; from += BATCH) {
    yield Array.from({length: Math.min(BATCH, count - from)}, (_, at) => from + at + 1)
  }
}
