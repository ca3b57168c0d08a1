// What is named after several batches covers all of them: the end of one is not the end of the others.
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const ROWS = `from,to,amount,currency,text\n${[0, 1, 2, 3, 4, 5, 6, 7, 8].map(n => `2006,${n > 5 ? 9999 : 2007},${n + 50}.50,EUR,Wage ${n}\n`).join('')}`
const CREATE = ['a2a', 'create', '--from', '-', '--batch-size', '3', '--yes']
const WATCH = 'cardctl a2a watch 88001 88002 88003 -p served'

let home: Home
let service: Service
let made: number
/** What the service says of each batch that was made. */
let state: (id: string) => ReturnType<typeof reply>
/** From which batch on the effect is unknown. */
let lostFrom: number

const batch = (id: string, status: string, booked: number, failed = 0) =>
  reply(200, {
    ...{id, status, transferItemCount: 3, totalAmount: {EUR: 172.5}},
    ...{successfulTransferItems: booked, failedTransferItems: failed},
    transfers: {
      items: [6, 7, 8].map(n => ({
        ...{id: `${id}-${n}`, fromId: '2006', toId: '9999', amount: n + 50.5, currency: 'EUR'},
        status: failed > 0 ? 'FAILED' : 'COMPLETED',
      })),
    },
  })
const ended = (id: string) => (id === '88003' ? batch(id, 'FAILED', 0, 3) : batch(id, 'COMPLETED', 3))

beforeEach(async () => {
  made = 0
  lostFrom = Number.POSITIVE_INFINITY
  state = id => batch(id, 'IN_PROGRESS', 0)
  service = await openService(({method, url}) => {
    if (method === 'POST') {
      const id = String(88_000 + ++made)
      return made < lostFrom ? reply(200, {id, status: 'IN_PROGRESS'}) : gone()
    }
    const id = /batches\/(\d+)/.exec(url)?.[1]
    return id === undefined ? reply(200, {items: []}) : state(id)
  })
  home = await openHome()
  await home.json(['profiles', 'add', 'served', '--kind', 'sandbox', '--base-url', service.url])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

/** A response that proves nothing. */
const gone = () => ({status: 502, headers: {}, body: Buffer.alloc(0)})

const run = (argv: readonly string[], options = {}) =>
  home.run(argv, {stdin: ROWS, env: {CARDCTL_PROFILE: 'served'}, ...options})
const errorOf = (stderr: string) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error
/** Time that passes only while the command sleeps. */
function sleeping() {
  let time = Date.now()
  return {
    now: () => time,
    sleep: async (millis: number) => {
      time += millis
    },
  }
}

test('a wait that breaks off names all batches, and following them ends as the worst of them does', async () => {
  state = () => ({status: 503, headers: {}, body: Buffer.alloc(0)})
  const {code, stderr} = await run([...CREATE, '--wait', '--retries', '0'])
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
    12,
    `  Next, when the service is up again: ${WATCH}`,
  ])
  state = ended
  const watched = await run(WATCH.split(' ').slice(1))
  expect(watched.code).toBe(11)
  expect(watched.stderr).toContain('3 of the 3 transfers of batch 88003 failed.')
  expect(watched.stderr).toContain('3 batches: 6 of 9 transfers booked. Failed: 3 transfers, EUR 172.50')
  const asJson = await run([...WATCH.split(' ').slice(1), '-o', 'json'])
  expect(JSON.parse(asJson.stdout).map(({status}: {status: string}) => status)).toEqual([
    ...['COMPLETED', 'COMPLETED', 'FAILED'],
  ])
})

test('a wait that breaks off at a later batch says what failed before it, and names that batch too', async () => {
  state = id => {
    if (id === '88001') return batch(id, 'FAILED', 0, 3)
    return {status: 503, headers: {}, body: Buffer.alloc(0)}
  }
  const {code, stderr} = await run([...CREATE, '--wait', '--retries', '0', '-o', 'json'])
  const {message, data} = errorOf(stderr)
  expect([code, data.next, data.batches.length]).toEqual([12, WATCH, 1])
  expect(message).toContain('3 of the 3 transfers of batch 88001 failed.')
})

test('when the time is over, each batch was looked at, and those are named that are not done', async () => {
  state = id => (id === '88002' ? batch(id, 'IN_PROGRESS', 0) : ended(id))
  const {code, stderr} = await run([...CREATE, '--wait', '--wait-timeout', '10s', '-o', 'json'], sleeping())
  const {message, hint} = errorOf(stderr)
  expect(code).toBe(12)
  expect(message).toContain('Batch 88002 of 3 has not ended')
  expect(message).toContain('3 of the 3 transfers of batch 88003 failed.')
  expect(hint).toContain('cardctl a2a watch 88002 88003 -p served')
})

test('a signal names all, and so does the line after batches that nobody waits for', async () => {
  const stop = new AbortController()
  state = id => {
    stop.abort('SIGTERM')
    return batch(id, 'IN_PROGRESS', 0)
  }
  const {code, stderr} = await run([...CREATE, '--wait'], {signal: stop.signal})
  expect(code).toBe(143)
  expect(stderr).toContain(
    'Stopped waiting for batches 88001, 88002 and 88003; the service continues with them.',
  )
  expect(stderr).toContain(`Follow them with: ${WATCH}`)
  made = 0
  const shown = await run([...CREATE, '--again'], {columns: 120})
  expect(shown.stderr).toContain(`Next: ${WATCH} (follows them to their ends)`)
})

test('the same transfers once more: all batches that sent them are named', async () => {
  expect((await run(CREATE)).code).toBe(0)
  const {code, stderr} = await run(CREATE)
  expect(code).toBe(14)
  expect(stderr).toContain('batches 88001, 88002 and 88003.')
  expect(stderr).toContain(`Look at them with ${WATCH}`)
})

test('more batches than a line can name: nothing is named that follows only some', async () => {
  const rows = `from,to,amount,currency\n${Array.from({length: 101}, (_, n) => `2006,2007,${n + 1},EUR\n`).join('')}`
  const argv = ['a2a', 'create', '--from', '-', '--batch-size', '1', '--yes']
  const {code, stderr} = await run(argv, {stdin: rows, columns: 120})
  expect(code).toBe(0)
  expect(stderr).toContain('Next: cardctl a2a list --all -p served (shows how each ended)')
})

test('the failed transfers of several batches are not written to one file', async () => {
  const {code, stderr} = await run(['a2a', 'watch', '88001', '88002', '--failed-to', 'x.csv'])
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('--failed-to takes the failed transfers of one batch'),
  ])
})

test('last follows all batches of the last command, and ends as the worst of them does', async () => {
  await run(CREATE)
  state = ended
  const {code, stderr} = await run(['a2a', 'watch', 'last'])
  expect([code, stderr]).toEqual([11, expect.stringMatching(/The last 3 batches .*: 88001, 88002, 88003/)])
  const shown = await run(['a2a', 'get', 'last'])
  expect(shown.stderr).toMatch(/: 88003\. The same command sent batches 88001 and 88002 too/)
  expect((await run(['a2a', 'watch', 'last', '--failed-to', 'failed.csv'])).stderr).toContain('of one batch')
})

test('last names the request whose batch may be missing, and the batches of the same command', async () => {
  lostFrom = 3
  const {stderr: sent} = await run(CREATE)
  const [request = ''] = /r_\w+/.exec(sent.slice(sent.indexOf('unknown'))) ?? []
  const {code, stderr} = await run(['a2a', 'watch', 'last'])
  expect([code, stderr]).toEqual([
    10,
    expect.stringContaining(
      `Whether the batch of request ${request}, one of the last 3 from here, reached the service is not known, so last has no id for it. The same command sent batches 88001 and 88002.`,
    ),
  ])
  expect(stderr).toContain(
    `  Find out: cardctl requests resolve ${request} -p served\n  Follow the others: cardctl a2a watch 88001 88002 -p served\n`,
  )
  const because = ['--found', 'effect', '--because', 'seen at the service', '--yes']
  expect((await run(['requests', 'resolve', request, ...because])).code).toBe(0)
  const found = await run(['a2a', 'watch', 'last'])
  expect([found.code, found.stderr]).toEqual([
    5,
    expect.stringContaining(
      `The journal has no id for the batch of request ${request}, one of the last 3 from here, only that it reached the service.`,
    ),
  ])
})
