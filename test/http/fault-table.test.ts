import {afterEach, describe, expect, it} from 'vitest'
import {type Behaviour, FaultyService, OK} from './faulty-service.ts'
import {failureOf, kinds, type OpenSender, openSender, still, target} from './surround.ts'

/**
 * What each effect does at each point where a request can fail.
 * Every row is a fault that happens once, then the service is well.
 *
 * `again`: the request is sent again and succeeds; else the code it ends with, and how many requests the service got.
 */
type Kind = keyof typeof kinds
type Outcome =
  | 'again'
  | 'EFFECT_UNKNOWN'
  | 'SERVICE_FAULT'
  | 'REFUSED'
  | 'RATE_LIMITED'
  | 'NOT_FOUND'
  | 'ANSWER_INVALID'

const everyKind = Object.keys(kinds) as Kind[]
const safe: Kind[] = ['read', 'keyed']

const status = (code: number, headers: Record<string, string> = {}): Behaviour => ({status: code, headers})

/** The request may have arrived, and no answer tells. */
const unanswered: Behaviour[] = [
  'cut after head',
  'cut in body',
  'cut after request',
  'cut after effect',
  'cut in reply',
  'garbage',
  status(500),
  status(502),
  status(503),
  status(503, {'retry-after': 'soon'}),
  status(503, {'retry-after': '1'}),
  status(408),
  status(504),
  status(599),
]

function expected(behaviour: Behaviour, kind: Kind): Outcome {
  if (unanswered.includes(behaviour)) return safe.includes(kind) ? 'again' : 'EFFECT_UNKNOWN'
  if (behaviour === 'truncated JSON') {
    // A read can't get better; a success that can't be read proves no effect.
    return kind === 'read' ? 'ANSWER_INVALID' : kind === 'keyed' ? 'again' : 'EFFECT_UNKNOWN'
  }
  if (typeof behaviour === 'string') throw new Error(behaviour)
  switch (behaviour.status) {
    case 429:
      return kind === 'irreversible' ? 'RATE_LIMITED' : 'again'
    case 503:
      return safe.includes(kind) ? 'again' : 'SERVICE_FAULT'
    case 404:
    case 410:
      return 'NOT_FOUND'
    default:
      return behaviour.status > 500 || behaviour.status < 400 ? 'SERVICE_FAULT' : 'REFUSED'
  }
}

const faults: Behaviour[] = [
  ...unanswered,
  'truncated JSON',
  {
    status: 503,
    headers: {'retry-after': '1', 'content-type': 'application/problem+json'},
    body: '{"title":"Busy","status":503}',
  },
  status(429),
  status(429, {'retry-after': '2'}),
  status(400),
  status(404),
  status(409),
  status(410),
  status(422),
  status(501),
  status(301, {location: 'https://elsewhere.example/'}),
]

/** The effect is there, and the answer that tells is lost. */
const ANSWERED_LATER = new Set<string>(['cut after effect', 'cut in reply', 'truncated JSON'])

const rows = faults.flatMap(fault => everyKind.map(kind => ({fault, kind, outcome: expected(fault, kind)})))

let service: FaultyService
let sender: OpenSender

afterEach(async () => {
  await sender?.close()
  await service?.close()
})

async function setUp(...behaviours: Behaviour[]) {
  service = new FaultyService(...behaviours)
  const surroundings = still()
  sender = openSender(target(await service.listen()), surroundings)
  return surroundings
}

function send(kind: Kind, timeoutMs?: number) {
  const body = kind === 'irreversible' ? {status: 'ACCOUNT_TO_CLOSE'} : {name: 'x'.repeat(100)}
  const operation = kinds[kind]
  return sender.send({
    operation,
    input: {path: {id: '1'}, query: {}, ...(operation.method === 'GET' || kind === 'destroy' ? {} : {body})},
    timeoutMs,
  })
}

const title = (fault: Behaviour): string => (typeof fault === 'string' ? fault : JSON.stringify(fault))

describe('a fault that happens once', () => {
  it.each(rows.map(row => [title(row.fault), row.kind, row.outcome, row] as const))(
    '%s on %s: %s',
    async (_fault, _kind, outcome, {fault, kind}) => {
      await setUp(fault, OK)
      const keyed = kind === 'keyed' || kind === 'irreversible'
      if (outcome === 'again') {
        const answer = await send(kind)
        expect(answer).toMatchObject({status: 200, attempts: 2, body: {id: '1'}})
        if (keyed) {
          expect(service.effects).toBe(1)
          expect(answer.replayed).toBe(typeof fault === 'string' && ANSWERED_LATER.has(fault))
        }
        return
      }
      const failure = await failureOf(send(kind))
      expect(failure.code).toBe(outcome)
      expect(service.received.length + (fault === 'cut after head' || fault === 'cut in body' ? 1 : 0)).toBe(
        1,
      )
      const effect = outcome === 'EFFECT_UNKNOWN' ? 'unknown' : 'none'
      expect(failure.details.effect).toBe(effect)
      expect(failure.details.repeatable).toBe(outcome === 'EFFECT_UNKNOWN' ? keyed : undefined)
      expect(failure.message).not.toContain('4111111111111111')
    },
  )
})

describe('a fault that stays', () => {
  it('ends a read with what it was, and no effect', async () => {
    await setUp(status(500))
    const failure = await failureOf(send('read'))
    expect(failure).toMatchObject({
      code: 'SERVICE_FAULT',
      details: {effect: 'none', status: 500, data: {attempts: 5}},
    })
    expect(service.received).toHaveLength(5)
  })

  it.each([
    ['cut after request', 0],
    ['cut after effect', 1],
  ] as const)('ends a keyed write that is %s as unknown but repeatable', async (fault, effects) => {
    const surroundings = await setUp(fault)
    const failure = await failureOf(send('keyed'))
    expect(failure).toMatchObject({
      code: 'EFFECT_UNKNOWN',
      exit: 10,
      details: {effect: 'unknown', repeatable: true, idempotencyKey: 'made-1'},
    })
    expect(service.effects).toBe(effects)
    expect(surroundings.slept.every(ms => ms >= 2_000)).toBe(true)
  })

  it('sends the same key and the same bytes on every try', async () => {
    await setUp(status(500), 'cut after effect', status(502), OK)
    await send('keyed')
    const sent = service.received.map(({headers, body, url}) => [headers['x-idempotency-key'], body, url])
    expect(new Set(sent.map(String)).size).toBe(1)
    expect(sent[0]?.[0]).toBe('made-1')
    expect(service.effects).toBe(1)
  })

  it('ends with the rate limit after the retries, for every effect', async () => {
    for (const kind of ['read', 'disclose', 'keyed', 'unkeyed', 'put', 'destroy'] as const) {
      await setUp(status(429))
      const failure = await failureOf(send(kind))
      expect(failure).toMatchObject({code: 'RATE_LIMITED', exit: 7, details: {effect: 'none'}})
      expect(service.received).toHaveLength(5)
      await sender.close()
      await service.close()
    }
  })

  it('keeps a keyed write unknown when a refusal follows that tells nothing of the first try', async () => {
    for (const refusal of [401, 403, 404, 413, 429, 501]) {
      await setUp('cut after effect', status(refusal))
      const failure = await failureOf(send('keyed'))
      expect(failure).toMatchObject({code: 'EFFECT_UNKNOWN', details: {repeatable: true, status: refusal}})
      await sender.close()
      await service.close()
    }
  })

  it('trusts a refusal after the resent key: a success would have been replayed', async () => {
    await setUp('cut after request', {status: 422, body: '{"title":"No such segment"}'})
    const failure = await failureOf(send('keyed'))
    expect(failure).toMatchObject({code: 'REFUSED', details: {effect: 'none', status: 422}})
    expect(failure.message).toContain('No such segment')
  })
})

describe('409 to our own resend', () => {
  it('waits and tries again, beyond the usual count of tries', async () => {
    const busy = status(409)
    await setUp('cut after request', busy, busy, busy, busy, busy, busy, busy, OK)
    expect(await send('keyed')).toMatchObject({status: 200, attempts: 9})
  })

  it('ends within the deadline as unknown and repeatable', async () => {
    const surroundings = await setUp('cut after request', status(409))
    const failure = await failureOf(send('keyed', 10_000))
    expect(failure).toMatchObject({code: 'EFFECT_UNKNOWN', details: {repeatable: true, status: 409}})
    expect(surroundings.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(10_000)
  })
})

describe('no response in time', () => {
  it.each([
    ['read', 'TIMED_OUT', 'none', undefined],
    ['disclose', 'EFFECT_UNKNOWN', 'unknown', false],
    ['keyed', 'EFFECT_UNKNOWN', 'unknown', true],
    ['unkeyed', 'EFFECT_UNKNOWN', 'unknown', false],
    ['put', 'EFFECT_UNKNOWN', 'unknown', false],
    ['destroy', 'EFFECT_UNKNOWN', 'unknown', false],
  ] as const)('%s: %s', async (kind, code, effect, repeatable) => {
    service = new FaultyService('silent')
    let time = 0
    // Every look at the clock is past the deadline, so that only the first try is made.
    sender = openSender(target(await service.listen()), still({now: () => (time += 1_000)}))
    const failure = await failureOf(send(kind, 150))
    expect(failure).toMatchObject({code, details: {effect}})
    expect(failure.details.repeatable).toBe(repeatable)
    expect(service.received).toHaveLength(1)
  })
})

describe('before a byte has left', () => {
  it.each(everyKind)('%s: a refused connection is tried again, since nothing was sent', async kind => {
    const first = new FaultyService()
    const url = await first.listen()
    await first.close()
    service = new FaultyService(OK)
    let sleeps = 0
    const onSleep = async () => {
      sleeps += 1
      if (sleeps === 2) await service.listen(Number(new URL(url).port))
    }
    sender = openSender(target(url), still({onSleep}))
    expect(await send(kind)).toMatchObject({status: 200, attempts: 3})
    expect(service.received).toHaveLength(1)
  })

  it.each(everyKind)('%s: a host that stays away had no effect', async kind => {
    const gone = new FaultyService()
    const url = await gone.listen()
    await gone.close()
    sender = openSender(target(url), still())
    const failure = await failureOf(send(kind))
    expect(failure).toMatchObject({code: 'CONNECTION_FAILED', exit: 9, details: {effect: 'none'}})
    expect(failure.message).toContain('ECONNREFUSED')
  })

  it('an unknown host is not retried', async () => {
    const surroundings = still()
    sender = openSender(target('https://no-such-host.invalid'), surroundings)
    const failure = await failureOf(send('unkeyed'))
    expect(failure).toMatchObject({code: 'CONNECTION_FAILED', details: {effect: 'none'}})
  })

  it('a 404 after a repeated DELETE proves nothing', async () => {
    const first = new FaultyService()
    const url = await first.listen()
    await first.close()
    service = new FaultyService(status(404))
    const onSleep = async () => void (await service.listen(Number(new URL(url).port)))
    sender = openSender(target(url), still({onSleep}))
    expect(await failureOf(send('destroy'))).toMatchObject({
      code: 'EFFECT_UNKNOWN',
      details: {repeatable: false},
    })
  })
})

describe('redirects', () => {
  it('are not followed, and the host is named', async () => {
    await setUp(status(302, {location: 'https://login.example/?next=secret'}))
    const failure = await failureOf(send('read'))
    expect(failure).toMatchObject({code: 'SERVICE_FAULT', details: {status: 302, effect: 'none'}})
    expect(failure.message).toContain('login.example')
    expect(failure.message).not.toContain('secret')
    expect(service.received).toHaveLength(1)
  })

  it.each([302, 303])('%d after a write may mean that it was carried out', async code => {
    await setUp(status(code, {location: '/done'}))
    const failure = await failureOf(send('unkeyed'))
    expect(failure).toMatchObject({code: 'EFFECT_UNKNOWN'})
    expect(service.received).toHaveLength(1)
  })

  it.each([301, 307, 308])('%d says that a write was not carried out', async code => {
    await setUp(status(code, {location: '/there'}))
    expect(await failureOf(send('unkeyed'))).toMatchObject({details: {effect: 'none'}})
  })
})

describe('waiting', () => {
  it('backs off exponentially with full jitter', async () => {
    const surroundings = await setUp(status(500))
    await failureOf(send('read'))
    expect(surroundings.slept).toEqual([125, 250, 500, 1000])
  })

  it('waits at least as long as Retry-After says, in seconds or as a date', async () => {
    const date = {date: 'Sat, 21 Nov 2026 12:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 12:00:03 GMT'}
    const surroundings = await setUp(status(429, {'retry-after': '4'}), status(503, date), OK)
    await send('read')
    expect(surroundings.slept).toEqual([4_500, 3_125])
  })

  it('never sleeps past the deadline', async () => {
    const surroundings = await setUp(status(429, {'retry-after': '60'}))
    expect(await failureOf(send('read'))).toMatchObject({code: 'RATE_LIMITED'})
    expect(surroundings.slept).toEqual([])
  })

  it('leaves a keyed write the settle delay only while it may still run', async () => {
    const surroundings = await setUp(status(500), status(504), OK)
    await send('keyed')
    expect(surroundings.slept).toEqual([125, 2_000])
  })
})
