// `sandbox serve --idempotency all`: a transfer with a key is booked once, on whichever process it arrives.

import {randomUUID} from 'node:crypto'
import {expect, inject, test} from 'vitest'
import {addTenant, withStore} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {newHome} from '../documented/scene.ts'
import {serveStore} from './served.ts'

const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 1, currency: 'EUR'}]

test.each([
  ['all', 1],
  ['documented', 2],
])('--idempotency %s: one key sent twice makes %i batches', async (idempotency, batches) => {
  const url = inject('postgres') ?? ''
  const tenant = `t${randomUUID().slice(0, 18)}`
  const token = await withStore({url: new Secret(url)}, opened => addTenant(opened, tenant))
  const serve = async () =>
    serveStore(await newHome(), 'env:DATABASE', {
      env: {DATABASE: url},
      flags: ['--tenants', '--idempotency', idempotency],
    })
  const servers = [await serve(), await serve()]
  const ids = await Promise.all(
    servers.map(async ({url: base}) => {
      const response = await fetch(`${base}/v1/a2a/batches?auditUser=test`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token.open()}`,
          'content-type': 'application/json',
          'x-idempotency-key': 'transfer-1',
        },
        body: JSON.stringify({transfers}),
      })
      expect(response.status).toBe(200)
      return response.text()
    }),
  )
  expect(new Set(ids).size).toBe(batches)
})
