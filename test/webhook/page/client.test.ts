// What the page works out without a browser.
import fc from 'fast-check'
import {afterEach, describe, expect, test} from 'vitest'
import {responseCodes} from '../../../src/contract/response-codes.ts'
import type {Exchange} from '../../../src/webhook/index.ts'
import {type Call, toCall} from '../../../src/webhook/page/client/call.ts'
import {answerOf, changeInWords, compareAnswers} from '../../../src/webhook/page/client/compare-answers.ts'
import {latencyOf} from '../../../src/webhook/page/client/latency.ts'
import {
  asCurl,
  canReplay,
  idOf,
  replayedEvent,
  replayId,
  replayOf,
} from '../../../src/webhook/page/client/replay.ts'
import {
  type Action,
  EVERYTHING,
  filtered,
  reduce,
  START,
  type State,
} from '../../../src/webhook/page/client/state.ts'
import {clockText, plainJson, visible, whyNoJson} from '../../../src/webhook/page/client/text.ts'
import {run} from '../../../tools/run.ts'
import {codePoint} from '../../helpers/code-point.ts'
import {exchangeOf, pendingOf, type Sample} from './sample-calls.ts'

const CODE = 'transactionData.authResponseCode.code'
const PART = ['amount', 'currency'].map(name => `transactionData.partialApprovalAmount.${name}`)

const stateOf = (...actions: readonly Action[]): State => actions.reduce(reduce, START)
const calls = (...numbers: readonly number[]): Action => ({
  type: 'calls',
  calls: numbers.map(number => toCall(exchangeOf(number))),
})
const events = (state: State) => state.calls.map(({event}) => event)

describe('a time on the page', () => {
  const noon = Date.UTC(2026, 10, 21, 12, 0, 0, 7)
  const zone = process.env.TZ
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  test.each([
    ['UTC', '12:00:00.007 UTC'],
    ['Asia/Kolkata', '17:30:00.007 UTC+5:30'],
    ['America/St_Johns', '08:30:00.007 UTC-3:30'],
  ])('in %s is %s', (TZ, text) => {
    process.env.TZ = TZ
    expect(clockText(noon, {millis: true})).toBe(text)
  })
})

describe('a call on the page', () => {
  test.each([
    [{}, 'approved', 'Kahvila Aino', '4.20'],
    [{code: '51'}, 'declined 51', 'Kahvila Aino', '4.20'],
    [{code: '10', scenario: 'fuel', amount: 1234.5}, 'partial approval', 'Fuel pump', '1\u202f234.50'],
    [{late: true, amount: 15_800, currency: 'JPY'}, 'late', 'Kahvila Aino', '15\u202f800'],
    [{merchant: '\u202Eevil'}, 'approved', '\\u202eevil', '4.20'],
    [{merchant: ''}, 'approved', 'Unnamed merchant', '4.20'],
  ])('%j', (sample, decision, title, amount) => {
    expect(toCall(exchangeOf(1, sample))).toMatchObject({decision, title, amount})
  })

  test('whose code has a long name shows its digits', () => {
    const code = 'EXCEEDS_WITHDRAWAL_FREQUENCY_LIMIT'
    expect(toCall(exchangeOf(1, {code})).decision).toBe('declined 65')
  })

  test('whose caller had gone says so, and counts for no time', () => {
    const {event, ...rest} = exchangeOf(1, {late: true, ms: 1.3})
    const gone = toCall({...rest, event: {...event, callerGone: true} as Exchange['event']})
    expect(gone).toMatchObject({decision: 'late · caller gone', gone: true})
    expect(latencyOf([gone], 2000).count).toBe(0)
  })

  test('that was refused says why', () => {
    const rejected: Exchange = {
      event: {type: 'rejected', event: 'e_1', at: 0, durationMs: 1, status: 413, reason: 'too large'},
      request: {method: 'POST', path: '/auth'},
      steps: [],
    }
    expect(toCall(rejected)).toMatchObject({
      decision: 'rejected 413',
      title: 'Refused',
      note: 'POST /auth · too large',
    })
    expect(canReplay(rejected)).toBe(false)
  })
})

test('a partial approval has one name, that of the contract', () => {
  expect(toCall(exchangeOf(1, {code: '10'})).decision).toBe(responseCodes['10'])
})

describe('then and now', () => {
  const answered = (sample: Sample) => answerOf(exchangeOf(1, sample))

  test.each([
    ['The same decision', {}, {ms: 900}, 'good', []],
    ['declined then, approved now', {code: '51'}, {}, 'bad', ['decision', CODE]],
    ['approved then, declined now', {}, {code: '51'}, 'warn', ['decision', CODE]],
    ['declined with another code', {code: '61'}, {code: '51'}, 'warn', ['decision', CODE]],
    [
      'more is approved than then',
      {code: '10', scenario: 'fuel'},
      {scenario: 'fuel'},
      'bad',
      ['decision', CODE, ...PART],
    ],
    ['a decision then, none now', {}, {late: true}, 'bad', ['decision', 'status', CODE, 'title', 'detail']],
    ['no decision then, one now', {late: true}, {}, 'warn', ['decision', 'status', 'title', 'detail', CODE]],
  ] as const)('%s', (words, then, now, tone, changed) => {
    const [before, after] = [answered(then), answered(now)]
    expect(changeInWords(before, after)).toEqual([expect.stringMatching(new RegExp(words, 'i')), tone])
    const fields = compareAnswers(before, after)
    expect(fields.filter(({isChanged}) => isChanged).map(({name}) => name)).toEqual(
      expect.arrayContaining([...changed]),
    )
    expect(fields.filter(({isChanged}) => !isChanged).map(({name}) => name)).not.toContain(changed[0])
  })

  test('two equal answers have no changed field, whatever is in them', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        const reply = {status: 200, body: JSON.parse(text) as unknown}
        const one = {words: 'approved', decision: null, ms: 1, reply}
        expect(compareAnswers(one, {...one, ms: 2}).filter(({isChanged}) => isChanged)).toEqual([])
      }),
    )
  })

  test('the id of a replay names its call', () => {
    expect(replayedEvent(replayId('e_01JD8', '0123456789ab-more'))).toBe('e_01JD8')
    for (const id of [undefined, '', 'replay-', 'replay-b1347995-0657-4c51-9f5a-57a0799551aa', 'e_1']) {
      expect(replayedEvent(id)).toBeUndefined()
    }
  })
})

describe('what comes at the same time', () => {
  const hello = (epoch: string): Action => ({
    type: 'hello',
    hello: {epoch, url: '', deadlineMs: 2000, ask: false, history: true},
  })
  const page = (start: State['next'], ...numbers: readonly number[]): Action => ({
    type: 'older',
    start,
    page: {calls: numbers.map(number => toCall(exchangeOf(number))), total: 9},
  })

  test('a page of the recording is taken, though the stream has brought some calls twice meanwhile', () => {
    const before = stateOf(hello('a'), calls(3, 4), {type: 'loading'}, calls(4, 5))
    const state = reduce(before, page(undefined, 2, 1))
    expect(state.history).toBe('end')
    expect(new Set(events(state))).toEqual(new Set(['e_5', 'e_4', 'e_3', 'e_2', 'e_1']))
  })

  test('the end of the recording stays the end when a call comes that it had before the stream', () => {
    const state = stateOf(hello('a'), {type: 'loading'}, page(undefined, 2, 1), calls(2))
    expect(state).toMatchObject({history: 'end'})
    expect(state.next).toBeUndefined()
  })

  test('the recording is asked again when a lost server is back', () => {
    const lost = stateOf(hello('a'), {type: 'loading'}, {type: 'older', start: undefined, page: undefined})
    expect(lost.history).toBe('failed')
    expect(reduce(lost, hello('a')).history).toBe('more')
  })

  test('a call that the stream has brought stays, though the recording did not have it yet', () => {
    const asked = stateOf(hello('a'), {type: 'select', event: 'e_7'}, calls(7))
    const state = reduce(asked, {type: 'whole', event: 'e_7', call: undefined})
    expect(state.selected).toMatchObject({event: 'e_7', call: {event: 'e_7'}})
    expect(state.selected?.missing).toBeUndefined()
  })
})

describe('the filter', () => {
  const some = [
    toCall(exchangeOf(1, {code: '51'})),
    toCall(exchangeOf(2, {scenario: 'hotel', currency: 'NOK'})),
    toCall(exchangeOf(3, {late: true})),
  ]
  const found = (text: string, groups: readonly ('late' | 'declined' | 'other')[] = []) =>
    filtered(some, {text, groups: new Set(groups)}).map(({event}) => event)

  test('finds nothing that is not shown', () => {
    const id = 'b1347995-0657-4c51-9f5a-57a0799551aa'
    const calls = [toCall(exchangeOf(7, {id, code: '51', amount: 157.25}))]
    const isFound = (text: string) => filtered(calls, {text, groups: new Set()}).length === 1
    for (const text of ['7995', 'declined 57', '57', '25', 'b134', 'e_', 'payment']) {
      expect(isFound(text), text).toBe(false)
    }
    for (const text of [id, 'e_7', '157', '157.25', 'declined 51', '5814', 'mcc 58', 'card 3001', '3001']) {
      expect(isFound(text), text).toBe(true)
    }
  })

  test('finds every word, wherever it stands, in any case', () => {
    expect(filtered(some, EVERYTHING)).toBe(some)
    expect(found('  ')).toHaveLength(3)
    expect(found('oslo NOK')).toEqual(['e_2'])
    expect(found('51')).toEqual(['e_1'])
    expect(found('card 3001 kahvila')).toEqual(['e_1', 'e_3'])
    expect(found('', ['late', 'declined'])).toEqual(['e_1', 'e_3'])
    expect(found('hotel', ['late'])).toEqual([])
    expect(found('', ['other'])).toEqual([])
  })
})

describe('the histogram', () => {
  const timed = (ms: number): Call => toCall(exchangeOf(1, {ms}))

  test('counts each decision once, and late ones behind the deadline', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({min: 0, max: 100_000, noNaN: true})),
        fc.integer({min: 1, max: 60_000}),
        (times, deadlineMs) => {
          const {buckets, count} = latencyOf(times.map(timed), deadlineMs)
          expect(count).toBe(times.length)
          expect(buckets.reduce((sum, bucket) => sum + bucket.count, 0)).toBe(times.length)
          const behind = buckets.filter(({from}) => from >= deadlineMs * 0.9999)
          const late = times.filter(ms => ms >= deadlineMs * 1.0001).length
          const edge = times.filter(ms => ms > deadlineMs * 0.9999 && ms < deadlineMs * 1.0001).length
          const shown = behind.reduce((sum, bucket) => sum + bucket.count, 0)
          expect(shown).toBeGreaterThanOrEqual(late)
          expect(shown).toBeLessThanOrEqual(late + edge)
        },
      ),
      {numRuns: 200},
    )
  })

  test('gives the nearest rank, and nothing of warm-ups', () => {
    const hundred = Array.from({length: 100}, (_, index) => timed(index + 1))
    expect(latencyOf(hundred, 2000)).toMatchObject({p50: 50, p95: 95, p99: 99, max: 100})
    expect(latencyOf([timed(7)], 2000)).toMatchObject({p50: 7, p95: 7, p99: 7, max: 7})
    expect(latencyOf([], 2000)).toMatchObject({count: 0, max: 0})
  })
})

describe('text from outside', () => {
  test('is shown with nothing unseen in it, and is the same JSON', () => {
    fc.assert(
      fc.property(fc.string({unit: codePoint}), text => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there.
        const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/
        expect(visible(text)).not.toMatch(unseen)
        expect(JSON.parse(plainJson({text}, 2))).toEqual({
          text: text.toWellFormed() === text ? text : expect.anything(),
        })
      }),
      {numRuns: 300},
    )
  })

  test('comes out of a shell as it went into the curl command', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        const command = asCurl({url: 'http://127.0.0.1:1'}, '/auth', {text}).replace(
          /^curl/,
          `printf '%s\\n'`,
        )
        const {output} = run('sh', ['-c', command], {quiet: true})
        expect(JSON.parse(output.trimEnd().split('\n').at(-1) ?? '')).toEqual({text})
      }),
      {numRuns: 20},
    )
  })
})

test('a replay is the same call under another id', () => {
  const exchange = exchangeOf(1)
  const {path, body} = replayOf(exchange, 'new')
  expect(path).toBe('/auth')
  expect(idOf(body)).toBe('new')
  expect(body).toEqual({
    ...(exchange.request.body as object),
    metadata: {id: 'new', messageCategory: 'INITIAL_AUTHORIZATION'},
  })
  expect(idOf(exchange.request.body)).toBe('call-1')
  expect(canReplay(exchange)).toBe(true)
})

test.each([
  ['{}', undefined],
  ['', 'The body is empty.'],
  ['{"a": 1', 'Invalid JSON: the end is missing.'],
  ['{"a": 1]', 'Invalid JSON at line 1, column 8.'],
  ['{\n  "a": x\n}', 'Invalid JSON at line 2, column 8.'],
  ['{"a":', 'Invalid JSON: the end is missing.'],
])('%j is JSON, or is told where it is not', (text, fault) => {
  expect(whyNoJson(text)).toBe(fault)
})

test('what the browser takes for JSON is JSON, and nothing else', () => {
  const parses = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const json = fc.json()
  const spoiled = fc
    .tuple(
      json,
      fc.nat(),
      fc.constantFrom('', '"', ',', ':', '[', '}', '0', '-', '.', 'e', 't', '\\', '\n', ' '),
    )
    .map(([text, at, other]) => text.slice(0, at % text.length) + other + text.slice((at % text.length) + 1))
  fc.assert(
    fc.property(fc.oneof(json, spoiled), text => {
      expect(whyNoJson(text) === undefined, text).toBe(parses(text))
    }),
    {numRuns: 1000},
  )
})

test('waiting calls can be answered only while the server is there', () => {
  const {event, at, summary, call} = pendingOf(1)
  const waiting: Action = {type: 'waiting', waiting: [{event, at, summary, body: call}]}
  expect(stateOf(waiting, {type: 'link', link: 'broken'}).waiting).toEqual([])
})

describe('what the page keeps', () => {
  test('is a thousand calls, newest first', () => {
    const many = Array.from({length: 700}, (_, index) => index)
    const state = stateOf(calls(...many), calls(...many.map(number => number + 700)))
    expect(state.calls).toHaveLength(1000)
    expect(events(state).slice(0, 2)).toEqual(['e_1399', 'e_1398'])
  })

  test('disappears when the server has restarted, and stays when only the connection was lost', () => {
    const hello = {epoch: 'a', url: '', deadlineMs: 2000, ask: false, history: false}
    const seen: readonly Action[] = [{type: 'hello', hello}, calls(1), {type: 'link', link: 'broken'}]
    expect(events(stateOf(...seen, {type: 'hello', hello}))).toEqual(['e_1'])
    expect(events(stateOf(...seen, {type: 'hello', hello: {...hello, epoch: 'b'}}))).toEqual([])
  })

  test('what is looked at stays, and a call that was sent from here is looked at when it comes', () => {
    const chosen = stateOf(calls(1, 2), {type: 'select', event: 'e_1'})
    expect(reduce(chosen, calls(3)).selected?.event).toBe('e_1')
    const sent = reduce(chosen, {type: 'expect', id: 'call-4'})
    expect(reduce(sent, calls(3)).selected?.event).toBe('e_1')
    expect(reduce(sent, calls(3, 4, 5)).selected?.event).toBe('e_4')
  })
})
