import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, expect, test} from 'vitest'
import {processSurroundings} from '../../src/journal/index.ts'
import {declineAll, openRecorder, type ServerRecorder} from '../../src/webhook/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {callOf} from './calls.ts'
import {endpoint, listener} from './listener.ts'
import {exchangeOf} from './recordings.ts'

let home: Home
let recorder: ServerRecorder

/** A home with a recording of what a listener approved: `old-1`, `old-2`, and a warm-up. */
beforeEach(async () => {
  home = await openHome()
  recorder = openRecorder({
    file: join(home.folder, '.local/share/cardctl/webhook/events.db'),
    durability: 'process',
    keepMs: 1e12,
    now: Date.now,
    onTrouble: trouble => expect(trouble).toBeUndefined(),
  })
  const {post} = await listener({recorder})
  await post('/auth', callOf('chip', 'old-1'))
  await post('/auth', callOf('fuel', 'old-2'))
  await post('/warm-up', {type: 'WARM_UP', timestamp: '2026-06-15T12:00:00Z'})
  return async () => {
    await recorder.close()
    await home.remove()
  }
})

const replay = async (...argv: string[]) => {
  const {code, stdout, stderr} = await home.run(['webhook', 'replay', ...argv, '-o', 'ndjson'])
  const replayed = stdout.split('\n').slice(0, -1)
  return {code, stderr, replayed: replayed.map(line => JSON.parse(line) as object)}
}
const ALL = ['--since', '2026-01-01']

test('calls go out again under new ids, oldest first, and what is decided now stands beside what was', async () => {
  const seen: {metadata: {id: string}}[] = []
  const url = await endpoint(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    seen.push(JSON.parse(text) as (typeof seen)[number])
    response.end('{"transactionData":{"authResponseCode":{"code":"DO_NOT_HONOR"}}}')
  })
  const {code, stderr, replayed} = await replay(...ALL, '--to', url)
  expect(code).toBe(11)
  expect(stderr).toContain('1 call left out')
  expect(replayed).toMatchObject(
    [1, 2].map(number => ({
      event: `e_${number}`,
      before: {outcome: 'approved', code: '00'},
      now: {outcome: 'declined', code: '05'},
      same: false,
    })),
  )
  const [first, second] = seen
  expect(first).toEqual({
    ...callOf('chip', 'x'),
    metadata: {...callOf('chip', 'x').metadata, id: first?.metadata.id},
  })
  expect(new Set(['old-1', 'old-2', first?.metadata.id, second?.metadata.id]).size).toBe(4)
  await replay('e_1', '--to', url, '--same-id')
  expect(seen[2]?.metadata.id).toBe('old-1')
})

test.each([
  ['approved', 0, '{"transactionData":{"authResponseCode":{"code":"00"}}}'],
  ['declined', 6, '{"transactionData":{"authResponseCode":{"code":"51"}}}'],
  ['invalid', 8, '{}'],
  ['late', 12, undefined],
])('one call that is now %s ends with %i', async (outcome, exit, answer) => {
  const url = await endpoint((_request, response) => {
    if (answer !== undefined) response.end(answer)
  })
  const {code, replayed} = await replay('e_1', '--to', url, '--deadline', '300ms')
  expect({code, replayed}).toMatchObject({code: exit, replayed: [{now: {outcome}}]})
})

test('a call that was late and is late again is no decision that stayed the same', async () => {
  const decider = {decide: () => new Promise<never>(() => {})}
  const {post} = await listener({recorder, decider, deadlineMs: 100, newId: () => 'e_late'})
  await post('/auth', callOf('chip', 'old-3'))
  const url = await endpoint(() => undefined)
  const {code, replayed} = await replay('e_late', '--to', url, '--deadline', '100ms')
  expect({code, replayed}).toMatchObject({code: 12, replayed: [{before: {outcome: 'late'}, same: false}]})
})

test('a signal ends it with what was sent so far', async () => {
  const stop = new AbortController()
  let asked = 0
  const url = await endpoint((_request, response) => {
    if (++asked === 1) response.end('{"transactionData":{"authResponseCode":{"code":"00"}}}')
    else stop.abort('SIGINT')
  })
  const argv = ['webhook', 'replay', ...ALL, '--to', url, '--deadline', '20s', '-o', 'ndjson']
  const {code, stdout} = await home.run(argv, {signal: stop.signal})
  expect(code).toBe(130)
  expect(stdout.split('\n').slice(0, -1)).toHaveLength(1)
})

test('nobody there is 9, also for several', async () => {
  expect((await replay('e_1', 'e_2', '--to', 'http://127.0.0.1:1')).code).toBe(9)
})

test('a decline that was one before is no failure', async () => {
  const server = await listener({recorder, decider: declineAll('51'), newId: () => 'e_9'})
  await server.post('/auth', callOf('chip', 'new'))
  expect(await replay('e_9', '--to', server.url)).toMatchObject({code: 0, replayed: [{same: true}]})
})

test('without an address the server that writes to the recording is asked', async () => {
  const {pid, mark} = processSurroundings(Date.now)
  expect((await replay('e_1')).code).toBe(2)
  const gone = {url: 'http://127.0.0.1:1', process: {pid, mark: `${mark}0`}, since: 2}
  const here = {url: (await listener()).url, process: {pid, mark}, since: 1}
  recorder.serving(here)
  recorder.serving(gone)
  expect(await replay('e_1')).toMatchObject({code: 0, stderr: expect.stringContaining(here.url)})
  await recorder.close()
  expect((await replay('e_1')).code).toBe(2)
})

test('what was masked is told with its place', async () => {
  const {request, ...rest} = exchangeOf(7)
  const body = callOf('chip', 'masked')
  body.merchantData.name = 'Shop 411111••••••1111'
  await recorder.record({...rest, request: {...request, body}})
  const {url} = await listener()
  expect((await replay('e_000007', '--to', url)).stderr).toContain('/merchantData/name')
})

test('the limit counts calls that are sent: a warm-up takes none of them', async () => {
  const url = await endpoint((_request, response) => response.end('{}'))
  const {replayed, stderr} = await replay(...ALL, '--to', url, '--limit', '1')
  expect(replayed).toMatchObject([{event: 'e_2'}])
  expect(stderr).toContain('Only the newest 1 call; --limit takes more.')
  expect(stderr).toContain('1 call left out')
})

test('what was exported can be sent again elsewhere', async () => {
  const file = join(home.folder, 'calls.ndjson')
  writeFileSync(file, (await home.run(['webhook', 'events', 'export', '--type', 'auth'])).stdout)
  const {url} = await listener()
  expect((await replay('--from', file, '--to', url)).replayed).toMatchObject([{event: 'e_1'}, {event: 'e_2'}])
  const newest = await replay('--from', file, '--to', url, '--limit', '1')
  expect(newest.replayed).toMatchObject([{event: 'e_2'}])
  expect(newest.stderr).toContain('Only the newest 1 call; --limit takes more.')
  writeFileSync(file, '{"event":{}}\n')
  expect((await replay('--from', file, '--to', url)).code).toBe(2)
  expect((await replay('--from', `${file}.not`, '--to', url)).code).toBe(2)
})

test('nothing is sent without a choice, or to another machine unasked', async () => {
  expect((await replay('--to', 'http://127.0.0.1:1')).code).toBe(2)
  expect((await replay('e_1', '--failed', '--to', 'http://127.0.0.1:1')).code).toBe(2)
  expect((await replay('e_404', '--to', 'http://127.0.0.1:1')).code).toBe(5)
  expect((await replay('--failed', '--to', 'http://127.0.0.1:1')).code).toBe(5)
  const {code, stderr} = await replay('e_1', '--to', 'https://hooks.example.com', '--yes')
  expect({code, stderr}).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--confirm hooks.example.com'),
  })
})
