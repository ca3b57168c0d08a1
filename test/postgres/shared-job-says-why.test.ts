// What a shared job says about rows that other workers have, and about rows that are left.
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {type AddressInfo, connect, createServer, type Socket} from 'node:net'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, inject, onTestFinished, test} from 'vitest'
import {causes} from '../helpers/run-endings.ts'
import {openService, reply} from '../helpers/service.ts'
import {
  ACCOUNTS,
  openMachine,
  openMachines,
  PRICES,
  prepare,
  pricesOf,
  prompt,
  witness,
} from '../helpers/team.ts'
import {expectEnding, toldEndings} from '../helpers/told-endings.ts'

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
  expect(stderr).toMatch(/Next, when that is put right: cardctl bulk resume sj_\w+ --retry-failed -p team$/m)
  expect(await two.teamJson(['bulk', 'status', job])).toMatchObject({
    reasons: [{code: 'REFUSED', status: 409, count: 3, example: {row: 1, line: 2}}],
  })
}, 90_000)

test('what the service says of an error inside a success is recorded for the team', async () => {
  const service = await openService(({method, url}) => {
    if (url.startsWith('/token')) return undefined
    return method === 'GET' ? reply(404, {}) : reply(200, {status: 'ERROR', code: 'E1'})
  })
  onTestFinished(() => service.close())
  const [one, two] = await openMachines(2, {database, url: service.url})
  const {job} = await prepare(one, ACCOUNTS, 'id,creditLimit\n2001,1\n')
  const {stderr} = await one.team(['bulk', 'work', job], {sleep: prompt})
  const [, line = ''] = /record what they say .*: cardctl (bulk resolve .*)$/m.exec(stderr) ?? []
  expect(line).toBe(`bulk resolve ${job} --row ROW --found effect --because REASON -p team`)
  const found = line.replace('ROW', '1').replace(' -p team', '').split(' ')
  expect((await two.team([...found, '--yes'])).code).toBe(0)
  expect(await two.teamJson(['bulk', 'status', job])).toMatchObject({done: 1})
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

/** The database, as a machine reaches it whose network can fail. */
async function reachable() {
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
  return {
    proxy,
    sockets,
    database: `postgres://${url.username || 'app'}@127.0.0.1:${port}${url.pathname}?sslmode=disable`,
  }
}

test('a worker whose database goes away names what it sent, what is recorded, and what to run', async () => {
  const {proxy, sockets, database: away} = await reachable()
  const {service} = await witness(async () => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  })
  const [one] = await openMachines(2, {database: away, url: service.url})
  const {job} = await prepare(one, PRICES, pricesOf(3))
  const {code, stderr} = await one.team(['bulk', 'work', job], {sleep: prompt})
  expect(code).toBe(9)
  expect(stderr).toMatch(/This worker sent (\d) rows?: \1 done, 0 failed, 0 without a known effect\./)
  expect(stderr).toContain('The database has confirmed the end of 0.')
  expect(stderr).toMatch(
    /The end of rows? [\d, ]+ is recorded on this machine, and bulk resume here takes it/,
  )
  expect(stderr).not.toMatch(/\d left/)
  expect(stderr).toMatch(/^ {2}Next, when the database can be used: cardctl bulk resume sj_\w+ -p team$/m)
}, 90_000)

test('the page says how a run ends whose database goes away', async () => {
  const told = toldEndings.find(({cause}) => causes[cause]?.isOfTeam)
  if (told === undefined) throw new Error('no row')
  await expectEnding(told, async count => {
    const {proxy, sockets, database: away} = await reachable()
    let asked = 0
    const {service} = await witness(async () => {
      if (++asked < 2) return
      proxy.close()
      for (const socket of sockets) socket.destroy()
    })
    const one = await openMachine({database: away, url: service.url})
    const run = ['bulk', 'run', PRICES, '--from', '-', '--shared', '--yes']
    return one.team(run, {stdin: pricesOf(count), sleep: prompt})
  })
}, 120_000)

test('a worker that was stopped for longer than its lease says so, and each row counts once', async () => {
  const {sockets, database: far} = await reachable()
  let isFirst = true
  const {service, rows} = await witness(async () => {
    if (!isFirst) return
    isFirst = false
    for (const socket of sockets) socket.pause()
    await two.team(['bulk', 'work', job], {sleep: prompt}).then(({stderr}) => others.push(stderr))
    for (const socket of sockets) socket.resume()
  })
  const others: string[] = []
  const one = await openMachine({database: far, url: service.url})
  const two = await openMachine({database, url: service.url})
  const limits = `id,creditLimit\n${[1, 2, 3].map(at => `${2000 + at},${at}\n`).join('')}`
  const {job} = await prepare(two, ACCOUNTS, limits, ['--lease', '5s'])
  const {code, stderr} = await one.team(['bulk', 'work', job, '--concurrency', '1'], {sleep: prompt})
  expect(code, stderr).toBe(0)
  expect(
    stderr.match(/^Warning: This worker lost its lease: for \d+ s it did not run, or did not/gm),
  ).toHaveLength(1)
  expect(stderr).toContain('This worker: 0 done, 0 failed. Its lease ran out while 1 more was on its way')
  expect(others.join()).toContain('This worker: 3 done, 0 failed. All workers')
  expect(rows.toSorted()).toEqual(['1', '1', '2', '3'])
}, 90_000)
