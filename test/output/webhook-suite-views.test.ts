import {expect, test} from 'vitest'
import {type ShownSuiteEvent, webhookTestView} from '../../src/commands/webhook/shared/test-view.ts'
import {textWidth} from '../../src/output/text-layout.ts'
import {renderView, type ViewContext} from '../../src/output/view.ts'
import {NOON} from './streams.ts'

const step = {
  type: 'step',
  verb: 'send',
  line: 4,
  column: 5,
  durationMs: 12.4,
  checks: [],
  calls: [],
} as const
const approved = {
  at: '2026-11-21T12:00:00.000Z',
  path: '/auth',
  request: {},
  outcome: 'approved',
  code: '00',
  status: 200,
  durationMs: 3.1,
} as const
const declined = {...approved, outcome: 'declined', code: '57'} as const

const events: readonly ShownSuiteEvent[] = [
  {type: 'suite', suite: 'my endpoint', steps: 6, url: 'http://127.0.0.1:3000'},
  {...step, number: 1, name: 'coffee', state: 'passed', calls: [approved]},
  {
    ...step,
    number: 2,
    name: 'a casino with another code of its category',
    state: 'passed',
    calls: [declined],
  },
  {
    ...step,
    number: 3,
    name: 'the same coffee, three times at once',
    state: 'failed',
    calls: [approved, declined, declined],
    checks: [
      {
        what: 'same',
        expected: 'the same answer as coffee',
        got: 'declined 57, after approved',
        passed: false,
        basis: 'decided',
        why: 'The same metadata.id gets the same answer',
        failed: 2,
      },
    ],
  },
  {
    ...step,
    number: 4,
    name: 'fuel',
    state: 'failed',
    calls: [{...approved, outcome: 'partial', code: '10', part: {amount: 80, currency: 'EUR'}}],
    checks: [
      {what: 'decision', expected: 'declined', got: 'partial 80 EUR', passed: false},
      {what: 'code', expected: 'code 51', got: 'code 10', passed: false},
      {what: 'time', expected: 'within 500 ms', got: '3.1 ms', passed: true},
    ],
  },
  {
    ...step,
    number: 5,
    name: 'a usual day',
    verb: 'load',
    state: 'passed',
    load: {
      calls: 500,
      late: 0,
      invalid: 0,
      inTime: 1,
      p50: 1.1,
      p95: 4,
      p99: 11.2,
      p999: 20,
      max: 22,
      rate: 100,
      ownDelayMs: 0,
    },
  },
  {...step, number: 6, name: 'later', state: 'skipped', durationMs: 0},
  {
    type: 'summary',
    suite: 'my endpoint',
    steps: 6,
    passed: 3,
    failed: 2,
    skipped: 1,
    notChecked: 0,
    checks: 5,
    calls: 1506,
    durationMs: 6980,
    stopped: {why: 'interrupted', reason: 'the run was stopped'},
  },
]

async function draw(width: number, ascii = false): Promise<string> {
  const context: ViewContext = {width, colour: 0, ascii, now: NOON, timeZone: 'UTC'}
  const lines = await Promise.all(events.map(event => renderView(webhookTestView, event, context)))
  return `${lines.join('\n')}\n`
}

test.each([40, 80, 120])('a run of a suite in %i columns', async width => {
  const text = await draw(width)
  expect(text.split('\n').filter(line => textWidth(line) > width)).toEqual([])
  await expect(text).toMatchFileSnapshot(`golden/webhook-suite-${width}.txt`)
})

test('a run of a suite in ASCII', async () => {
  expect(await draw(80, true)).toMatch(/^[\x20-\x7e\n]*$/)
})
