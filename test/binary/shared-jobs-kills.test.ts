// Workers of a shared job that are killed, as processes on machines of their own.
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {type Cluster, hasPostgres, startCluster} from '../helpers/postgres.ts'
import {seeded} from '../helpers/random.ts'
import {sharedJobScene} from '../helpers/shared-job-scene.ts'
import {isWhole} from '../helpers/whole.ts'
import {FIRST_ACCOUNT, World} from '../sandbox/helpers/world.ts'

const given = test.skipIf(!hasPostgres())

// Each worker is killed 20 times over 5,000 rows by `npm run soak -- shared-jobs`.
const common = {kills: 1, program: 'built', random: seeded(20_261_122)} as const
const rows = 120

let cluster: Cluster | undefined
beforeAll(() => {
  cluster = startCluster()
})
afterAll(() => cluster?.remove())
const database = (): string => cluster?.url ?? ''

test.runIf(isWhole && hasPostgres())(
  'three workers, each killed once: with honoured keys every row has its effect once',
  async () => {
    let arrived = 0
    const world = await World.open({
      accounts: rows,
      nextFault: () => undefined,
      passed: () => {
        arrived++
        return () => undefined
      },
    })
    onTestFinished(() => world.close())
    const {folder} = world
    const report = await sharedJobScene({
      ...common,
      database: database(),
      folder,
      url: world.proxy?.url ?? '',
      operation: 'accounts.patchCredit.v4',
      rows: `id,creditLimit\n${Array.from({length: rows}, (_, at) => `${FIRST_ACCOUNT + at},${1000 + at}\n`).join('')}`,
      arrived: () => arrived,
    })
    expect(report.kills).toBe(3)
    expect(report.codes, report.stderr).toEqual([0, 0, 0])
    expect(new Set(report.results.map(({state}) => state))).toEqual(new Set(['done']))
    expect(await world.effects()).toEqual(Array.from({length: rows}, () => 1))
  },
  240_000,
)

given(
  'three workers, each killed once: without honoured keys no row is sent twice and every unknown one is named',
  async () => {
    const arrivals = new Map<string, number>()
    let arrived = 0
    const server = createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      request.on('end', () => {
        const {code} = JSON.parse(text) as {code: string}
        arrivals.set(code, (arrivals.get(code) ?? 0) + 1)
        arrived++
        setTimeout(() => {
          response.setHeader('content-type', 'application/json')
          response.end(
            JSON.stringify({description: 'Updated', id: request.url?.split('?')[0]?.split('/').at(-1)}),
          )
        }, 100)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const folder = await mkdtemp(join(tmpdir(), 'cardctl-team-'))
    onTestFinished(async () => {
      server.closeAllConnections()
      server.close()
      await rm(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
    })
    const report = await sharedJobScene({
      ...common,
      database: database(),
      folder,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      operation: 'pricelists.patch.v1',
      rows: `id,code\n${Array.from({length: rows}, (_, at) => `${5001 + at},${at + 1}\n`).join('')}`,
      arrived: () => arrived,
    })
    expect(report.kills).toBe(3)
    const twice = [...arrivals].filter(([, times]) => times > 1)
    expect(twice).toEqual([])
    const {results} = report
    expect(results).toHaveLength(rows)
    const unknown = results.filter(({state}) => state === 'unknown')
    expect(results.filter(({state}) => state === 'done').length + unknown.length).toBe(rows)
    // A kill in the middle of requests leaves some, and each has its request and key.
    expect(unknown.length).toBeGreaterThan(0)
    for (const {request, key} of unknown)
      expect([request, key]).toEqual([expect.stringMatching(/^r_/), expect.any(String)])
    for (const {row, state} of results) if (state === 'done') expect(arrivals.get(String(row))).toBe(1)
    expect(new Set(report.codes)).toEqual(new Set([11]))
    // The results name all. A worker that finds some also says so, unless it is killed at that moment.
    const said = unknown.filter(({row}) => new RegExp(`\\b${row}\\b`).test(report.stderr))
    expect(said.length).toBeGreaterThan(unknown.length / 2)
  },
  240_000,
)
