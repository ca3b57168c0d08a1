// A live profile is told from every other by a look, in whatever is shown of it.
import {writeFile} from 'node:fs/promises'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
let other: Service
beforeAll(async () => {
  home = await openHome()
  service = await openService()
  other = await openService()
  for (const [name, kind, {url}] of [
    ['prod', 'live', service],
    ['staging', 'test', other],
  ] as const) {
    await home.json([
      ...['profiles', 'add', name, '--kind', kind, '--base-url', url],
      ...['--profile-audit-user', 'aino'],
    ])
  }
})
afterAll(async () => {
  await service.close()
  await other.close()
  await home.remove()
})

const on = (profile: string, line: string) => home.run([...line.split(' '), '-p', profile], {columns: 100})

describe.each([
  'cards get 3001',
  'cards list --customer 1003',
  'cards plastics 3001',
  'cards control-token 3001 --yes',
  'accounts patch 2001 --type credit -F creditLimit=5000 --yes',
  'a2a list',
  'api GET /v4/3001',
  'api GET /v4/customer/1003',
  'requests list',
  'bulk list',
  'whoami',
  'profiles show prod',
  'profiles test prod',
])('%s', line => {
  it('says LIVE and the profile, before anything else', async () => {
    const {stdout, stderr} = await on('prod', line)
    expect(stderr + stdout).not.toMatch(/^Error/m)
    expect(stdout.split('\n')[0]).toMatch(/LIVE.*prod|prod.*LIVE/)
  })

  it('says nothing of the kind elsewhere', async () => {
    const {stdout} = await on('staging', line.replace(' prod', ' staging'))
    expect(stdout).not.toContain('LIVE')
  })
})

it('questions name it, and many writes want its name typed', async () => {
  const rows = `${home.folder}/rows.csv`
  await writeFile(rows, 'id,creditLimit\n2001,5001\n2001,5002\n')
  const bulk = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', rows, '-p', 'prod']
  const asked = service.requests.length
  const refused = await home.run(bulk, {
    typed: [
      ['Type prod to confirm', 'y'],
      ['once more', ''],
    ],
  })
  expect(refused).toMatchObject({code: 2, stderr: expect.stringContaining('LIVE prod')})
  expect(refused.stderr).toContain('Sets creditLimit of 1 account, 2 times.')
  const off = await home.run(bulk)
  expect(off).toMatchObject({code: 2, stderr: expect.stringContaining('LIVE prod')})
  expect(service.requests.length).toBe(asked)
  expect(await home.run(bulk, {typed: [['Type prod to confirm', 'prod']]})).toMatchObject({code: 0})
  const transfer = ['a2a', 'create', '--transfer', '2006:2007:1.00:EUR', '-p', 'prod']
  const {stderr} = await home.run([...transfer, '--yes'], {
    typed: [
      ['Type 1.00 to confirm', '1,000'],
      ['once more', '100'],
    ],
  })
  expect(stderr).toMatch(/LIVE prod \(127\.0\.0\.1:\d+\): send 1 transfer: EUR 1\.00\. Money moves at once/)
  expect(service.requests.length).toBe(asked + 2)
})

it('profiles list marks the live one', async () => {
  const {stdout} = await home.run(['profiles', 'list'], {columns: 100})
  expect(stdout).toMatch(/prod +LIVE/)
  expect(stdout).not.toMatch(/staging +LIVE/)
})
