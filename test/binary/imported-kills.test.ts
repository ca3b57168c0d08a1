// A bulk job of an imported operation, killed in the middle of its work, again and again.
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, onTestFinished, test} from 'vitest'
import {ProcessHome} from '../helpers/process-home.ts'
import {seeded} from '../helpers/random.ts'
import {openService, reply} from '../helpers/service.ts'
import {isWhole} from '../helpers/whole.ts'

const ROWS = 60
const KILLS = 3

const paths = (parameters: object[], method: string) => ({
  '/units/{unit}/steps': {
    [method]: {
      operationId: 'step',
      tags: ['units'],
      parameters: [{name: 'unit', in: 'path', required: true, schema: {type: 'string'}}, ...parameters],
      requestBody: {
        content: {'application/json': {schema: {type: 'object', properties: {n: {type: 'integer'}}}}},
      },
      responses: {200: {content: {'application/json': {schema: {type: 'object'}}}}},
    },
  },
})
const KEYED = paths([{name: 'Idempotency-Key', in: 'header', schema: {type: 'string'}}], 'post')
const UNKEYED = paths([], 'put')

/** Runs and resumes the job until it ends by itself. @returns the keys that each row was sent with. */
async function killed(document: object, seed: number) {
  const folder = await mkdtemp(join(tmpdir(), 'cardctl-kills-'))
  const random = seeded(seed)
  const arrived = new Map<number, (string | undefined)[]>()
  let kill = () => undefined as unknown
  let left = 0
  const service = await openService(async ({body, headers = {}}) => {
    const {n} = JSON.parse(String(body)) as {n: number}
    arrived.set(n, [...(arrived.get(n) ?? []), headers['idempotency-key']])
    if (--left === 0) kill()
    await pause(5)
    return reply(200, {})
  })
  onTestFinished(async () => {
    await service.close()
    await rm(folder, {recursive: true, force: true})
  })
  const home = new ProcessHome(folder, {env: {CARDCTL_PROFILE: 'own'}})
  await home.addProfile('own', service.url)
  const file = join(folder, 'doc.json')
  await writeFile(file, JSON.stringify({openapi: '3.1.0', info: {title: 'T', version: '1'}, paths: document}))
  await home.json(['contract', 'import', file, '--name', 'own'])
  const rows = join(folder, 'rows.csv')
  await writeFile(rows, `unit,n\n${Array.from({length: ROWS}, (_, at) => `u${at},${at}\n`).join('')}`)
  const flags = ['--concurrency', '4', '--rate', 'off']
  let kills = 0
  let argv = ['bulk', 'run', 'x', 'units', 'step', '--from', rows]
  for (;;) {
    left = kills < KILLS ? 4 + Math.floor(random() * 9) : 0
    const {code} = await home.run([...argv, ...flags], child => {
      kill = () => child.kill('SIGKILL')
    })
    argv = ['bulk', 'resume', 'last']
    if (code !== null) return {home, arrived, kills, code}
    kills++
  }
}

test.runIf(isWhole)('with an honoured key, each row has one effect', {timeout: 60_000}, async () => {
  const {arrived, kills, code} = await killed(KEYED, 1)
  expect([kills, code, arrived.size]).toEqual([KILLS, 0, ROWS])
  const keys = [...arrived.values()].map(sent => new Set(sent))
  expect(keys.every(own => own.size === 1 && !own.has(undefined))).toBe(true)
  expect(new Set(keys.flatMap(own => [...own])).size).toBe(ROWS)
  // Otherwise the kills came between the rows.
  expect([...arrived.values()].some(sent => sent.length > 1)).toBe(true)
})

test.runIf(isWhole)(
  'without a key, no row is sent twice, and those on their way are said to be unknown',
  {
    timeout: 60_000,
  },
  async () => {
    const {home, arrived, kills, code} = await killed(UNKEYED, 2)
    expect([kills, code]).toEqual([KILLS, 11])
    expect([...arrived.values()].every(sent => sent.length === 1)).toBe(true)
    const {done, unknown} = await home.json<{done: number; unknown: number}>(['bulk', 'status', 'last'])
    expect(unknown).toBeGreaterThan(0)
    expect(done + unknown).toBe(ROWS)
    expect(arrived.size).toBeGreaterThanOrEqual(done)
  },
)
