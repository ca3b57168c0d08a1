import {expect, test} from 'vitest'
import {sandboxServeView} from '../../src/commands/sandbox/shared/views.ts'
import {NOON} from './streams.ts'

const context = {width: 80, colour: 0, ascii: true, now: NOON, timeZone: 'UTC'} as const
const call = {type: 'webhook', at: NOON, to: 'http://127.0.0.1:8484', path: '/auth', durationMs: 3} as const

test.each([
  [{status: 200, code: '51'}, '/auth  200  code 51  3 ms'],
  [{status: 500}, '/auth  500  3 ms'],
  [
    {why: 'no answer within 2000 ms', tenant: 'team-a'},
    '/auth  no answer within 2000 ms  3 ms  tenant team-a',
  ],
])('the log has a line for a call to the webhook: %o', async (end, line) => {
  const text = await sandboxServeView({...call, ...end}, context)
  expect(text).toMatch(/^\d\d:\d\d:\d\d calls {2}http:\/\/127\.0\.0\.1:8484 /)
  expect(text.trimEnd().endsWith(line)).toBe(true)
})
