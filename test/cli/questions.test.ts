// What a person is asked before something happens, and what the question shows.
import {writeFile} from 'node:fs/promises'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
beforeEach(async () => {
  home = await openHome()
  service = await openService()
  await home.json([
    ...['profiles', 'add', 'prod', '--kind', 'live', '--base-url', service.url],
    ...['--profile-audit-user', 'aino'],
  ])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000', '-p', 'prod']

it('a live write is sent after its id was typed', async () => {
  const {code, stderr} = await home.run(patch, {typed: [['Type 2001 to confirm:', '2001']]})
  expect(unwrapped(stderr)).toMatch(
    /LIVE prod \(127.*\): change the limit of credit account 2001\. .* creditLimit +5[^\d\n]?000/,
  )
  expect({code, sent: service.requests.length}).toEqual({code: 0, sent: 1})
})

it.each(['y', '2002', 'prod'])('a live write is not sent after %j was typed twice', async typed => {
  const {code, stderr} = await home.run(patch, {
    typed: [
      ['Type 2001 to confirm:', typed],
      ['Type 2001 once more, or n to stop.', typed],
    ],
  })
  expect(unwrapped(stderr)).toContain(typed === 'y' ? 'A yes is not enough here.' : 'That is not 2001.')
  expect(stderr).toContain('CONFIRMATION_DECLINED')
  expect({code, connections: service.connections}).toEqual({code: 2, connections: 0})
})

it('a live write is sent after its id was typed at the second chance', async () => {
  const {code} = await home.run(patch, {
    typed: [
      ['Type 2001 to confirm:', '2010'],
      ['Type 2001 once more', '2001'],
    ],
  })
  expect({code, sent: service.requests.length}).toEqual({code: 0, sent: 1})
})

it.each(['', 'n', 'no', 'stop'])(
  'a live write is not sent after %j, and nothing is asked again',
  async typed => {
    const {code, stderr} = await home.run(patch, {typed: [['Type 2001 to confirm:', typed]]})
    expect(stderr).toContain('CONFIRMATION_DECLINED')
    expect(stderr).not.toContain('once more')
    expect({code, connections: service.connections}).toEqual({code: 2, connections: 0})
  },
)

it('the question masks what is secret in the request, wherever it stands', async () => {
  const body = {
    controlId: 'c-1',
    pinBlock: 'c2VjcmV0LWJsb2Nr',
    more: {pin: '8253'},
    note: 'card 4111111111111111',
  }
  const file = `${home.folder}/body.json`
  await writeFile(file, JSON.stringify(body))
  const argv = ['api', 'POST', '/v9/unknown', '--data', `@${file}`, '--no-check-input', '-p', 'prod']
  const {stderr} = await home.run(argv, {typed: [['to confirm:', 'no']]})
  expect(stderr).toContain('controlId')
  expect(stderr).not.toMatch(/c2VjcmV0LWJsb2Nr|8253|4111111111111111/)
})

describe('a live delete', () => {
  const drop = ['pricelists', 'delete', '5002', '-p', 'prod', '--yes']

  it('asks for the id despite --yes, and names the consequence', async () => {
    const {code, stderr} = await home.run(drop, {typed: [['Type 5002 to confirm:', '5002']]})
    expect(code).toBe(0)
    expect(unwrapped(stderr)).toMatch(
      /LIVE prod \(127\.0\.0\.1:\d+\): delete price list 5002\. This also deletes its inactive periods\. This can't be undone\./,
    )
    expect(stderr).not.toMatch(/http|DELETE|auditUser/)
  })

  it('is not sent after another id was typed', async () => {
    const {code} = await home.run(drop, {
      typed: [
        ['Type 5002 to confirm:', '5001'],
        ['once more', '5001'],
      ],
    })
    expect({code, connections: service.connections}).toEqual({code: 2, connections: 0})
  })
})

it('the first question of a closing names profile and account', async () => {
  const close = [
    'accounts',
    'patch',
    '2001',
    '--type',
    'credit',
    '--status',
    'ACCOUNT_TO_CLOSE',
    '-p',
    'prod',
  ]
  const {code, stderr} = await home.run([...close, '--yes'], {
    typed: [
      ['Type ACCOUNT_TO_CLOSE to confirm:', 'ACCOUNT_TO_CLOSE'],
      ['Type 2001 to confirm:', '2001'],
    ],
  })
  expect(code).toBe(0)
  const first = stderr.slice(0, stderr.indexOf('Type ACCOUNT_TO_CLOSE'))
  expect(unwrapped(first)).toMatch(/LIVE prod \(127.*\): close credit account 2001\./)
  expect(unwrapped(first)).toContain("closes the account for good; it can't be opened again")
})

it('sending again with the same key is asked as that, and a no leaves what to do', async () => {
  let drops = true
  await service.close()
  service = await openService(() =>
    drops ? {status: 200, headers: {}, body: Buffer.of(), drop: true} : undefined,
  )
  const url = [
    'profiles',
    'add',
    'again',
    '--kind',
    'live',
    '--base-url',
    service.url,
    '--idempotency',
    'documented',
  ]
  await home.json([...url, '--profile-audit-user', 'aino'])
  const block = ['accounts', 'block', '2006', '--type', 'debit', '-p', 'again', '--retries', '0']
  expect((await home.run(block, {typed: [['to confirm:', '2006']]})).code).toBe(10)
  drops = false
  const sent = service.requests.length
  const resolve = ['requests', 'resolve', 'last', '-p', 'again']
  const no = await home.run(resolve, {typed: [['Type 2006 to confirm:', '']]})
  expect(unwrapped(no.stderr)).toContain(
    'send again, with the same key: block debit account 2006. It takes effect once: if it already did, the service only repeats its response.',
  )
  expect(unwrapped(no.stderr)).toMatch(
    /Nothing was sent, and the effect of request \S+ is still unknown\. .*--found no-effect/,
  )
  expect({code: no.code, sent: service.requests.length}).toEqual({code: 2, sent})
  const {code, stdout} = await home.run(resolve, {typed: [['Type 2006 to confirm:', '2006']]})
  expect([code, stdout]).toEqual([0, expect.stringContaining('Yes, done: block debit account 2006')])
})

it('--quiet leaves out the line about the profile, and no question', async () => {
  const {stderr} = await home.run([...patch, '-q'], {typed: [['Type 2001 to confirm:', 'no']]})
  expect(stderr.match(/LIVE prod/g)).toHaveLength(1)
  expect(unwrapped(stderr)).toMatch(/LIVE prod \(127.*\): change the limit of credit account 2001\./)
})

it.each([
  ['requests prune -p prod', 'LIVE prod (HOST): remove the requests before '],
  ['requests prune', 'sandbox (embedded): remove the requests before '],
  ['sandbox reset', 'sandbox (embedded): restore the demo data. Everything else in the sandbox is deleted. '],
  ['pricelists delete 5002', 'sandbox (embedded): delete price list 5002. '],
  ['pin view 3001 --reveal', 'sandbox (embedded): show the PIN of card 3001 in clear. '],
  ['cards payment-info 3001 --reveal', 'sandbox (embedded): show '],
  ['a2a create --transfer 2006:2007:1.00:EUR', 'sandbox (embedded): send 1 transfer: EUR 1.00. Money moves '],
  ['audit prune --export FOLDER/old.ndjson', 'Audit trail of this machine '],
  ['webhook events prune --older-than 1d', 'Recording of this machine: remove the calls before '],
])('%s names the place, the deed and what comes of it', async (line, words) => {
  const {code, stderr} = await home.run([...line.replace('FOLDER', home.folder).split(' '), '-q'])
  expect(code).toBe(2)
  expect(stderr).toContain(words.replace('HOST', new URL(service.url).host))
  expect(stderr).toContain('Confirmation is needed, but there is no terminal.')
  expect(service.connections).toBe(0)
})

describe('rows that delete', () => {
  const rows = (profile: string, ...more: string[]) => [
    ...['bulk', 'run', 'pricelists.deletePeriod.v1', '--from', `${home.folder}/rows.csv`, '-p', profile],
    ...more,
  ]
  beforeEach(() => writeFile(`${home.folder}/rows.csv`, 'id\n6003\n6004\n'))

  it.each([
    [['--yes']],
    [['--yes', '--confirm', '6003']],
    [['--yes', '--confirm', 'pricelists.deletePeriod.v1:3']],
  ])('on live are not covered by %j', async flags => {
    const {code, stderr} = await home.run(rows('prod', ...flags))
    expect({code, connections: service.connections}).toEqual({code: 2, connections: 0})
    expect(stderr).toContain('--confirm pricelists.deletePeriod.v1:COUNT')
    expect(stderr).toMatch(/LIVE prod \(127.*\): Delete a price list period, 2 rows/)
  })

  it('go with their number', async () => {
    await home.run(rows('prod', '--yes', '--confirm', 'pricelists.deletePeriod.v1:2'))
    expect(service.requests).toHaveLength(2)
  })

  it('need a yes elsewhere', async () => {
    expect(await home.run(rows('sandbox'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Add --yes.'),
    })
    expect((await home.run(rows('sandbox', '--yes'))).stderr).toContain('2 rows')
  })
})

describe('the profile that a command acts on', () => {
  beforeEach(async () => {
    const url = 'http://localhost:1'
    await home.json(['profiles', 'add', 'staging', '--kind', 'test', '--base-url', url])
  })
  const nobody = {env: {CARDCTL_PROFILE: ''}}

  it.each([
    ['cards get 3001 -p prod', 'LIVE prod (HOST)'],
    ['cards get 3001 -p prod -o yaml', 'LIVE prod (HOST)'],
    ['requests list -p prod', 'LIVE prod (HOST)'],
    ['bulk list -p prod', 'LIVE prod (HOST)'],
    [
      'accounts patch 2001 --type credit -F creditLimit=1 --dry-run -p staging',
      'staging (test, localhost:1)',
    ],
    ['api GET /v4/3001 -p sandbox', 'sandbox (embedded)'],
    ['requests list -p staging', 'staging (test, localhost:1)'],
  ])('%s says %s, once', async (line, words) => {
    const {stderr} = await home.run(line.split(' '))
    const place = words.replace('HOST', new URL(service.url).host)
    expect(stderr.split('\n').filter(one => one === place)).toEqual([place])
    expect((await home.run([...line.split(' '), '-q'])).stderr).not.toContain(place)
  })

  it('leaves stderr to the error where a script reads JSON, and is said beside it to a person', async () => {
    const argv = ['cards', 'get', '9999', '-p', 'prod', '-o', 'json']
    expect(JSON.parse((await home.run(argv)).stderr)).toMatchObject({error: {code: 'NOT_FOUND'}})
    expect((await home.run(argv, {typed: [['never', 'asked']]})).stderr).toMatch(/^LIVE prod/)
  })

  it('is said of a sandbox that was chosen by profiles use, too', async () => {
    await home.run(['profiles', 'use', 'sandbox'])
    expect((await home.run(['cards', 'get', '3001'], nobody)).stderr).toBe('sandbox (embedded)\n')
  })

  it('comes with the way to a service only on a terminal, and only as long as nothing was set up', async () => {
    const hint = 'a real service: cardctl profiles add'
    const terminal = {...nobody, typed: [['never', 'asked']] as const}
    const get = ['cards', 'get', '3001']
    expect((await home.run(get, terminal)).stderr).toBe('sandbox (embedded)\n')
    const fresh = await openHome()
    expect((await fresh.run(get, nobody)).stderr).toBe('sandbox (embedded)\n')
    expect((await fresh.run(get, terminal)).stderr).toContain(hint)
    await fresh.run(['pin', 'view', '3001'], nobody)
    expect((await fresh.run(get, terminal)).stderr).toBe('sandbox (embedded)\n')
    await fresh.remove()
  })
})

/** As it was before it was broken into lines of the terminal. */
const unwrapped = (text: string): string => text.replaceAll(/\n */g, ' ')
