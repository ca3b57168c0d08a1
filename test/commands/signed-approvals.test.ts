// A colleague on another machine approves with a key: nothing but files goes between the two.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {DatabaseSync} from 'node:sqlite'
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest'
import {encodeKept} from '../../src/cli/proposal-content.ts'
import type {PolicyPlace} from '../../src/policy/index.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'
import {placePolicy} from '../policy/place.ts'

const RULES = {
  read: 'allow',
  write: {approvedBy: ['bo']},
  sums: {UNSTATED: {request: 9000, day: 9000}, EUR: {request: 100, day: 100}},
}

// Only root can make the folder of a live profile.
describe.skipIf(process.getuid?.() !== 0)('an approval of another machine', () => {
  let home: Home
  let desk: Home
  let service: Service
  let folder = ''
  let policyPlace: PolicyPlace
  let without: PolicyPlace
  let file = 0
  let isAway = false
  let before = 0
  const sent = () => service.requests.slice(before).filter(({method}) => method !== 'GET')

  beforeAll(async () => {
    ;[home, desk, service] = await Promise.all([
      openHome(),
      openHome(),
      openService(({method}) =>
        isAway && method !== 'GET'
          ? {status: 500, headers: {}, body: new Uint8Array(), drop: true}
          : undefined,
      ),
    ])
    folder = mkdtempSync(join(tmpdir(), 'signed-'))
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'proposals'))
    chmodSync(join(folder, 'proposals'), 0o3770)
    writeFileSync(join(folder, 'proposals', 'members'), '0\n7\n', {mode: 0o644})
    await home.json([
      ...['profiles', 'add', 'prod', '--kind', 'live', '--base-url', service.url, '--auth', 'none'],
      ...['--profile-audit-user', 'Aino Virtanen', '--proposals', join(folder, 'proposals')],
    ])
    const [key] = await desk.json<{key: string}[]>(['data', 'keys'])
    const hosts = [new URL(service.url).host]
    const policy = {policy: 1, profiles: {prod: {hosts, job: RULES, agent: RULES}}}
    policyPlace = placePolicy(join(folder, 'policy'), {...policy, keys: {bo: key?.key, root: key?.key}})
    without = placePolicy(join(folder, 'without'), policy)
  })
  afterAll(async () => {
    await Promise.all([home.remove(), desk.remove(), service.close()])
    rmSync(folder, {recursive: true})
  })
  beforeEach(() => {
    before = service.requests.length
  })

  const run = (line: string, options: RunOptions = {}) => home.run(line.split(' '), {policyPlace, ...options})

  async function proposed(line: string): Promise<{id: string; path: string}> {
    const {stdout} = await run(`${line} -p prod --propose -o json`)
    const {id} = JSON.parse(stdout) as {id: string}
    return {id, path: join(folder, 'proposals', `${id}.json`)}
  }

  async function signed(
    {id, path}: {id: string; path: string},
    user = 'bo',
    at: Home = desk,
  ): Promise<string> {
    const to = join(folder, `approval-${++file}.json`)
    const argv = ['requests', 'sign', path, '--to', to, '--user', user, '--confirm', id.slice(0, 10)]
    expect(await at.run(argv)).toMatchObject({code: 0})
    return to
  }

  it.each([
    'accounts patch 2001 --type credit --credit-limit 5100',
    'a2a create --transfer 2006:2007:12.50:EUR:Rent',
  ])('lets an agent send what it proposed, once: %s', async line => {
    const proposal = await proposed(line)
    const file = await signed(proposal)
    const approve = `requests approve ${proposal.id} --signed ${file} -p prod`
    const agent = {env: {CARDCTL_AGENT: 'robot'}}
    expect((await run(`requests approve ${proposal.id} -p prod --yes`)).stderr).toMatch(/second person/)
    expect(await run(approve, agent)).toMatchObject({code: 0})
    expect(sent()).toHaveLength(1)
    for (const options of [agent, {}]) expect((await run(approve, options)).stderr).toMatch(/was approved by/)
    expect(sent()).toHaveLength(1)
    const shown = await run(`requests show ${proposal.id} -p prod -o json`)
    expect(JSON.parse(shown.stdout)).toMatchObject({state: 'approved', decision: {signedBy: 'bo'}})
  })

  it('counts for the proposal, the person and the key that it names', async () => {
    const proposal = await proposed('accounts patch 2001 --type credit --credit-limit 5200')
    const other = await proposed('accounts patch 2001 --type credit --credit-limit 8000')
    const good = await signed(proposal)
    const changed = (change: object): string => {
      const to = join(folder, `changed-${++file}.json`)
      writeFileSync(to, JSON.stringify({...JSON.parse(readFileSync(good, 'utf8')), ...change}))
      return to
    }
    const tries: readonly (readonly [file: string, said: RegExp, options?: RunOptions])[] = [
      [await signed(other), /approves another proposal/],
      [changed({proposal: other.id}), /approves another proposal/],
      [changed({at: new Date(0).toISOString()}), /was changed after bo signed it/],
      [changed({signedBy: 'aino', auditUser: 'aino'}), /names no key for aino/],
      [changed({decision: 'rejected'}), /no signed approval/],
      [await signed(proposal, 'root'), /root made the proposal/],
      [await signed(proposal, 'mallory'), /names no key for mallory/],
      [good, /names no key for bo/, {policyPlace: without}],
      [join(folder, 'nothing.json'), /cannot be used/],
    ]
    for (const [name, said, options] of tries) {
      const {code, stderr} = await run(
        `requests approve ${proposal.id} --signed ${name} -p prod --yes`,
        options,
      )
      expect({code, stderr}).toEqual({code: expect.any(Number), stderr: expect.stringMatching(said)})
      expect(code).not.toBe(0)
    }
    expect(sent()).toEqual([])
    expect(await run(`requests approve ${proposal.id} --signed ${good} -p prod`)).toMatchObject({code: 0})
  })

  it('is none if who proposed it has signed it, which does not stop the one that counts', async () => {
    const proposal = await proposed('accounts patch 2001 --type credit --credit-limit 5250')
    const own = await signed(proposal, 'bo', home)
    const approve = (more = '') => run(`requests approve ${proposal.id}${more} -p prod`)
    const [wanted] = await desk.json<{key: string}[]>(['data', 'keys'])
    const [used] = await home.json<{key: string}[]>(['data', 'keys'])
    const refused = await approve(` --signed ${own}`)
    expect({...refused, stderr: refused.stderr.replaceAll(/\s+/g, ' ')}).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        `it is signed with the key ${used?.key}, and the policy names ${wanted?.key} for bo. Nothing was sent.`,
      ),
    })
    expect(await approve()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/You signed proposal p_\w+ as bo at .*as your audit trail has it/),
    })
    expect(sent()).toEqual([])
    expect(await approve(` --signed ${await signed(proposal)}`)).toMatchObject({code: 0})
    expect((await approve(` --signed ${own}`)).stderr).toMatch(/was approved by/)
    expect(sent()).toHaveLength(1)
  })

  it('is proposed to a service of this machine that has no such path, whatever it answers', async () => {
    for (const status of [401, 403, 405, 200]) {
      const other = await openService(({url}) =>
        url.startsWith('/_gate/')
          ? {status, headers: {'content-type': 'text/html'}, body: Buffer.from('<p>')}
          : undefined,
      )
      const own = await openHome()
      await own.json([
        ...['profiles', 'add', 'prod', '--kind', 'live', '--base-url', other.url, '--auth', 'none'],
        ...['--profile-audit-user', 'Aino Virtanen', '--proposals', join(folder, 'proposals')],
      ])
      const line = 'accounts patch 2001 --type credit --credit-limit 5700 -p prod --propose -o json'
      const {code, stdout} = await own.run(line.split(' '))
      expect({status, code}).toEqual({status, code: 0})
      expect(JSON.parse(stdout)).toMatchObject({sender: expect.stringMatching(/^[a-p]{32}$/)})
      await own.remove()
      await other.close()
    }
  })

  it('counts at the journal that the proposal names, and not once that is gone', async () => {
    const other = await openHome()
    await other.json([
      ...['profiles', 'add', 'prod', '--kind', 'live', '--base-url', service.url, '--auth', 'none'],
      ...['--profile-audit-user', 'Bo Berg', '--proposals', join(folder, 'proposals')],
    ])
    const proposal = await proposed('accounts patch 2001 --type credit --credit-limit 5400')
    const approve = `requests approve ${proposal.id} --signed ${await signed(proposal)} -p prod`
    const elsewhere = await other.run(approve.split(' '), {policyPlace})
    expect(elsewhere).toMatchObject({code: 3, stderr: expect.stringMatching(/only from the journal/)})
    const data = join(home.folder, '.local/share/cardctl')
    renameSync(data, `${data}.before`)
    expect(await run(approve)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/only from the journal/),
    })
    rmSync(data, {recursive: true})
    renameSync(`${data}.before`, data)
    expect(sent()).toEqual([])
    expect(await run(approve)).toMatchObject({code: 0})
    await other.remove()
  })

  it('also counts when it is sent again, and only for what it approved', async () => {
    const proposal = await proposed('accounts patch 2001 --type credit --credit-limit 5500')
    isAway = true
    const approve = `requests approve ${proposal.id} --signed ${await signed(proposal)} -p prod --retries 0`
    expect(await run(approve)).toMatchObject({code: 10})
    isAway = false
    const [last] = JSON.parse((await run('requests list -p prod -o json')).stdout) as [{id: string}]
    const agent = {env: {CARDCTL_AGENT: 'robot'}}
    expect(await run(`requests retry ${last.id} -p prod`, agent)).toMatchObject({code: 0})
    // A record of this user that names another proposal is no approval.
    const data = join(home.folder, '.local/share/cardctl/journal')
    const other = await proposed('accounts patch 2001 --type credit --credit-limit 5600')
    await signed(other)
    for (const name of readdirSync(data).filter(name => name.endsWith('.db'))) {
      using db = new DatabaseSync(join(data, name))
      db.prepare('UPDATE request SET proposal = ? WHERE id = ?').run(other.id, last.id)
    }
    const forged = await run(`requests retry ${last.id} -p prod --yes`)
    expect(forged).toMatchObject({code: 3, stderr: expect.stringMatching(/needs an approval/)})
  })

  it('is asked for with the address that decides, and not with words of the proposer', async () => {
    const {path} = await proposed('accounts patch 2001 --type credit --credit-limit 5900')
    const {service: identity, ...kept} = JSON.parse(readFileSync(path, 'utf8'))
    const serviceWords = `${kept.serviceWords} the test sandbox of Aino`
    const {id, bytes} = encodeKept({...kept, service: identity, serviceWords})
    const own = join(folder, `${id}.json`)
    writeFileSync(own, bytes)
    const {stderr} = await desk.run([
      'requests',
      'sign',
      own,
      '--to',
      `${own}.signed`,
      '--confirm',
      id.slice(0, 10),
    ])
    expect(stderr).toContain(`${new URL(service.url).host} (as the proposal says)`)
    expect(stderr).not.toContain('test sandbox')
  })

  it('is made by a person, of a file that nobody changed', async () => {
    const proposal = await proposed('accounts patch 2001 --type credit --credit-limit 5300')
    const to = join(folder, 'never.json')
    const sign = ['requests', 'sign', proposal.path, '--to', to]
    const confirm = ['--confirm', proposal.id.slice(0, 10)]
    expect((await desk.run([...sign, ...confirm], {env: {CARDCTL_AGENT: 'x'}})).stderr).toMatch(/An agent/)
    expect((await desk.run([...sign, '--yes'])).stderr).toMatch(/CONFIRMATION_REQUIRED.*5.300/s)
    const copy = join(folder, `${proposal.id}.json`)
    writeFileSync(copy, readFileSync(proposal.path, 'utf8').replace('5300', '8300'))
    const changed = ['requests', 'sign', copy, '--to', to, ...confirm]
    expect((await desk.run(changed)).stderr).toMatch(/no proposal of this id/)
  })
})
