import fc from 'fast-check'
import {expect, test} from 'vitest'
import {webhookEventListView, webhookEventView} from '../../src/commands/webhook/shared/event-views.ts'
import {webhookServeView} from '../../src/commands/webhook/shared/serve-view.ts'
import {approveAll} from '../../src/webhook/index.ts'
import {runs} from '../helpers/whole.ts'
import {anyCall} from '../webhook/any-call.ts'
import {listener} from '../webhook/listener.ts'

test('any object that the listener gets is shown and listed', async () => {
  const {post, events, exchanges, close} = await listener({decider: approveAll})
  const context = {now: Date.UTC(2026, 5, 15), timeZone: 'UTC', width: 120, colour: 0, ascii: false} as never
  await fc.assert(
    fc.asyncProperty(anyCall, async call => {
      await post('/auth', JSON.stringify(call))
      const [event, exchange] = [events.at(-1), exchanges.at(-1)]
      if (!event || !exchange) throw new Error('Nothing was told.')
      await webhookServeView(event, context)
      await webhookEventView(exchange, context)
    }),
    {numRuns: runs(150)},
  )
  expect(await webhookEventListView(events, context)).not.toBe('')
  await close()
})
