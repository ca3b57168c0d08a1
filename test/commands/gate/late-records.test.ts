import {mkdir, readFile, rename, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, it} from 'vitest'
import {type Gate, openGate} from '../../helpers/gate.ts'

let gate: Gate
let onPatch = async () => {}

/** The trail takes nothing while a folder has its name. */
const trail = () => join(gate.home.folder, '.local/share/cardctl/audit.ndjson')
const left = () => join(gate.home.folder, '.local/share/cardctl/unrecorded-refusals')
const close = async () => {
  await rename(trail(), `${trail()}.away`)
  await mkdir(trail())
}
const open = async () => {
  await rm(trail(), {recursive: true})
  await rename(`${trail()}.away`, trail())
}
const entries = () =>
  gate.home.json<Record<string, string>[]>(['audit', 'list', '--limit', '20'], {
    policyPlace: gate.policyPlace,
  })

beforeAll(async () => {
  gate = await openGate(
    {
      person: {read: 'allow', write: 'allow', sums: {UNSTATED: {request: 6000, day: 99_000}}},
      agent: {read: 'allow'},
    },
    {aino: 'person', robot: 'agent'},
    {
      answer: async ({method}) => {
        if (method === 'PATCH') await onPatch()
        return undefined
      },
    },
  )
})
afterAll(() => gate.close())

const patch = (creditLimit: number) => gate.ask('aino', 'PATCH', '/v4/CREDIT/2001', {body: {creditLimit}})

it('says later how many refusals could not be recorded', async () => {
  expect((await patch(5000)).status).toBe(200)
  await close()
  const refused = [
    (await patch(9000)).status,
    (await gate.ask('robot', 'GET', '/v9/nothing')).status,
    (await gate.ask('robot', 'PATCH', '/v4/CREDIT/2001', {body: {creditLimit: 1}})).status,
  ]
  expect(refused).toEqual([403, 404, 403])
  await open()
  expect((await gate.ask('aino', 'GET', '/v4/3001')).status).toBe(200)
  const [newest] = await entries()
  expect(newest).toMatchObject({
    kind: 'refuse',
    note: expect.stringMatching(/^3 refusals before this could not be recorded, of aino, robot\./),
  })
  expect((await patch(5001)).status).toBe(200)
  expect((await entries()).filter(({note}) => note?.includes('could not be recorded'))).toHaveLength(1)
})

it('says after a kill how many refusals were not recorded before', async () => {
  await close()
  expect((await patch(9000)).status).toBe(403)
  expect((await gate.ask('robot', 'GET', '/v9/nothing')).status).toBe(404)
  // As a killed server leaves it: the file outlives the process, and nothing is recorded at the end.
  const kept = await readFile(left(), 'utf8')
  expect(kept).toHaveLength(16 * 1024)
  await gate.stop()
  await open()
  await writeFile(left(), kept)
  await gate.start()
  const said = async () => (await entries()).filter(({note}) => note?.includes('could not be recorded'))
  expect((await said())[0]?.note).toMatch(/^2 refusals before this could not be recorded, of aino, robot\./)
  expect((await readFile(left(), 'utf8')).trim()).toBe('')
  const {length} = await said()
  await gate.stop()
  await gate.start()
  expect(await said()).toHaveLength(length)
})

it('records once how a request ended, as soon as it can', async () => {
  onPatch = close
  const before = (await entries()).length
  expect((await patch(4000)).status).toBe(200)
  onPatch = async () => {}
  expect((await gate.ask('aino', 'GET', '/v4/3001')).status).toBe(200)
  await open()
  expect((await gate.ask('aino', 'GET', '/v4/3001')).status).toBe(200)
  const [newest, ...others] = await entries()
  expect(others).toHaveLength(before)
  expect(newest).toMatchObject({kind: 'write', outcome: 'done', osUser: 'aino'})
  const [sent] = await gate.home.json<{state: string}[]>(['requests', 'list', '-p', 'prod', '--limit', '1'])
  expect(sent?.state).toBe('done')
  expect(await gate.home.run(['audit', 'verify'])).toMatchObject({code: 0})
})
