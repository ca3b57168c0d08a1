// What doctor says of the database by which a profile shares its rate.
import {expect, inject, onTestFinished, test} from 'vitest'
import {SharedPacer} from '../../src/fleet/index.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {check, openScene, type Scene} from '../doctor/scene.ts'
import {startCluster} from '../helpers/postgres.ts'
import {openService} from '../helpers/service.ts'

const database = () => inject('postgres') ?? ''

async function sharedScene(): Promise<Scene> {
  const [scene, service] = [await openScene(), await openService()]
  onTestFinished(async () => {
    await scene.home.remove()
    await service.close()
  })
  await scene.add(service.url, '--rate-store', 'env:RATE_URL')
  return scene
}

const look = async (url: string, options = {}) => {
  const scene = await sharedScene()
  return scene.doctor([], {...options, env: {RATE_URL: url}})
}

test('a database that responds and has its tables is fine', async () => {
  const pacer = await SharedPacer.open({
    database: {url: new Secret(database())},
    service: 'doctor',
    rates: [{limit: 10, windowMs: 1000}],
    quota: [],
    sleep: async () => undefined,
    random: () => 0,
  })
  await pacer.close()
  const found = check(await look(database(), {now: Date.now}), 'rateStore')
  expect(found).toMatchObject({state: 'ok', facts: {version: 1, known: 1}})
  expect(found.message).toMatch(/\/app responds in [\d.]+ ms, tables of version 1$/)
  expect(Math.abs(Number(found.facts?.skewMs))).toBeLessThan(1000)
})

test('a clock that differs is a warning, whatever its direction', async () => {
  const ahead = check(await look(database(), {now: () => Date.now() - 90_000}), 'rateStore')
  expect(ahead).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/clock is (89|90)\.\d s ahead of/),
  })
  const behind = check(await look(database(), {now: () => Date.now() + 90_000}), 'rateStore')
  expect(behind).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/clock is (89|90)\.\d s behind/),
  })
})

test('a new database is fine if the tables may be created, and a problem if not', async () => {
  const cluster = startCluster()
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => cluster.remove())
  const options = {now: Date.now}
  expect(check(await look(cluster.url, options), 'rateStore').message).toMatch(
    /the first run creates its tables$/,
  )
  // It looks, and creates nothing.
  expect(check(await look(cluster.url, options), 'rateStore').message).toMatch(
    /the first run creates its tables$/,
  )
  cluster.run('psql', '-q', '-c', 'CREATE ROLE plain LOGIN', 'app')
  const report = await look(cluster.url.replace('app@', 'plain@'), options)
  expect(check(report, 'rateStore')).toMatchObject({
    state: 'problem',
    code: 'CONNECTION_FAILED',
    advice: expect.stringContaining('CREATE SCHEMA cardctl_pace AUTHORIZATION plain;'),
  })
})

test('a database that is away is a problem, and the report has no password', async () => {
  const report = await look('postgres://app:canary-token-7Q2@127.0.0.1:1/rates')
  expect(check(report, 'rateStore')).toMatchObject({
    state: 'problem',
    code: 'CONNECTION_FAILED',
    message: expect.stringContaining('127.0.0.1:1/rates: nothing listens there'),
    advice: 'Check the database server and the URL in env:RATE_URL (rateStore of the profile there).',
  })
  expect(report.exit).toBe(9)
})

test('without a shared rate, doctor says nothing of it', async () => {
  const scene = await openScene()
  onTestFinished(() => scene.home.remove())
  const report = await scene.doctor([], {env: {CARDCTL_PROFILE: 'sandbox'}})
  expect(report.checks.map(({id}) => id)).not.toContain('rateStore')
})
