// What a response proves about the effect of a write: every status with every kind of body, with and without an
// honoured key. The table is in effect-table.txt; `npx vitest run test/http/effect-table.test.ts -u` prints it again.
import {gzipSync} from 'node:zlib'
import {afterEach, describe, expect, it} from 'vitest'
import type {AttemptResult} from '../../src/http/attempt.ts'
import {notCarriedOut} from '../../src/http/read-response.ts'
import {type BodyKind, type Situation, settlesEarlierAttempts, verdict} from '../../src/http/retry-rules.ts'
import {type Behaviour, FaultyService, OK} from './faulty-service.ts'
import {failureOf, kinds, type OpenSender, openSender, still, target} from './surround.ts'

const BODIES: readonly BodyKind[] = ['html', 'text', 'json', 'own', 'empty', 'unreadable']
const STATUSES = Array.from({length: 300}, (_, at) => at + 300)
const CHANGES = ['write', 'destroy', 'disclose'] as const

const situation = (more: Partial<Situation>): Situation => ({
  effect: 'write',
  keyed: false,
  irreversible: false,
  open: false,
  reconnected: false,
  refreshable: true,
  ...more,
})

const answered = (status: number, namesTime: boolean): AttemptResult => ({
  kind: 'answered',
  response: {status, headers: namesTime ? {'retry-after': '30'} : {}, body: Buffer.alloc(0)},
})

/** The rule in words: what proves that nothing happened. Everything else proves nothing. */
function provesNone(status: number, body: BodyKind, namesTime: boolean): boolean {
  if (status < 400) return [301, 307, 308].includes(status)
  if ([408, 460, 499].includes(status)) return false
  if ([403, 425, 429].includes(status)) return body !== 'html'
  if (status < 500) return true
  return [501, 505, 511].includes(status) || (status === 503 && namesTime && body === 'own')
}

describe('a response other than 2xx', () => {
  it.each(CHANGES)('without an honoured key, proves that a %s had no effect only by the rule', effect => {
    for (const status of STATUSES) {
      for (const body of BODIES) {
        for (const namesTime of [true, false]) {
          const {leaves, code} = verdict(answered(status, namesTime), body, situation({effect}))
          const where = `${status} ${body} ${namesTime}`
          expect(leaves === 'none', where).toBe(provesNone(status, body, namesTime))
          expect(code === 'EFFECT_UNKNOWN', where).toBe(leaves === 'unknown')
        }
      }
    }
  })

  it('says the same of a write with an honoured key, which may be sent again where that can help', () => {
    for (const status of STATUSES) {
      for (const body of BODIES) {
        for (const namesTime of [true, false]) {
          const keyed = verdict(answered(status, namesTime), body, situation({keyed: true}))
          const {leaves} = verdict(answered(status, namesTime), body, situation({}))
          expect(keyed.leaves).toBe(leaves)
        }
      }
    }
  })

  it('lets nothing be sent again without an honoured key after a page, or where the effect is unknown', () => {
    for (const status of STATUSES) {
      for (const body of BODIES) {
        for (const effect of CHANGES) {
          const {again, leaves} = verdict(answered(status, true), body, situation({effect}))
          if (body === 'html' || leaves === 'unknown') expect(again, `${status} ${body}`).toBeUndefined()
          else expect([undefined, 'limited', 'refresh']).toContain(again)
        }
      }
    }
  })

  it('leaves a read without an effect', () => {
    for (const status of STATUSES) {
      for (const body of BODIES) {
        const {leaves, code} = verdict(answered(status, true), body, situation({effect: 'read'}))
        expect(leaves).toBe('none')
        expect(code).not.toBe('EFFECT_UNKNOWN')
      }
    }
  })

  it('settles earlier attempts with the key only if the operation itself has refused', () => {
    const settling = STATUSES.filter(status => settlesEarlierAttempts({status}))
    expect(settling).toEqual([400, 412, 422])
    expect(settling.filter(status => settlesEarlierAttempts({status, isPage: true}))).toEqual([])
    expect(settlesEarlierAttempts({})).toBe(false)
  })
})

it('is this table', async () => {
  await expect(printed()).toMatchFileSnapshot('effect-table.txt')
})

const TITLES: Readonly<Record<BodyKind, string>> = {
  html: 'HTML page',
  text: 'text',
  json: 'other JSON',
  own: 'own error',
  empty: 'no body',
  unreadable: 'unreadable',
}

function printed(): string {
  const tables = [false, true].map(keyed => {
    const title = keyed ? 'A write with an honoured key' : 'A write without an honoured key'
    return [title, '', ...table(keyed), ''].join('\n')
  })
  return [
    'What a response proves about the effect, and whether cardctl sends the request again by itself.',
    'Own error: in the shape that the contract of the service describes. +time: with Retry-After.',
    '',
    ...tables,
    'A write, by the status of a 2xx whose body has what the command needs',
    '',
    ...successes(),
    '',
  ].join('\n')
}

/** Equal neighbours are one line. */
function successes(): readonly string[] {
  const word = (status: number, isListed: boolean): string => {
    const listed = {...kinds.unkeyed, success: isListed ? [status] : [200]}
    if (notCarriedOut(listed, status) !== undefined) return 'unknown'
    return isListed || status === 200 ? 'done' : 'done, with a warning'
  }
  const groups: {from: number; to: number; cells: string}[] = []
  for (let status = 200; status < 300; status++) {
    const cells = `${word(status, true).padEnd(24)}${word(status, false)}`
    const last = groups.at(-1)
    if (last?.cells === cells) last.to = status
    else groups.push({from: status, to: status, cells})
  }
  return [
    `${'status'.padEnd(14)}${'listed'.padEnd(24)}not listed in the contract`,
    ...groups.map(
      ({from, to, cells}) => `${(from === to ? `${from}` : `${from} to ${to}`).padEnd(14)}${cells}`,
    ),
  ]
}

function table(keyed: boolean): readonly string[] {
  const lines = STATUSES.flatMap(status => [
    {status, time: '', cells: cellsOf(status, false, keyed)},
    {status, time: ' +time', cells: cellsOf(status, true, keyed)},
  ])
  // A time changes few of them; equal neighbours are one line.
  const shown = lines.filter(
    ({status, time, cells}) => time === '' || String(cells) !== String(cellsOf(status, false, keyed)),
  )
  const groups: {from: string; to: string; cells: readonly string[]}[] = []
  for (const {status, time, cells} of shown) {
    const last = groups.at(-1)
    const name = `${status}${time}`
    if (last !== undefined && status % 100 > 0 && time === '' && String(last.cells) === String(cells))
      last.to = name
    else groups.push({from: name, to: name, cells})
  }
  const cut = (error: boolean): string => {
    const result: AttemptResult = {
      kind: 'failed',
      left: error,
      error: Object.assign(new Error('reset'), {code: 'ECONNRESET'}),
    }
    return cellOf(verdict(result, 'empty', situation({keyed})))
  }
  const row = (name: string, cells: readonly string[]): string =>
    [name.padEnd(22), ...cells.map(cell => cell.padEnd(16))].join('').trimEnd()
  return [
    row(
      'status',
      BODIES.map(kind => TITLES[kind]),
    ),
    ...groups.map(({from, to, cells}) => row(from === to ? from : `${from} to ${to}`, cells)),
    row('cut before sending', [cut(false)]),
    row('cut while sending', [cut(true)]),
  ]
}

const cellsOf = (status: number, namesTime: boolean, keyed: boolean): readonly string[] =>
  BODIES.map(body => cellOf(verdict(answered(status, namesTime), body, situation({keyed}))))

const cellOf = ({leaves, again}: {leaves: string; again: string | undefined}): string =>
  again === undefined ? leaves : `${leaves}, again`

/** Bodies as gateways and services send them. */
const html = {'content-type': 'text/html'}
const VARNISH =
  '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">\n<html><head><title>503 Backend fetch failed</title></head></html>'
const NGINX = '<html>\r\n<head><title>504 Gateway Time-out</title></head>\r\n<body></body></html>'

const sent: readonly {
  readonly name: string
  readonly kind: BodyKind
  readonly headers: Record<string, string>
  readonly body: (status: number) => string | Buffer
}[] = [
  {name: 'a page', kind: 'html', headers: html, body: () => NGINX},
  {name: 'a page without a type', kind: 'html', headers: {}, body: () => VARNISH},
  {name: 'a page in Latin-1', kind: 'html', headers: html, body: () => Buffer.from([0x3c, 0x70, 0x3e, 0xfc])},
  {
    name: 'a page whose compression is damaged',
    kind: 'html',
    headers: {...html, 'content-encoding': 'gzip'},
    body: () => gzipSync(NGINX).subarray(0, 20),
  },
  {name: 'a text', kind: 'text', headers: {}, body: () => 'upstream connect error or disconnect'},
  {name: 'nothing', kind: 'empty', headers: {}, body: () => ''},
  {
    name: 'JSON of a gateway',
    kind: 'json',
    headers: {'content-type': 'application/json'},
    body: () => '{"message":"Service Unavailable"}',
  },
  {
    name: 'a problem with another status',
    kind: 'json',
    headers: {'content-type': 'application/problem+json'},
    body: status => JSON.stringify({title: 'Busy', status: status + 1}),
  },
  {
    name: 'a problem',
    kind: 'own',
    headers: {'content-type': 'application/problem+json'},
    body: status => JSON.stringify({title: 'Busy', status}),
  },
  {
    name: 'half a problem',
    kind: 'unreadable',
    headers: {'content-type': 'application/problem+json'},
    body: () => '{"title":"Bu',
  },
]

describe('on the wire', () => {
  let service: FaultyService
  let sender: OpenSender

  afterEach(async () => {
    await sender.close()
    await service.close()
  })

  const once = async (behaviour: Behaviour, kind: 'unkeyed' | 'keyed') => {
    service = new FaultyService(behaviour, OK)
    sender = openSender(target(await service.listen()), still())
    return sender
      .send({operation: kinds[kind], input: {path: {id: '1'}, query: {}, body: {}}})
      .then(() => 'done')
      .catch((failure: {details: {effect?: string}}) => failure.details.effect)
  }

  const some = [400, 403, 408, 425, 429, 501, 503, 504]
  it.each(sent)('$name is what it is', async ({kind, headers, body}) => {
    for (const status of some) {
      for (const namesTime of [false, true]) {
        for (const keyed of [false, true]) {
          const time: Record<string, string> = namesTime ? {'retry-after': '1'} : {}
          const behaviour = {status, headers: {...headers, ...time}, body: body(status)}
          const outcome = await once(behaviour, keyed ? 'keyed' : 'unkeyed')
          const {leaves, again} = verdict(answered(status, namesTime), kind, situation({keyed}))
          const where = `${status} ${namesTime} ${keyed}`
          expect(outcome, where).toBe(again === undefined ? leaves : 'done')
          expect(service.received.length, where).toBe(again === undefined ? 1 : 2)
          await sender.close()
          await service.close()
        }
      }
    }
  })

  it('says that a page came instead of the response, and what its title is', async () => {
    service = new FaultyService({status: 503, headers: {...html, 'retry-after': '5'}, body: VARNISH})
    sender = openSender(target(await service.listen()), still())
    const input = {path: {id: '1'}, query: {}, body: {}}
    const failure = await failureOf(sender.send({operation: kinds.unkeyed, input}))
    expect(failure).toMatchObject({code: 'EFFECT_UNKNOWN', exit: 10, details: {status: 503, isPage: true}})
    expect(failure.message).toContain('503 Backend fetch failed')
  })

  it('a page with 400 tells nothing of the first attempt with the key', async () => {
    service = new FaultyService('cut after request', {status: 400, headers: html, body: NGINX})
    sender = openSender(target(await service.listen()), still())
    const input = {path: {id: '1'}, query: {}, body: {}}
    expect(await failureOf(sender.send({operation: kinds.keyed, input}))).toMatchObject({
      code: 'EFFECT_UNKNOWN',
      details: {repeatable: true, status: 400},
    })
  })
})
