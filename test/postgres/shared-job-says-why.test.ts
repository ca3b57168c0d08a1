// What a shared job says about rows that other workers have, and about rows that are left.
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {type AddressInfo, connect, createServer, type Socket} from 'node:net'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, inject, onTestFinished, test} from 'vitest'
import {openService, reply} from '../helpers/service.ts'
import {openMachines, PRICES, prepare, pricesOf, prompt, witness} from '../helpers/team.ts'

const database = inject('postgres') ?? ''

test('a worker says which worker has the rows that it waits for', async () => {
  const started = Promise.withResolvers<undefined>()
  const {service} = await witness(async () => {
    started.resolve(undefined)
    await pause(9_000)
  })
  const [one, two] = await openMachines(2, {database, url: service.url})
  const {job} = await prepare(one, PRICES, pricesOf(1))
  const first = one.team(['bulk', 'work', job], {sleep: prompt})
  await started.promise
  const second = await two.team(['bulk', 'work', job], {sleep: prompt})
  expect(second.stderr).toMatch(
    /^Waiting: the rows of bulk job sj_\w+ that are left belong to \S+:\d+, whose lease ends in \d+ s unless it renews it\.$/m,
  )
  expect([(await first).code, second.code]).toEqual([0, 0])
}, 90_000)

test('the reasons of its rows are the same from every machine', async () => {
  const service = await openService(({method, url}) => {
    if (url.startsWith('/token')) return undefined
    return method === 'GET' ? reply(404, {}) : reply(409, {title: 'Blocked', status: 409})
  })
  onTestFinished(() => service.close())
  const [one, two] = await openMachines(2, {database, url: service.url})
  const {job} = await prepare(one, PRICES, pricesOf(3))
  const {stderr} = await one.team(['bulk', 'work', job], {sleep: prompt})
  expect(stderr).toMatch(/^ {2}3 × REFUSED \(HTTP 409\), such as row 1 \(request r_\w+\): PATCH .*Blocked/m)
  expect(stderr).toMatch(/Next: cardctl bulk results sj_\w+ --state failed -p team$/m)
  expect(await two.teamJson(['bulk', 'status', job])).toMatchObject({
    reasons: [{code: 'REFUSED', status: 409, count: 3, example: {row: 1, line: 2}}],
  })
}, 90_000)

test('doctor names a shared job that has rows left', async () => {
  const {service} = await witness()
  const [one] = await openMachines(2, {database, url: service.url})
  const {job} = await prepare(one, PRICES, pricesOf(3))
  const {stdout} = await one.team(['doctor', '-o', 'json'])
  const {checks} = JSON.parse(stdout) as {checks: readonly {id: string; facts?: unknown}[]}
  expect(checks.find(({id}) => id === 'bulk')?.facts).toMatchObject({
    jobs: 1,
    open: [{job, rows: 3, done: 0, left: 3}],
  })
}, 90_000)

test('the id of a prepared job, as fleet.md takes it, is one that the others take; one with quotation marks is explained', async () => {
  const {service} = await witness()
  const [one, two] = await openMachines(2, {database, url: service.url})
  const page = readFileSync(new URL('../../docs/fleet.md', import.meta.url), 'utf8')
  const [, flags = ''] =
    /^job=\$\(cardctl bulk run .*--shared --prepare -p prod --yes (.*)\)$/m.exec(page) ?? []
  const argv = ['bulk', 'run', PRICES, '--from', '-', '--shared', '--prepare', '--yes', ...flags.split(' ')]
  const {stdout} = await one.team(argv, {stdin: pricesOf(1)})
  const job = stdout.trim()
  expect(job).toMatch(/^sj_\w+$/)
  expect((await two.team(['bulk', 'work', job], {sleep: prompt})).code).toBe(0)
  const quoted = await two.team(['bulk', 'work', `"${job}"`])
  expect(quoted.code).toBe(5)
  expect(quoted.stderr).toContain('Leave out -o json: --query job prints the id alone.')
})

test('without the database, each command on a shared job says so, and when to run it again', async () => {
  const {service} = await witness()
  const [one] = await openMachines(2, {database: 'postgres://app@127.0.0.1:1/app', url: service.url})
  for (const argv of [
    ['bulk', 'watch', 'sj_01JD8'],
    ['bulk', 'work', 'sj_01JD8'],
    ['bulk', 'resume', 'sj_01JD8'],
    ['bulk', 'status', 'sj_01JD8'],
    ['bulk', 'list', '--shared'],
  ]) {
    const {code, stderr} = await one.team(argv, {sleep: prompt})
    expect([argv, code]).toEqual([argv, 9])
    expect(stderr).toContain(`  Next, when the database can be used: cardctl ${argv.join(' ')} -p team\n`)
  }
}, 90_000)

test('a worker whose database goes away names what it saw, what is left, and what to run', async () => {
  const sockets = new Set<Socket>()
  const url = new URL(database)
  const proxy = createServer(client => {
    const server = connect(`${url.searchParams.get('host')}/.s.PGSQL.5432`)
    for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined))
    client.pipe(server).pipe(client)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  await once(proxy, 'listening')
  const {port} = proxy.address() as AddressInfo
  const {service} = await witness(async () => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  })
  const [one] = await openMachines(2, {
    database: `postgres://${url.username || 'app'}@127.0.0.1:${port}${url.pathname}?sslmode=disable`,
    url: service.url,
  })
  const {job} = await prepare(one, PRICES, pricesOf(3))
  const {code, stderr} = await one.team(['bulk', 'work', job], {sleep: prompt})
  expect(code).toBe(9)
  expect(stderr).toMatch(/This run saw \d of 3 rows done, 0 failed, \d left, \d sent, effect unknown/)
  expect(stderr).toMatch(/^ {2}Next, when the database can be used: cardctl bulk resume sj_\w+ -p team$/m)
}, 90_000)
