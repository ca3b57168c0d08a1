// A sandbox was reset, or went back to a snapshot: what the journal knows of before is no longer there.
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService} from '../helpers/service.ts'

let home: Home
let now = 0
beforeEach(async () => {
  home = await openHome()
  now = Date.now()
})
afterEach(() => home.remove())

/** Each command a second after the one before. */
const run = (line: string, stdin?: string) => {
  now += 1000
  return home.run(line.split(' '), {now: () => now, ...(stdin === undefined ? {} : {stdin})})
}
const TRANSFER = 'a2a create --transfer 2006:2007:12.50:EUR:Rent --yes'
const NIGHT = 'bulk run accounts patch --type credit --from - --job-key night --yes'
const ROWS = 'id,creditLimit\n2001,7000\n'
const booked = async () => {
  const {stdout} = await run('accounts get 2006 -o json')
  return stdout
}

test('a transfer of before a reset can be sent again', async () => {
  expect(await run(TRANSFER)).toMatchObject({code: 0})
  expect(await run(TRANSFER)).toMatchObject({code: 14})
  expect(await run('sandbox reset --yes')).toMatchObject({code: 0})
  expect(await run(TRANSFER)).toMatchObject({code: 0})
  expect(await run(TRANSFER)).toMatchObject({code: 14})
})

test('an unknown effect of before a reset is gone, and nothing is sent to find out', async () => {
  await run('sandbox faults add --operation a2a.create.v1 --drop after --count 1')
  expect(await run(TRANSFER)).toMatchObject({code: 10})
  await run('sandbox reset --yes')
  const before = await booked()
  const {code, stdout} = await run('requests resolve last -o json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: 'had no effect',
    evidence: expect.stringContaining('The sandbox was reset at'),
  })
  expect(await booked()).toBe(before)
})

test('a job of before a reset says that its rows may be gone', async () => {
  expect(await run(NIGHT, ROWS)).toMatchObject({code: 0})
  expect((await run(NIGHT, ROWS)).stderr).toMatch(/Nothing was sent: all rows were done before\.\n/)
  await run('sandbox reset --yes')
  const {code, stderr} = await run(NIGHT, ROWS)
  expect(code).toBe(0)
  expect(stderr).toMatch(/The sandbox was reset at .*another --job-key/)
})

test('a job at a served sandbox says that somebody else may have reset it', async () => {
  const service = await openService()
  try {
    const add = `profiles add other --kind sandbox --base-url ${service.url} --auth none --profile-audit-user t`
    await run(add)
    const night = `${NIGHT} --first-run -p other`
    expect(await run(night, ROWS)).toMatchObject({code: 0})
    expect((await run(night, ROWS)).stderr).toContain('somebody else has reset the sandbox since')
  } finally {
    await service.close()
  }
})

test('a snapshot has what was sent before it was saved, and forgets what was sent after', async () => {
  expect(await run(TRANSFER)).toMatchObject({code: 0})
  await run('sandbox snapshot save one')
  const later = TRANSFER.replace('Rent', 'Later')
  expect(await run(later)).toMatchObject({code: 0})
  expect(await run('sandbox snapshot load one --yes')).toMatchObject({code: 0})
  expect(await run(TRANSFER)).toMatchObject({code: 14})
  expect(await run(later)).toMatchObject({code: 0})
})
