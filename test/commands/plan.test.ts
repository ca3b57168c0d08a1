// A plan is written once, looked at, and sent as it is: what changed in between is never overwritten.
import {mkdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const LIMITS = 'limits'
const DOCUMENT = {
  openapi: '3.1.0',
  info: {title: 'Limits', version: '1'},
  paths: {
    '/limits/{id}': {
      get: {
        operationId: 'getLimit',
        tags: ['limits'],
        parameters: [{name: 'id', in: 'path', required: true, schema: {type: 'string'}}],
        responses: {200: {description: 'A limit', content: {'application/json': {schema: {type: 'object'}}}}},
      },
      patch: {
        operationId: 'patchLimit',
        tags: ['limits'],
        parameters: [{name: 'id', in: 'path', required: true, schema: {type: 'string'}}],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {type: 'object', properties: {amount: {type: 'number'}, label: {type: 'string'}}},
            },
          },
        },
        responses: {200: {description: 'Done', content: {'application/json': {schema: {type: 'object'}}}}},
      },
    },
  },
}

let home: Home
let service: Service
let limits: Map<string, Record<string, unknown>>
/** Called before the service answers a PATCH. */
let beforePatch: (id: string) => void

beforeEach(async () => {
  home = await openHome()
  limits = new Map()
  beforePatch = () => undefined
  service = await openService(({method, url, body}) => {
    const id = decodeURIComponent(url.split('?')[0]?.split('/').at(-1) ?? '')
    if (method === 'PATCH') beforePatch(id)
    const limit = limits.get(id)
    if (limit === undefined) return reply(404, {title: 'Not found', status: 404, detail: `No limit ${id}`})
    if (method === 'PATCH') Object.assign(limit, JSON.parse(String(body)))
    return reply(200, {id, ...limit})
  })
  const flags = ['--kind', 'test', '--auth', 'none', '--audit-user', 'aino']
  await home.json(['profiles', 'add', LIMITS, '--base-url', service.url, ...flags])
  const file = join(home.folder, 'limits.json')
  await writeFile(file, JSON.stringify(DOCUMENT))
  expect(
    await home.run(['contract', 'import', file, '--name', 'limits', '-p', LIMITS, '--yes']),
  ).toMatchObject({
    code: 0,
  })
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const path = (name: string) => join(home.folder, name)
const run = (...argv: string[]) => home.run([...argv, '-p', LIMITS])
const patches = () =>
  service.requests.filter(({method}) => method === 'PATCH').map(({url}) => url.split('?')[0])

async function planOf(
  rows: string,
  ...more: string[]
): Promise<{code: number; stdout: string; stderr: string}> {
  await writeFile(path('rows.csv'), rows)
  return run(
    'bulk',
    'plan',
    'x',
    'limits',
    'patch-limit',
    '--from',
    path('rows.csv'),
    '--out',
    path('p.plan'),
    ...more,
  )
}
const apply = (...more: string[]) => run('apply', path('p.plan'), ...more)

test('a plan shows old and new, leaves out what changes nothing or is not there, and sends the rest once', async () => {
  for (const id of ['a', 'b', 'c']) limits.set(id, {amount: 100, label: 'x'})
  const planned = await planOf('id,amount\na,200\nb,100\nc,300.5\nd,5\n', '-o', 'json')
  expect(planned).toMatchObject({code: 0})
  const shown = JSON.parse(planned.stdout)
  expect(shown.counts).toEqual({
    changes: 2,
    read: 2,
    lastSentFromHere: 0,
    notReadable: 0,
    unchanged: 1,
    refused: 1,
  })
  expect(shown.rows.map((row: {changes: unknown}) => row.changes)).toEqual([
    [{field: 'amount', before: 100, after: 200}],
    [{field: 'amount', before: 100, after: 300.5}],
  ])
  expect(shown.sums).toEqual([{field: 'amount', rows: 2, before: '200', after: '500.5'}])
  expect(shown.unchanged).toMatchObject([{row: 2}])
  expect(shown.refused).toMatchObject([{row: 4}])
  expect(patches()).toEqual([])

  expect(await apply()).toMatchObject({code: 0})
  expect(patches()).toEqual(['/limits/a', '/limits/c'])
  const again = await apply()
  expect(again).toMatchObject({code: 0})
  expect(again.stderr).toContain('were sent before')
  expect(patches()).toHaveLength(2)
})

test('none of 200 changes in between is overwritten, and the other rows go', async () => {
  const ids = Array.from({length: 300}, (_, at) => `n${at}`)
  for (const id of ids) limits.set(id, {amount: 1, label: 'x'})
  expect(await planOf(`id,amount\n${ids.map(id => `${id},2`).join('\n')}\n`)).toMatchObject({code: 0})
  const others = ids.filter((_, at) => at % 3 !== 0)
  for (const id of others) limits.set(id, {amount: 7, label: 'theirs'})
  const applied = await apply('--rate', 'off')
  expect(applied).toMatchObject({code: 11})
  expect(applied.stderr).toContain('200 rows of the plan not sent')
  expect(applied.stderr).toContain('amount was 1, and is 7')
  expect(others).toHaveLength(200)
  expect(others.filter(id => limits.get(id)?.amount !== 7)).toEqual([])
  expect(ids.filter(id => limits.get(id)?.amount === 2)).toHaveLength(100)
})

test('a value of a row that the plan does not set may change', async () => {
  limits.set('a', {amount: 1, label: 'x'})
  expect(await planOf('id,amount\na,2\n')).toMatchObject({code: 0})
  limits.set('a', {amount: 1, label: 'theirs'})
  expect(await apply()).toMatchObject({code: 0})
  expect(limits.get('a')).toEqual({amount: 2, label: 'theirs'})
})

test('rows of one limit are compared with what the row before them set', async () => {
  limits.set('a', {amount: 1})
  const planned = await planOf('id,amount\na,2\na,3\na,3\n', '-o', 'json')
  const shown = JSON.parse(planned.stdout)
  expect(shown.rows.map((row: {changes: unknown}) => row.changes)).toEqual([
    [{field: 'amount', before: 1, after: 2}],
    [{field: 'amount', before: 2, after: 3}],
  ])
  expect(shown.counts).toMatchObject({unchanged: 1})
  expect(await apply()).toMatchObject({code: 0})
  expect(limits.get('a')).toEqual({amount: 3})
})

test('every byte of a plan counts', async () => {
  limits.set('a', {amount: 1})
  expect(await planOf('id,amount\na,2\n')).toMatchObject({code: 0})
  const whole = await readFile(path('p.plan'))
  for (let at = 0; at < whole.length; at += 7) {
    const bent = Buffer.from(whole)
    bent[at] = (bent[at] ?? 0) ^ 1
    await writeFile(path('p.plan'), bent)
    const {code, stderr} = await apply()
    expect({at, code, stderr}).toMatchObject({at, code: 2})
  }
  await writeFile(path('p.plan'), whole.subarray(0, whole.length - 2))
  expect(await apply()).toMatchObject({code: 2})
  expect(patches()).toEqual([])
})

test('a plan is for its profile, its service, its file and a day', async () => {
  limits.set('a', {amount: 1})
  expect(await planOf('id,amount\na,2\n')).toMatchObject({code: 0})
  await home.json(['profiles', 'add', 'other', '--base-url', service.url, '--kind', 'test', '--auth', 'none'])
  expect(await home.run(['apply', path('p.plan'), '-p', 'other'])).toMatchObject({code: 3})
  await writeFile(path('rows.csv'), 'id,amount\na,20\n')
  const corrected = await apply()
  expect(corrected).toMatchObject({code: 2})
  expect(corrected.stderr).toContain('has changed since the plan')
  await writeFile(path('rows.csv'), 'id,amount\na,2\n')
  const late = await home.run(['apply', path('p.plan'), '-p', LIMITS], {
    now: () => Date.now() + 25 * 3_600_000,
  })
  expect(late).toMatchObject({code: 2})
  expect(late.stderr).toContain('expired')
  expect(patches()).toEqual([])
})

test('a plan of another machine is sent only by its id', async () => {
  limits.set('a', {amount: 1})
  expect(await planOf('id,amount\na,2\n')).toMatchObject({code: 0})
  const env = {CARDCTL_DATA_DIR: path('other-data')}
  const file = path('limits.json')
  await home.run(['contract', 'import', file, '--name', 'limits', '-p', LIMITS, '--yes'], {env})
  const refused = await home.run(['apply', path('p.plan'), '-p', LIMITS], {env})
  expect(refused).toMatchObject({code: 2})
  const id = /--id (p_[0-9a-f]{40})/.exec(refused.stderr)?.[1] ?? ''
  expect(await home.run(['apply', path('p.plan'), '--id', id, '-p', LIMITS], {env})).toMatchObject({code: 0})
  expect(limits.get('a')).toEqual({amount: 2})
})

test('what cannot be read is refused after a newer write from here', async () => {
  const sandbox = (...argv: string[]) => home.run([...argv, '-p', 'sandbox'])
  const patch = ['accounts', 'patch', '2001', '--type', 'credit']
  expect(await sandbox(...patch, '-F', 'creditLimit=1000')).toMatchObject({code: 0})
  const planned = await sandbox(...patch, '-F', 'creditLimit=2000', '--plan', path('one.plan'), '-o', 'json')
  expect(JSON.parse(planned.stdout).rows).toMatchObject([
    {from: 'journal', changes: [{field: 'creditLimit', before: 1000, after: 2000}]},
  ])
  expect(await sandbox(...patch, '-F', 'creditLimit=1500')).toMatchObject({code: 0})
  const applied = await sandbox('apply', path('one.plan'))
  expect(applied).toMatchObject({code: 2})
  expect(applied.stderr).toContain('account 2001 was changed from here')
})

test('transfers of a plan are sent once', async () => {
  const sandbox = (...argv: string[]) => home.run([...argv, '-p', 'sandbox'])
  const transfers = ['--transfer', '2006:2007:12.50:EUR:Rent', '--transfer', '2006:2007:3:EUR']
  const planned = await sandbox(
    'a2a',
    'plan',
    ...transfers,
    '--batch-size',
    '1',
    '--out',
    path('t.plan'),
    '-o',
    'json',
  )
  expect(JSON.parse(planned.stdout).transfers).toMatchObject({
    count: 2,
    batches: 2,
    totals: [{currency: 'EUR', amount: '15.50'}],
  })
  const applied = await sandbox('apply', path('t.plan'), '--yes', '-o', 'json')
  expect(applied).toMatchObject({code: 0})
  expect(JSON.parse(applied.stdout)).toHaveLength(2)
  expect(await sandbox('apply', path('t.plan'), '--yes')).toMatchObject({code: 14})
  expect(await sandbox('a2a', 'create', ...transfers, '--yes')).toMatchObject({code: 14})
})

test('batches of a plan after one of unknown effect go on with the plan', async () => {
  const sandbox = (line: string) => home.run([...line.split(' '), '-p', 'sandbox'])
  const transfers = '--transfer 2006:2007:12.50:EUR:Rent --transfer 2006:2007:3:EUR'
  await sandbox(`a2a plan ${transfers} --batch-size 1 --out ${path('t.plan')}`)
  await sandbox('sandbox faults add --operation a2a.create.v1 --drop after --count 1')
  const apply = `apply ${path('t.plan')} --yes`
  const {code, stderr} = await sandbox(apply)
  expect(code).toBe(10)
  expect(stderr).toMatch(
    /Nothing was sent after it\.\n.*requests resolve r_\w+ -p sandbox\n {2}Then apply the plan again, which sends what is left: cardctl apply \S+ --yes -p sandbox\n/,
  )
  expect((await sandbox(apply)).code).toBe(10)
  expect((await sandbox('requests resolve last')).code).toBe(0)
  const rest = await sandbox(`${apply} -o json`)
  expect(rest.code).toBe(0)
  expect(JSON.parse(rest.stdout)).toHaveLength(1)
})

test('a plan of transfers offers no flag that plans refuse', async () => {
  const {stdout} = await home.run(['a2a', 'plan', '--help'])
  expect(stdout).toContain('--batch-size')
  expect(stdout).not.toContain('--retry-failed')
})

test('the job of a plan goes on only with the plan', async () => {
  limits.set('a', {amount: 1})
  limits.set('b', {amount: 1})
  expect(await planOf('id,amount\na,2\nb,2\n')).toMatchObject({code: 0})
  limits.set('b', {amount: 9})
  expect(await apply()).toMatchObject({code: 11})
  for (const command of [
    ['bulk', 'resume', 'last', '--retry-failed'],
    ['bulk', 'export', 'last', '--to', path('j')],
  ]) {
    const {code, stderr} = await run(...command)
    expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('belongs to the plan')})
  }
  expect(limits.get('b')).toEqual({amount: 9})
  const named = await run(
    'bulk',
    'run',
    'x',
    'limits',
    'patch-limit',
    '--from',
    path('rows.csv'),
    '--job-key',
    'plan/x',
  )
  expect(named).toMatchObject({code: 2})
})

test('a page and Markdown show the rows, and hide what could act in them', async () => {
  limits.set('a', {label: 'old'})
  expect(await planOf('id,label\na,<script>[x](y)|\n')).toMatchObject({code: 0})
  const page = await run('plan', 'show', path('p.plan'), '--format', 'html')
  expect(page.stdout).toContain('label: old → &lt;script&gt;')
  const text = await run('plan', 'show', path('p.plan'), '--format', 'markdown')
  expect(text.stdout).toContain('\\<script\\>\\[x\\](y)\\|')
})

test('a plan that was applied says so', async () => {
  limits.set('a', {amount: 1})
  expect(await planOf('id,amount\na,2\n')).toMatchObject({code: 0})
  const shown = async () => (await run('plan', 'show', path('p.plan'))).stdout
  expect(await shown()).not.toContain('Applied')
  await apply()
  expect(await shown()).toMatch(/Applied +from this machine, since .*: 1 request sent/)
})

test('a preview of apply sends nothing', async () => {
  limits.set('a', {amount: 1})
  expect(await planOf('id,amount\na,2\n')).toMatchObject({code: 0})
  for (const flag of ['--dry-run', '--curl']) {
    const {code, stdout} = await apply(flag)
    expect({code, stdout}).toMatchObject({code: 0, stdout: expect.stringContaining('/limits/a')})
  }
  expect(patches()).toEqual([])
})

test('the same command continues after a row was refused', async () => {
  for (const id of ['a', 'b']) limits.set(id, {amount: 1})
  expect(await planOf('id,amount\na,2\nb,2\n')).toMatchObject({code: 0})
  limits.set('a', {amount: 9})
  expect(await apply()).toMatchObject({code: 11})
  expect(await apply()).toMatchObject({code: 11})
  expect(patches()).toEqual(['/limits/b'])
})

test('of two plans of the same rows that are applied at once, one gives way', async () => {
  const ids = Array.from({length: 30}, (_, at) => `n${at}`)
  for (const id of ids) limits.set(id, {amount: 1})
  expect(await planOf(`id,amount\n${ids.map(id => `${id},5`).join('\n')}\n`)).toMatchObject({code: 0})
  const rows = path('other.csv')
  await writeFile(rows, `id,amount\n${ids.map(id => `${id},6`).join('\n')}\n`)
  const other = ['bulk', 'plan', 'x', 'limits', 'patch-limit', '--from', rows, '--out', path('q.plan')]
  expect(await run(...other)).toMatchObject({code: 0})
  const ends = await Promise.all([apply(), run('apply', path('q.plan'))])
  const sent = service.requests.filter(({method}) => method === 'PATCH').length
  expect({codes: ends.map(({code}) => code).sort(), sent}).toMatchObject({sent: 30})
})

test('a plan of transfers knows the file that they came from', async () => {
  const file = path('transfers.csv')
  await writeFile(file, 'from,to,amount,currency\n2006,2007,5.00,EUR\n')
  const sandbox = (...argv: string[]) => home.run([...argv, '-p', 'sandbox'])
  expect(await sandbox('a2a', 'plan', '--from', file, '--out', path('t.plan'))).toMatchObject({code: 0})
  await writeFile(file, 'from,to,amount,currency\n2006,2007,6.00,EUR\n')
  const {code, stderr} = await sandbox('apply', path('t.plan'), '--yes')
  expect({code, stderr}).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has changed since the plan'),
  })
})

test('batches of a plan count together for the limit of a second person', async () => {
  const flags = ['--kind', 'test', '--auth', 'none', '--audit-user', 'aino', '--second-person-for', 'EUR:10']
  const proposals = path('proposals')
  await mkdir(proposals, {mode: 0o700})
  const strict = ['profiles', 'add', 'strict', '--base-url', service.url, ...flags, '--proposals', proposals]
  await home.json(strict)
  const transfers = ['--transfer', '2006:2007:6:EUR', '--transfer', '2006:2007:7:EUR', '--batch-size', '1']
  const planned = await home.run(['a2a', 'plan', ...transfers, '--out', path('t.plan'), '-p', 'strict'])
  expect(planned).toMatchObject({code: 0})
  const {code, stderr} = await home.run(['apply', path('t.plan'), '--yes', '-p', 'strict'])
  expect({code, stderr}).toMatchObject({code: 3, stderr: expect.stringContaining('EUR 13')})
  expect(service.requests.filter(({method}) => method === 'POST')).toEqual([])
})
