import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
  await run('profiles add prod --kind live --base-url https://api.example --audit-user Aino --read-only')
})
afterEach(() => home.remove())

const run = (line: string, options?: RunOptions) => home.run(line.split(' '), options)
const stored = () => readFile(join(home.folder, '.config/cardctl/profiles.json'), 'utf8')
const typing = (text: string): RunOptions => ({
  typed: [
    ['Type prod to confirm:', text],
    ['Type prod once more', text],
  ],
})

const LOOSENING = [
  'profiles edit prod --no-read-only',
  'profiles edit prod --unset readOnly',
  'profiles edit prod --kind test',
  'profiles edit prod --base-url https://other.example',
  'profiles edit prod --host other.example',
  'profiles edit prod --ca ca.pem',
  'profiles remove prod',
  'profiles add own --kind live --base-url https://api.example --audit-user Bo --auth none',
]

it.each(LOOSENING)('%s is refused without a terminal, whatever the flags', async line => {
  const before = await stored()
  for (const [flags, env] of [
    ['', {}],
    [' --yes', {}],
    ['', {CARDCTL_YES: '1'}],
  ] as const) {
    const {code, stderr} = await run(`${line}${flags}`, {env})
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('Error GATE_REFUSED: LIVE prod (api.example): '),
    ])
    expect(stderr).toContain('A person must agree to that, and there is no terminal.')
    expect(stderr).toContain('The person who looks after the profile prod can do this in a terminal.')
    expect(stderr).not.toMatch(/--yes|--confirm/)
  }
  // A terminal that may not ask is none.
  for (const env of [{CI: '1'}, {CARDCTL_NO_INPUT: '1'}])
    expect((await run(line, {...typing('prod'), env})).code).toBe(3)
  expect(await stored()).toBe(before)
})

it.each(LOOSENING)('%s asks for the name in a terminal, also with --yes', async line => {
  const before = await stored()
  const declined = await run(`${line} --yes`, typing('yes'))
  expect([declined.code, await stored()]).toEqual([2, before])
  const {code, stderr} = await run(`${line} --yes`, typing('prod'))
  expect([code, stderr]).toEqual([0, expect.stringContaining('LIVE prod (api.example): ')])
  expect(await stored()).not.toBe(before)
})

it('the question shows each setting before and after, and no other', async () => {
  const {stderr} = await run('profiles edit prod --no-read-only --host b.example --bid B1', typing('prod'))
  expect(stderr).toContain('  readOnly  true → false\n  hosts  none → b.example\n')
  expect(stderr).not.toContain('bid')
})

it('a stricter change asks nothing', async () => {
  for (const line of [
    'profiles edit prod --require-ticket --ceiling EUR:500 --second-person-for irreversible',
    'profiles edit prod --bid B1 --decimal comma',
    'profiles edit prod --ceiling EUR:400',
  ])
    expect(await run(line)).toMatchObject({code: 0})
})

it('keeps no secret of a change that is refused', async () => {
  expect((await run('profiles edit prod --auth bearer --secret -', {stdin: 'one'})).code).toBe(0)
  const kept = await readFile(join(home.folder, '.local/share/cardctl/secrets.json'), 'utf8')
  expect((await run('profiles edit prod --secret - --yes', {stdin: 'two'})).code).toBe(3)
  expect(await readFile(join(home.folder, '.local/share/cardctl/secrets.json'), 'utf8')).toBe(kept)
})

it('an agent trusts no machine', async () => {
  const trust = 'data keys --trust ffba-ccia-flkf-ajil-gmmn-dcba-oppo-eefa'
  const {code, stderr} = await run(trust, {env: {CARDCTL_AGENT: 'robot'}})
  expect([code, stderr]).toEqual([3, expect.stringContaining('An agent trusts no machine.')])
  expect((await run(trust)).code).toBe(0)
  const {stderr: other} = await run(`data import x.age --trust ffba-ccia-flkf-ajil-gmmn-dcba-oppo-eefa`, {
    env: {CARDCTL_AGENT: 'robot'},
  })
  expect(other).toContain('An agent trusts no machine.')
})

it('names of a document replace those of a live profile only by a person', async () => {
  await run('profiles edit prod --word pinBlock=old', typing('prod'))
  const answers = join(home.folder, 'answers.yaml')
  await writeFile(answers, '{"words": {"pinBlock": "new"}}')
  const document = join(home.folder, 'own.json')
  const schema = {type: 'object', properties: {new: {type: 'string'}}}
  await writeFile(
    document,
    JSON.stringify({
      openapi: '3.0.3',
      info: {title: 'Own', version: '1'},
      paths: {
        '/pin': {
          put: {requestBody: {content: {'application/json': {schema}}}, responses: {204: {description: ''}}},
        },
      },
    }),
  )
  const {code, stderr} = await home.run([
    'contract',
    'map',
    document,
    '--answers',
    answers,
    '-p',
    'prod',
    '--yes',
  ])
  expect([code, stderr]).toEqual([3, expect.stringContaining('words.pinBlock')])
  expect(await stored()).toContain('"old"')
})

it('each change and each refusal is an entry of the trail, without values of secrets', async () => {
  await run('profiles edit prod --no-read-only --yes')
  await run('profiles edit prod --no-read-only --profile-audit-user Bo', typing('prod'))
  await run('profiles edit prod --auth bearer --secret -', {stdin: 'hunter22hunter22'})
  await run('accounts patch 2001 --type credit -F creditLimit=5 -p sandbox --yes')
  await run('profiles add staging --kind test --base-url https://staging.example')
  await run('profiles use staging')
  await run('sandbox reset -p staging --yes')
  await run('data keys --trust ffba-ccia-flkf-ajil-gmmn-dcba-oppo-eefa')
  await run('profiles remove prod', typing('prod'))
  const entries = await home.json<Record<string, unknown>[]>(['audit', 'list'])
  expect(
    entries.toReversed().map(({kind, operation, profile, members}) => [kind, operation, profile, members]),
  ).toEqual([
    ['change', 'profiles.add', 'prod', ['kind', 'baseUrl', 'readOnly', 'auditUser']],
    ['refuse', 'profiles edit', 'prod', undefined],
    ['change', 'profiles.edit', 'prod', ['readOnly', 'auditUser']],
    ['change', 'profiles.edit', 'prod', ['auth.type', 'auth.token']],
    ['write', 'accounts.patchCredit.v4', 'sandbox', ['creditLimit']],
    ['change', 'profiles.add', 'staging', ['kind', 'baseUrl']],
    ['change', 'profiles.use', 'staging', undefined],
    ['refuse', 'sandbox reset', 'staging', undefined],
    ['change', 'data.keys', '', undefined],
    ['change', 'profiles.remove', 'prod', expect.arrayContaining(['kind', 'auth.token'])],
  ])
  expect(entries.at(-3)).toMatchObject({note: 'readOnly true → false', outcome: 'done', caller: 'person'})
  expect(entries.at(-2)).toMatchObject({
    note: expect.stringContaining('LIVE prod (api.example)'),
    outcome: 'refused',
  })
  expect(JSON.stringify(entries)).not.toContain('hunter22')
  expect(await home.json(['audit', 'verify'])).toMatchObject({ok: true, lines: 10})
})
