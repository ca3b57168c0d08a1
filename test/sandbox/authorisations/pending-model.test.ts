// Authorisations whose client takes its time, while clearings, reversals, resets and the clock go on, held against a model.
import {once} from 'node:events'
import {createServer, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {text} from 'node:stream/consumers'
import fc from 'fast-check'
import {expect, inject, onTestFinished, test} from 'vitest'
import {runs} from '../../helpers/whole.ts'
import {type TestSandbox, testSandbox} from '../helpers/sandbox.ts'

const MINUTE = 60 * 1000
const DAY = 24 * 60 * MINUTE
const OPENING = 250_000

const cents = fc.integer({min: 1, max: 90_000})
const which = fc.nat(3)
const action = fc.oneof(
  {weight: 4, arbitrary: fc.record({do: fc.constant('ask' as const), cents, raises: fc.option(which)})},
  {weight: 4, arbitrary: fc.record({do: fc.constant('answer' as const), which, approves: fc.boolean()})},
  {weight: 1, arbitrary: fc.record({do: fc.constant('reverse' as const), which, cents: fc.nat(50_000)})},
  {weight: 1, arbitrary: fc.record({do: fc.constant('clear' as const), which, cents, final: fc.boolean()})},
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(MINUTE, 5 * MINUTE, 3 * DAY),
    }),
  },
  {weight: 1, arbitrary: fc.record({do: fc.constant('reset' as const)})},
)
type Action = typeof action extends fc.Arbitrary<infer Each> ? Each : never

interface Question {
  readonly response: ServerResponse
  readonly reply: Promise<{status: number; body: {status?: string}}>
  readonly transaction: string
  readonly cents: number
  readonly until: number
  state: 'open' | 'expired' | 'lost'
}

interface Held {
  id: string
  cents: number
  until: number
}

/** An endpoint that answers no purchase by itself: each is given out once. */
async function silentClient() {
  let arrived = Promise.withResolvers<ServerResponse>()
  const server = createServer(async (request, response) => {
    const told = await text(request)
    if (request.url === '/warm-up' || told.includes('"REVERSAL"')) response.end()
    else arrived.resolve(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const next = () => {
    arrived = Promise.withResolvers()
    return arrived.promise
  }
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, next}
}

class Model {
  booked = OPENING
  readonly holds = new Map<string, Held>()
  readonly questions: Question[] = []

  get held(): number {
    return [...this.holds.values()].reduce((sum, {cents}) => sum + cents, 0)
  }

  get reserved(): number {
    return this.questions.reduce((sum, {cents, state}) => sum + (state === 'open' ? cents : 0), 0)
  }

  /** What the next request brings about. */
  catchUp(now: number): void {
    for (const hold of this.holds.values()) if (hold.until <= now) hold.cents = 0
    for (const one of this.questions) if (one.state === 'open' && one.until <= now) one.state = 'expired'
  }

  reset(): void {
    this.booked = OPENING
    this.holds.clear()
    for (const one of this.questions) one.state = 'lost'
  }
}

test('whatever happens while clients think, money is held and booked once', async () => {
  const client = await silentClient()
  await fc.assert(
    fc.asyncProperty(fc.array(action, {minLength: 5, maxLength: 25, size: 'max'}), async actions => {
      const webhook = {url: client.url, deadlineMs: 60_000}
      const sandbox = await testSandbox({webhook, monotonic: () => performance.now()})
      const model = new Model()
      await noLimits(sandbox)
      for (const one of actions) {
        model.catchUp(sandbox.now())
        await act(sandbox, client, model, one)
        model.catchUp(sandbox.now())
        const {body} = await sandbox.op('sandbox.state.get', {path: {kind: 'account', id: '2002'}})
        const [{booked, held} = {booked: 0, held: 0}] = body.balances as {booked: number; held: number}[]
        expect({booked, held}, JSON.stringify(one)).toEqual({
          booked: model.booked / 100,
          held: (model.held + model.reserved) / 100,
        })
      }
      await sandbox.close()
    }),
    // On PostgreSQL each step takes several round trips, and the rules are the same.
    {numRuns: inject('postgres') === undefined ? runs(60) : runs(30)},
  )
})

const noLimits = (sandbox: TestSandbox) =>
  sandbox.op('sandbox.state.set', {path: {kind: 'card', id: '3004'}, body: {usageLimits: []}})

async function act(
  sandbox: TestSandbox,
  client: Awaited<ReturnType<typeof silentClient>>,
  model: Model,
  one: Action,
): Promise<void> {
  const held = [...model.holds].filter(([, {cents}]) => cents > 0)
  switch (one.do) {
    case 'pass':
      return sandbox.pass(one.ms)
    case 'reset':
      await sandbox.op('sandbox.reset')
      await noLimits(sandbox)
      return model.reset()
    case 'ask': {
      const raised = one.raises === null ? undefined : held[one.raises]?.[0]
      const fits = one.cents <= model.booked - model.held - model.reserved
      const asked = client.next()
      const body = {cardId: '3004', amount: one.cents / 100, currency: 'EUR', transactionId: raised}
      const reply = sandbox.op('sandbox.authorisations.create', {body})
      if (!fits) {
        expect((await reply).body).toMatchObject({status: 'DECLINED', responseCode: '51'})
        return
      }
      const response = await asked
      const [pending] = (await sandbox.op('sandbox.authorisations.list', {query: {}})).body
      expect(pending?.status).toBe('PENDING')
      const until = sandbox.now() + 5 * MINUTE
      const transaction = pending?.transactionId ?? ''
      model.questions.push({response, reply, transaction, cents: one.cents, until, state: 'open'})
      return
    }
    case 'answer': {
      const [question] = model.questions.splice(one.which, 1)
      if (question === undefined) return
      const code = one.approves ? '00' : '51'
      question.response.end(JSON.stringify({transactionData: {authResponseCode: {code}}}))
      const {status, body} = await question.reply
      if (question.state === 'lost') return expect(status).toBe(409)
      const approved = question.state === 'open' && one.approves
      expect(body.status).toBe(approved ? 'APPROVED' : 'DECLINED')
      if (!approved) return
      const before = model.holds.get(question.transaction)
      model.holds.set(question.transaction, {
        id: (body as {id: string}).id,
        cents: (before?.cents ?? 0) + question.cents,
        until: sandbox.now() + 7 * DAY,
      })
      return
    }
    case 'reverse': {
      const [, hold] = held[one.which] ?? []
      if (hold === undefined) return
      const body = {replacementAmount: one.cents / 100}
      const {status} = await sandbox.op('sandbox.authorisations.reverse', {path: {id: hold.id}, body})
      expect(status).toBe(one.cents < hold.cents ? 200 : 409)
      if (one.cents < hold.cents) hold.cents = one.cents
      return
    }
    case 'clear': {
      const [, hold] = held[one.which] ?? []
      if (hold === undefined) return
      const body = {amount: one.cents / 100, final: one.final}
      const reply = await sandbox.op('sandbox.authorisations.clear', {path: {id: hold.id}, body})
      expect(reply.body.status).toBe('POSTED')
      model.booked -= one.cents
      hold.cents = one.final ? 0 : Math.max(0, hold.cents - one.cents)
    }
  }
}
