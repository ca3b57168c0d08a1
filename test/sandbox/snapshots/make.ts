// Writes a snapshot of the present version, with something in every part of the state, beside this file. Run it once for
// each version; what is there is never changed.
import {existsSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {createSandbox} from '../../../src/sandbox/index.ts'
import {SNAPSHOT_VERSION} from '../../../src/sandbox/snapshot/snapshot.ts'

const file = join(import.meta.dirname, `version-${SNAPSHOT_VERSION}.json`)
if (existsSync(file)) throw new Error(`${file} is there already`)
const sandbox = await createSandbox({now: () => Date.UTC(2026, 5, 15, 12), idempotency: 'all'})
const send = async (method: string, url: string, body?: object) => {
  const headers = {'content-type': 'application/json', 'x-idempotency-key': 'kept'}
  const {status} = await sandbox.handle({
    method,
    url,
    headers: body === undefined ? {} : headers,
    body: body === undefined ? '' : JSON.stringify(body),
  })
  if (status >= 300) throw new Error(`${method} ${url}: ${status}`)
}
const audited = (url: string) => `${url}?auditUser=test`
await send('GET', '/.well-known/jwks.json')
await send('PATCH', audited('/v4/CREDIT/2001'), {creditLimit: 6000})
const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 12.5, currency: 'EUR'}]
await send('POST', audited('/v1/a2a/batches'), {transfers})
await send('POST', '/_sandbox/authorisations', {cardId: '3001', amount: 20, currency: 'EUR'})
await send('POST', '/_sandbox/authorisations/a_0/clearing', {})
await send('POST', '/_sandbox/faults', {operation: 'cards.plastics.v3', status: 503})
await send('POST', '/_sandbox/clock', {advanceMs: 90_000_000})
writeFileSync(file, `${JSON.stringify(await sandbox.snapshot(), null, 2)}\n`)
await sandbox.close()
