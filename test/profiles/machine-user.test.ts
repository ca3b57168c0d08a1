import {describe, expect, it} from 'vitest'
import {auditUserProblem} from '../../src/profiles/setting-checks.ts'
import {openHome} from '../helpers/cli.ts'

const declared = ['--machine-user', 'nightly', '--responsible', 'Cards operations']

const add = (more: readonly string[]) => [
  ...['profiles', 'add', 'prod', '--kind', 'live', '--base-url', 'http://127.0.0.1:1', '--auth', 'none'],
  ...more,
]

describe('a machine on a live profile', () => {
  it('acts under its declared name, and whoami names who is responsible', async () => {
    const home = await openHome()
    expect((await home.run(add(declared))).code).toBe(0)
    expect(await home.json(['whoami', '-p', 'prod'])).toMatchObject({
      auditUser: 'nightly',
      responsible: 'Cards operations',
      provenance: {auditUser: {from: 'profile'}},
    })
    const person = await home.json(['whoami', '-p', 'prod', '--audit-user', 'Aino Virtanen'])
    expect(person).toMatchObject({auditUser: 'Aino Virtanen'})
    expect(person).not.toHaveProperty('responsible')
    const other = await home.run(['whoami', '-p', 'prod', '--audit-user', 'ci'])
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('--machine-user')])
    await home.remove()
  })

  it('is named in the journal and the audit trail, with who is responsible', async () => {
    const home = await openHome()
    await home.run(add(declared))
    const patch = [
      'accounts',
      'patch',
      '2001',
      '--type',
      'credit',
      '-F',
      'creditLimit=5',
      '--confirm',
      '2001',
    ]
    expect((await home.run([...patch, '-p', 'prod'])).code).toBe(9)
    const expected = {auditUser: 'nightly', responsible: 'Cards operations'}
    const [request] = await home.json<{id: string}[]>(['requests', 'list', '-p', 'prod'])
    expect(request).toMatchObject(expected)
    const shown = await home.run(['requests', 'show', request?.id ?? '', '-p', 'prod'])
    expect(shown.stdout).toMatch(/Responsible +Cards operations/)
    const entries = await home.json<object[]>(['audit', 'list'])
    expect(entries).toContainEqual(expect.objectContaining(expected))
    expect((await home.run(['audit', 'list'], {columns: 160})).stdout).toContain(
      'nightly for Cards operations',
    )
    await home.remove()
  })

  it('is declared by variables alone, but not for a stored profile', async () => {
    const home = await openHome()
    const env = {
      CARDCTL_BASE_URL: 'https://live.invalid',
      CARDCTL_MACHINE_USER: 'ci',
      CARDCTL_RESPONSIBLE: 'Cards team',
    }
    expect(await home.json(['whoami'], {env})).toMatchObject({
      kind: 'live',
      auditUser: 'ci',
      responsible: 'Cards team',
      provenance: {auditUser: {from: 'environment CARDCTL_MACHINE_USER'}},
    })
    await home.run(add(['--profile-audit-user', 'Aino Virtanen']))
    const {code, stderr} = await home.run(['whoami', '-p', 'prod'], {env: {...env, CARDCTL_BASE_URL: ''}})
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot change the stored profile prod')])
    await home.remove()
  })

  it.each([
    ['--machine-user', 'nightly'],
    ['--responsible', 'Cards team'],
    ['--machine-user', 'nightly', '--responsible', 'nightly'],
  ])('needs a name and somebody else who is responsible: %s %s', async (...flags) => {
    const home = await openHome()
    const {code, stderr} = await home.run(add(flags))
    expect([code, stderr]).toEqual([2, expect.stringContaining('machineUser')])
    await home.remove()
  })
})

describe('the names that a live profile takes without a declaration', () => {
  it.each([
    'ci',
    'cron',
    'nightly',
    'x',
    'card-sync',
    'report2',
    'nightly_export',
    'batch',
    'CORP\\svc-cards',
  ])('don’t include %s, the name of a machine', name => {
    expect(auditUserProblem(name, 'live')).toContain('must name a person')
    expect(auditUserProblem(name, 'test')).toBeUndefined()
    expect(auditUserProblem(name, 'live', name)).toBeUndefined()
  })

  it.each(['Aino Virtanen', 'aino', 'a.virtanen', 'Bo', 'jo-night', '李', 'aino@bank.example', 'Daily Mary'])(
    'include %s, who may be a person',
    name => {
      expect(auditUserProblem(name, 'live')).toBeUndefined()
    },
  )
})
