// Two processes with one database, whose machines have different clocks.
import {setTimeout as pause} from 'node:timers/promises'
import {expect, onTestFinished, test} from 'vitest'
import {createSandbox} from '../../../src/sandbox/index.ts'
import {coded, startEndpoint} from '../authorisations/endpoint.ts'
import {storeOptions} from '../helpers/store.ts'

/** Longer than a process waits before it looks for calls that others have left. */
const ANSWER_MS = 3_000

test.each([-60_000, 60_000])(
  'a call in progress is left to its process by one whose clock differs by %i ms',
  async skew => {
    const {postgres} = await storeOptions()
    if (postgres === undefined) throw new Error('no database')
    const endpoint = await startEndpoint((call, response) => {
      void pause(ANSWER_MS).then(() => coded('00')(call, response))
    })
    const webhook = {url: endpoint.url, deadlineMs: 4_000}
    const open = async (now: () => number) => {
      const sandbox = await createSandbox({postgres, webhook, now, settlement: 'background'})
      onTestFinished(() => sandbox.close())
      return sandbox
    }
    const asks = await open(Date.now)
    await open(() => Date.now() + skew)
    const body = JSON.stringify({cardId: '3001', amount: 1, currency: 'EUR'})
    const headers = {'content-type': 'application/json'}
    const bought = await asks.handle({method: 'POST', url: '/_sandbox/authorisations', headers, body})
    expect(JSON.parse(Buffer.from(bought.body).toString())).toMatchObject({
      status: 'APPROVED',
      decidedBy: 'client',
    })
    expect(endpoint.auths()).toHaveLength(1)
  },
  60_000,
)
