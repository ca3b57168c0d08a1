import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, expect, test} from 'vitest'
import {processSurroundings} from '../../src/journal/index.ts'
import {declineAll, forwardTo, openRecorder, type ServerRecorder} from '../../src/webhook/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {callOf} from '../webhook/calls.ts'
import {endpoint, listener} from '../webhook/listener.ts'
import {exchangeOf} from '../webhook/recordings.ts'

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
  const lines = stdout.split('\n').slice(0, -1)
  const all = lines.map(line => JSON.parse(line) as {type: string})
  return {code, stderr, replayed: all.filter(({type}) => type === 'call'), summary: all.at(-1)}
}
const ALL = ['--since', '2026-01-01']

test('calls are sent again with new ids, oldest first, and both decisions are shown', async () => {
  const seen: {metadata: {id: string}}[] = []
  const url = await endpoint(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    seen.push(JSON.parse(text) as (typeof seen)[number])
    response.end('{"transactionData":{"authResponseCode":{"code":"DO_NOT_HONOR"}}}')
  })
  const {code, stderr, replayed, summary} = await replay(...ALL, '--to', url)
  expect(code).toBe(11)
  expect(summary).toMatchObject({type: 'summary', same: 0, changed: 2, changes: {'declined-instead': 2}})
  expect(stderr).toContain('1 call left out')
  expect(replayed).toMatchObject(
    [1, 2].map(number => ({
      event: `e_${number}`,
      expected: {outcome: 'approved', code: '00'},
      got: {outcome: 'declined', code: '05'},
      changed: true,
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
  ['declined', 11, '{"transactionData":{"authResponseCode":{"code":"51"}}}'],
  ['invalid', 8, '{}'],
  ['late', 12, undefined],
])('one call that is now %s ends with %i', async (outcome, exit, answer) => {
  const url = await endpoint((_request, response) => {
    if (answer !== undefined) response.end(answer)
  })
  const {code, replayed} = await replay('e_1', '--to', url, '--deadline', '300ms')
  expect({code, replayed}).toMatchObject({code: exit, replayed: [{got: {outcome}}]})
})

test('a call that was late and is late again is no decision that stayed the same', async () => {
  const decider = {decide: () => new Promise<never>(() => {})}
  const {post} = await listener({recorder, decider, deadlineMs: 100, newId: () => 'e_late'})
  await post('/auth', callOf('chip', 'old-3'))
  const url = await endpoint(() => undefined)
  const {code, replayed} = await replay('e_late', '--to', url, '--deadline', '100ms')
  expect({code, replayed}).toMatchObject({
    code: 12,
    replayed: [{expected: null, recorded: 'late', changed: null}],
  })
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
  expect(stdout.split('\n').slice(0, -1)).toHaveLength(2)
})

test('no endpoint is 9, also for several calls', async () => {
  expect((await replay('e_1', 'e_2', '--to', 'http://127.0.0.1:1')).code).toBe(9)
})

test('a decline that was one before is no failure', async () => {
  const server = await listener({recorder, decider: declineAll('51'), newId: () => 'e_9'})
  await server.post('/auth', callOf('chip', 'new'))
  expect(await replay('e_9', '--to', server.url)).toMatchObject({code: 0, replayed: [{changed: false}]})
})

test('without a URL, calls go to the server that writes to the recording', async () => {
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

test('a masked value is reported with its place', async () => {
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
  expect(stderr).toContain('Sends only the newest 1 call. For more, pass --limit.')
  expect(stderr).toContain('1 call left out')
})

test('what was exported can be sent again elsewhere', async () => {
  const file = join(home.folder, 'calls.ndjson')
  writeFileSync(file, (await home.run(['webhook', 'events', 'export', '--type', 'auth'])).stdout)
  const {url} = await listener()
  expect((await replay('--from', file, '--to', url)).replayed).toMatchObject([{event: 'e_1'}, {event: 'e_2'}])
  const iso = readFileSync(file, 'utf8').replace(
    /"at":(\d+)/g,
    (_, at) => `"at":"${new Date(Number(at)).toISOString()}"`,
  )
  expect(iso).toContain('"at":"')
  writeFileSync(`${file}.iso`, iso)
  const dated = await replay('--from', `${file}.iso`, '--to', url, '--since', '2000-01-01')
  expect(dated.replayed).toMatchObject([{event: 'e_1'}, {event: 'e_2'}])
  const none = await replay('--from', file, '--to', url, '--outcome', 'broken')
  expect(none.stderr).toContain(`No call of ${file} to send again.`)
  const newest = await replay('--from', file, '--to', url, '--limit', '1')
  expect(newest.replayed).toMatchObject([{event: 'e_2'}])
  expect(newest.stderr).toContain('Sends only the newest 1 call. For more, pass --limit.')
  writeFileSync(file, '{"event":{}}\n')
  expect((await replay('--from', file, '--to', url)).code).toBe(2)
  expect((await replay('--from', `${file}.not`, '--to', url)).code).toBe(2)
  writeFileSync(file, '{"a":'.repeat(100) + 1 + '}'.repeat(100))
  const deep = await replay('--from', file, '--to', url)
  expect(deep.code).toBe(2)
  expect(deep.stderr).toContain('row 1 (line 1): is nested deeper than 64 levels')
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

/** Calls that are answered by code now: fuel in part, everything else as `others` says. */
const answering = (part: string, others = '00') =>
  endpoint(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const isFuel = text.includes('Fuel pump')
    response.end(
      `{"transactionData":{"authResponseCode":{"code":"${isFuel ? '10' : others}"},"partialApprovalAmount":${part}}}`,
    )
  })

test('a decline that is an approval now is a changed decision, named first', async () => {
  const server = await listener({recorder, decider: declineAll('57'), newId: () => 'e_declined'})
  await server.post('/auth', callOf('chip', 'declined'))
  const url = await answering('{"amount":50,"currency":"EUR"}')
  const ids = ['e_1', 'e_declined']
  const {code, replayed, summary} = await replay(...ids, '--to', url)
  expect(code).toBe(11)
  expect(replayed).toMatchObject([{changed: false}, {changed: true, change: 'approved-instead'}])
  expect(summary).toMatchObject({calls: 2, same: 1, changed: 1, changes: {'approved-instead': 1}})
  const table = await home.run(['webhook', 'replay', ...ids, '--to', url])
  expect(table.stdout).toContain('2 calls: 1 same, 1 changed\n 1 declined before, approved now')
  expect(table).toMatchObject({code: 11, stderr: expect.stringContaining('1 decision of 2 calls changed')})
  const json = await home.run(['webhook', 'replay', ...ids, '--to', url, '-o', 'json'])
  expect(JSON.parse(json.stdout)).toMatchObject({
    summary: {same: 1, changed: 1},
    calls: [{expected: {outcome: 'approved'}, got: {outcome: 'approved'}}, {expected: {code: '57'}}],
  })
  const csv = await home.run([
    'webhook',
    'replay',
    ...ids,
    '--to',
    url,
    '-o',
    'csv',
    '--columns',
    'event,changed',
  ])
  expect(csv.stdout).toBe('event,changed\ne_1,false\ne_declined,true\n')
  expect(csv.stderr).toContain('1 declined before, approved now')
})

test.each([
  ['the same part', '{"amount":80.00,"currency":"EUR"}', 0, undefined],
  ['less', '{"amount":1,"currency":"EUR"}', 11, 'approved-less'],
  ['more', '{"amount":80.01,"currency":"EUR"}', 11, 'approved-more'],
])('a part that is %s now', async (_, now, exit, change) => {
  const then = await answering('{"amount":80,"currency":"EUR"}')
  const server = await listener({recorder, decider: forwardTo(new URL(then)), newId: () => 'e_part'})
  await server.post('/auth', callOf('fuel', 'part'))
  const {code, replayed} = await replay('e_part', '--to', await answering(now))
  expect({code, replayed}).toMatchObject({
    code: exit,
    replayed: [{expected: {part: {amount: 80}}, changed: change !== undefined}],
  })
  expect((replayed[0] as {change?: string}).change).toBe(change)
})

test('a call without a recorded decision accepts any valid one', async () => {
  const decider = {decide: () => new Promise<never>(() => {})}
  const {post} = await listener({recorder, decider, deadlineMs: 50, newId: () => 'e_late'})
  await post('/auth', callOf('chip', 'late'))
  const url = await answering('{"amount":50,"currency":"EUR"}', '51')
  expect(await replay('e_late', '--to', url)).toMatchObject({
    code: 0,
    replayed: [{recorded: 'late', expected: null, changed: null, got: {outcome: 'declined'}}],
    summary: {same: 0, changed: 0, notCompared: 1},
  })
})

test('filters choose among exported calls too, and nothing else is named with events', async () => {
  const file = join(home.folder, 'calls.ndjson')
  writeFileSync(file, (await home.run(['webhook', 'events', 'export', '--type', 'auth'])).stdout)
  const {url} = await listener()
  const found = await replay('--from', file, '--search', 'Fuel pump', '--to', url)
  expect(found.replayed).toMatchObject([{event: 'e_2'}])
  expect((await replay('--from', file, '--outcome', 'declined', '--to', url)).code).toBe(5)
  const {code, stderr} = await replay('e_1', '--from', file, '--failed', '--to', url)
  expect(code).toBe(2)
  expect(stderr).toContain('--from and --failed would have nothing to choose from')
  expect((await replay('--to', url)).stderr).toContain('No calls chosen.')
})
