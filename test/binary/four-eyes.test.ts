// docs/four-eyes.md: users of one system, each with a home of their own, and profiles that want a second person.
import {type ChildProcess, execFile, fork, spawn, spawnSync} from 'node:child_process'
import {hash} from 'node:crypto'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {BINARY} from '../helpers/binary.ts'
import {openService, type Service} from '../helpers/service.ts'
import {isWhole} from '../helpers/whole.ts'
import {SENTENCES, sentencesOf} from './four-eyes-promises.ts'

const GROUP = 65_100
/** Cai is in the group, as a second user id of Aino's would be, and not in root's list. */
const USERS = {aino: 65_101, bo: 65_102, cai: 65_103} as const
type User = keyof typeof USERS

it('every sentence of the page names the test that shows it', async () => {
  const text = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8')
  const page = await text('../../docs/four-eyes.md')
  const tests = `${await text(import.meta.url)}${await text('../cli/proposals.test.ts')}${await text('../commands/imported-proposals.test.ts')}${await text('../commands/second-person.test.ts')}${await text('../commands/signed-approvals.test.ts')}`
  const sentences = sentencesOf(page)
  const begins = SENTENCES.map(([words]) => words)
  expect(sentences.map((sentence, at) => sentence.slice(0, begins[at]?.length))).toEqual(begins)
  for (const [, test] of SENTENCES) if (test !== undefined) expect(tests).toContain(`'${test}'`)
})

/** Only root can act as other users, and they must be able to read the program. */
const canActAsOthers =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, [BINARY, '--version'], {uid: USERS.bo, gid: GROUP, env: {HOME: '/nonexistent'}})
    .status === 0

const SHELL = fileURLToPath(new URL('user-shell.ts', import.meta.url))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

describe.skipIf(!canActAsOthers)('two users of one system', {timeout: 120_000}, () => {
  let folder: string
  let proposals: string
  let service: Service
  let live: Service
  beforeAll(async () => {
    service = await openService()
    folder = await mkdtemp('/tmp/cardctl-four-eyes-')
    await chmod(folder, 0o755)
    proposals = join(folder, 'proposals')
    await mkdir(proposals)
    await chown(proposals, 0, GROUP)
    await chmod(proposals, 0o3770)
    await writeFile(join(proposals, 'members'), `${USERS.aino} aino\n${USERS.bo} bo\n`, {mode: 0o644})
    live = await openService()
    for (const [name, uid] of Object.entries(USERS)) {
      await mkdir(join(folder, name), {mode: 0o700})
      await chown(join(folder, name), uid, GROUP)
      await ok(name as User, profile(name))
      await ok(name as User, profile(name, {name: 'prod', kind: 'live', url: live.url}))
    }
  })
  afterAll(async () => {
    for (const shell of shells.values()) shell.disconnect()
    await service.close()
    await live.close()
    await rm(folder, {recursive: true, force: true})
  })

  const profile = (
    auditUser: string,
    {name, kind, url} = {name: 'staging', kind: 'test', url: service.url},
  ): string =>
    [
      `profiles add ${name} --kind ${kind} --base-url ${url} --profile-audit-user ${auditUser}`,
      `--second-person-for destroyed --second-person-for irreversible --second-person-for EUR:100`,
      `--proposals ${proposals}`,
    ].join(' ')

  const theirs = (user: User) => ({
    uid: USERS[user],
    gid: GROUP,
    cwd: join(folder, user),
    env: {HOME: join(folder, user), PATH: process.env.PATH, LANG: 'C.UTF-8'},
  })
  /** One process of each user runs their lines; a start for each would take ten times as long. */
  const shells = new Map<User, ChildProcess>()
  const shellOf = (user: User): ChildProcess => {
    const {NODE_COMPILE_CACHE} = process.env
    const env = {...theirs(user).env, NODE_COMPILE_CACHE}
    const shell = shells.get(user) ?? fork(SHELL, [], {...theirs(user), env})
    shells.set(user, shell)
    return shell
  }
  const as = async (user: User, line: string, env: Record<string, string> = {}): Promise<Ended> => {
    const shell = shellOf(user)
    shell.send({argv: line.split(' '), env})
    const [ended] = (await once(shell, 'message')) as [Ended]
    return ended
  }
  /** A process of its own. */
  const alone = (user: User, line: string): Promise<Ended> =>
    ended([process.execPath, BINARY, ...line.split(' ')], user)
  const ended = ([file = '', ...argv]: readonly string[], user: User): Promise<Ended> =>
    new Promise(resolve => {
      execFile(file, argv, theirs(user), (error, stdout, stderr) =>
        resolve({code: error === null ? 0 : Number(error.code), stdout, stderr}),
      )
    })
  const ok = async (user: User, line: string): Promise<Ended> => {
    const ended = await as(user, line)
    expect(ended).toMatchObject({code: 0})
    return ended
  }
  const json = async (user: User, line: string): Promise<Record<string, unknown>[]> =>
    JSON.parse((await ok(user, `${line} -o json`)).stdout) as Record<string, unknown>[]
  const proposed = async (line: string, profile = 'staging'): Promise<string> => {
    const {stderr} = await ok('aino', `${line} --propose -p ${profile}`)
    return /requests approve (p_[0-9a-f]{40})/.exec(stderr)?.[1] ?? ''
  }
  const writes = (): number => service.requests.filter(({method}) => method !== 'GET').length
  const CLOSE = 'accounts patch 2001 --type credit --status ACCOUNT_TO_CLOSE'

  it('nobody closes an account alone, and a colleague does it as themselves', async () => {
    const alone = await as('aino', `${CLOSE} --confirm ACCOUNT_TO_CLOSE -p staging`)
    expect(alone).toMatchObject({code: 3, stderr: expect.stringContaining('wants a second person')})
    const id = await proposed(`${CLOSE} --ticket T-1`)
    const approve = (flags: string) => as('bo', `requests approve ${id} ${flags} -p staging`)
    const own = await as('aino', `requests approve ${id} --confirm ACCOUNT_TO_CLOSE --yes -p staging`)
    expect(own).toMatchObject({code: 3, stderr: expect.stringContaining('the same user of this system')})
    expect((await ok('bo', 'requests proposals -p staging')).stdout).toContain(id)
    expect((await approve('--yes')).stderr).toContain('--confirm ACCOUNT_TO_CLOSE')
    expect(writes()).toBe(0)
    expect(await approve('--confirm ACCOUNT_TO_CLOSE --yes')).toMatchObject({code: 0})
    const again = await approve('--confirm ACCOUNT_TO_CLOSE --yes')
    expect(again).toMatchObject({code: 2, stderr: expect.stringContaining('was approved by')})
    expect(writes()).toBe(1)
    expect((await ok('bo', 'requests proposals -p staging')).stdout).not.toContain(id)

    const [write, approval] = await json('bo', 'audit list')
    expect(approval).toMatchObject({kind: 'approve', proposal: id, ticket: 'T-1'})
    expect(approval?.proposedBy).toBe(`uid-${USERS.aino} (user id ${USERS.aino})`)
    expect(write).toMatchObject({kind: 'write', ticket: 'T-1', auditUser: 'bo', key: approval?.key})
    const [made] = await json('aino', 'audit list --kind propose')
    expect(made).toMatchObject({proposal: id, resources: ['account:2001'], outcome: 'done'})
  })

  it('two approvals at the same time send once', async () => {
    const id = await proposed(CLOSE)
    const before = writes()
    const approve = () => alone('bo', `requests approve ${id} --confirm ACCOUNT_TO_CLOSE --yes -p staging`)
    const ends = await Promise.all([approve(), approve(), approve()])
    expect(ends.map(({code}) => code).sort()).toEqual([0, 2, 2])
    expect(writes() - before).toBe(1)
  })

  it('the same audit user is no second person', async () => {
    const id = await proposed('pricelists delete 5002')
    const approve = `requests approve ${id} --yes --confirm 5002 -p staging --audit-user Aino`
    expect(await as('bo', approve)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the same audit user, Aino'),
    })
  })

  it('a rejected or withdrawn proposal is never sent', async () => {
    const before = writes()
    for (const user of ['bo', 'aino'] as const) {
      const id = await proposed('pricelists delete 5002')
      await ok(user, `requests reject ${id} --reason Wrong -p staging`)
      const approve = await as('bo', `requests approve ${id} --yes --confirm 5002 -p staging`)
      expect(approve).toMatchObject({code: 2, stderr: expect.stringContaining('was rejected by')})
    }
    expect(writes()).toBe(before)
  })

  it('transfers above the limit wait, those below it go out', async () => {
    await ok('aino', 'a2a create --transfer 2006:2007:100:EUR --yes -p staging')
    // Commands below the limit are not added up.
    await ok('aino', 'a2a create --transfer 2006:2007:99:EUR --yes -p staging')
    await writeFile(
      join(folder, 'aino/failed.csv'),
      'from,to,amount,currency,reason\n2006,2007,100.03,EUR,CLOSED\n',
    )
    await proposed('a2a create --from failed.csv')
    const more = 'a2a create --transfer 2006:2007:60:EUR --transfer 2006:2007:40.01:EUR --batch-size 1'
    const alone = await as('aino', `${more} --yes -p staging`)
    expect(alone).toMatchObject({code: 3, stderr: expect.stringContaining('EUR 100.01 is more than 100')})
    const usd = await as('aino', 'a2a create --transfer 2006:2007:1:USD --yes -p staging')
    expect(usd.stderr).toContain('there is no limit for transfers in USD')
    const id = await proposed(more)
    const before = writes()
    expect(await json('bo', `requests approve ${id} --yes -p staging`)).toHaveLength(2)
    expect(writes() - before).toBe(2)
    const single = await proposed('a2a create --transfer 2006:2007:100.02:EUR')
    expect(await json('bo', `requests approve ${single} --yes -p staging`)).toHaveLength(1)
  })

  it('rows that are the same are agreed to by both', async () => {
    const twice = 'a2a create --transfer 2006:2007:70:EUR --transfer 2006:2007:70.00:EUR'
    const unsaid = await as('aino', `${twice} --propose -p staging`)
    expect(unsaid).toMatchObject({code: 2, stderr: expect.stringContaining('--same-rows 1')})
    const id = await proposed(`${twice} --same-rows 1`)
    const before = writes()
    const approve = `requests approve ${id} --yes -p staging`
    expect(await as('bo', approve)).toMatchObject({code: 2, stderr: expect.stringContaining('--same-rows 1')})
    expect(writes()).toBe(before)
    expect(await json('bo', `${approve} --same-rows 1`)).toHaveLength(1)
  })

  it.each([
    ['bulk run accounts patch --type credit --from rows.csv --confirm ACCOUNT_TO_CLOSE:1 --yes', 2],
    ['api PATCH /v4/CREDIT/2001 -F status=ACCOUNT_TO_CLOSE --confirm ACCOUNT_TO_CLOSE', 3],
    ['api DELETE /v1/5002 --group pricelists --confirm 5002 --yes', 3],
  ])('no other way leads around it: %s', async (line, code) => {
    await writeFile(
      join(folder, 'aino', 'rows.csv'),
      'id,status\n2002,ACCOUNT_BLOCKED\n2001,ACCOUNT_TO_CLOSE\n',
    )
    const before = writes()
    const ended = await as('aino', `${line} -p staging`)
    expect(ended.stderr + ended.stdout).toContain('second person')
    expect(ended.code).toBe(code)
    expect(writes()).toBe(before)
  })

  it('a secret is not proposed, nor a header', async () => {
    const header = 'api PATCH /v4/CREDIT/2001 -F status=ACCOUNT_TO_CLOSE -H x-trace:1 --propose -p staging'
    expect(await as('aino', header)).toMatchObject({code: 2, stderr: expect.stringContaining('--header')})
    const ended = await as('aino', 'cards payment-info 3001 --propose -p staging')
    expect(ended.code).toBe(2)
    expect((await readdir(proposals)).join()).not.toContain('3001')
  })

  const APPROVE = '--confirm ACCOUNT_TO_CLOSE --yes -p staging'
  const decisionOf = (id: string): string => join(proposals, `${id}.decision.json`)

  it('a deletion is approved', async () => {
    const id = await proposed('pricelists delete 5002')
    const before = writes()
    await ok('bo', `requests approve ${id} --yes --confirm 5002 -p staging`)
    expect(service.requests.at(-1)).toMatchObject({method: 'DELETE', url: expect.stringContaining('/5002')})
    expect(writes() - before).toBe(1)
  })

  it('the id is the digest of the file, and an edited file no longer has it', async () => {
    const id = await proposed(CLOSE)
    const file = join(proposals, `${id}.json`)
    const content = await readFile(file)
    expect(`p_${hash('sha256', content).slice(0, 40)}`).toBe(id)
    // With a name that it claims and a longer life, as its owner can write it.
    for (const [from, to] of [
      ['2001', '2002'],
      ['"auditUser": "aino"', '"auditUser": "boss"'],
      ['"expiresAt": "20', '"expiresAt": "21'],
    ] as const) {
      await writeFile(file, content.toString().replace(from, to))
      const before = writes()
      expect(await as('bo', `requests approve ${id} ${APPROVE}`)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('it was changed'),
      })
      expect(writes()).toBe(before)
    }
    expect(await readdir(proposals)).not.toContain(`${id}.decision.json`)
    const list = await as('bo', 'requests proposals -p staging')
    expect(list).toMatchObject({code: 0, stderr: expect.stringContaining(file)})
    await rm(file)
  })

  it('who proposed it is the owner of the file, whatever it says', async () => {
    const id = await proposed(CLOSE)
    const shown = (await json('bo', 'requests proposals -p staging')).find(one => one.id === id)
    expect(shown?.by).toEqual({uid: USERS.aino, osUser: `uid-${USERS.aino}`, auditUser: 'aino'})
    await chown(join(proposals, `${id}.json`), USERS.bo, GROUP)
    expect(await as('bo', `requests approve ${id} ${APPROVE} --audit-user bob`)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the same user of this system'),
    })
  })

  it.each([
    ['the file of the decision', async (id: string) => rm(decisionOf(id)), 'as your audit trail has it'],
    [
      'that file and the audit trail',
      async (id: string) => {
        await rm(decisionOf(id))
        const data = join(folder, 'bo/.local/share/cardctl')
        for (const name of await readdir(data)) if (name.startsWith('audit')) await rm(join(data, name))
      },
      'as your journal has it',
    ],
  ])('an approval sends once, also after somebody removed %s', async (_, remove, words) => {
    const id = await proposed(CLOSE)
    await ok('bo', `requests approve ${id} ${APPROVE}`)
    const before = writes()
    await remove(id)
    expect(await as('bo', `requests approve ${id} ${APPROVE}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words),
    })
    expect(writes()).toBe(before)
  })

  it('an approval sends once, also with another data folder', async () => {
    const id = await proposed('a2a create --transfer 2006:2007:300:EUR --again')
    await ok('bo', `requests approve ${id} --yes -p staging`)
    const before = writes()
    const other = {CARDCTL_DATA_DIR: join(folder, 'bo/other')}
    expect(await as('bo', `requests approve ${id} --yes -p staging`, other)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was approved by'),
    })
    expect(writes()).toBe(before)
  })

  it.runIf(isWhole)(
    'two approvals at the same time send once, also where the decision is removed again and again',
    async () => {
      const id = await proposed('a2a create --transfer 2006:2007:301:EUR --again')
      const before = writes()
      let ended = false
      const remover = (async () => {
        while (!ended) {
          await rm(decisionOf(id), {force: true})
          await new Promise(resolve => setImmediate(resolve))
        }
      })()
      await Promise.all([1, 2, 3].map(() => alone('bo', `requests approve ${id} --yes -p staging`)))
      ended = true
      await remover
      expect(writes() - before).toBeLessThanOrEqual(1)
    },
  )

  it('the approver sees --again, what was sent before, the sums and as whom they send', async () => {
    await proposed('a2a create --transfer 2006:2007:302:EUR').then(id =>
      ok('bo', `requests approve ${id} --yes -p staging`),
    )
    const id = await proposed('a2a create --transfer 2006:2007:302:EUR --again')
    const {stderr} = await ok('bo', `requests approve ${id} --yes -p staging`)
    expect(stderr).toContain('EUR 302.00')
    expect(stderr).toContain('(--again)')
    expect(stderr).toMatch(/sent .*ago|was sent|were sent/)
    expect(stderr).toMatch(/Sent as\s+bo/)
  })

  it('a file that somebody else could have changed, or that was planted, does not count', async () => {
    const id = await proposed(CLOSE)
    const file = join(proposals, `${id}.json`)
    const refused = async (words: string) => {
      const before = writes()
      const ended = await as('bo', `requests approve ${id} ${APPROVE}`)
      expect(ended).toMatchObject({code: 3, stderr: expect.stringContaining(words)})
      expect(writes()).toBe(before)
    }
    await chmod(file, 0o660)
    await refused('others than its owner')
    await chmod(file, 0o640)
    await chown(file, USERS.cai, GROUP)
    await refused(`is not in ${proposals}/members`)
    await chown(file, USERS.aino, GROUP)
    await link(file, join(folder, 'aino/second'))
    await refused('another name')
    await rename(file, join(folder, 'aino/first'))
    await symlink(join(folder, 'aino/first'), file)
    await refused('it is a link')
    await rm(file)
    expect(await readdir(proposals)).not.toContain(`${id}.decision.json`)
  })

  it('who is not in the list neither proposes nor decides', async () => {
    const id = await proposed(CLOSE)
    for (const line of [
      `${CLOSE} --propose`,
      `requests approve ${id}`,
      `requests reject ${id}`,
      'requests proposals',
    ])
      expect(await as('cai', `${line} -p staging`)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(`You (user id ${USERS.cai}) are not in`),
      })
  })

  it('a live profile takes only a folder that root keeps', async () => {
    const members = join(proposals, 'members')
    const refused = async (words: string) =>
      expect(await as('aino', 'pricelists delete 5002 --propose -p prod')).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(words),
      })
    const list = await readFile(members)
    await rm(members)
    await refused('members is missing')
    // Elsewhere one is told.
    const {stderr} = await ok('aino', 'requests proposals -p staging')
    expect(stderr).toContain('can act as two')
    await writeFile(members, list, {mode: 0o644})
    await chown(members, USERS.aino, GROUP)
    await refused('must belong to root')
    await chown(members, 0, 0)
    await chown(proposals, USERS.aino, GROUP)
    await refused('does not belong to root')
    await chown(proposals, 0, GROUP)
    await chmod(proposals, 0o3777)
    await refused('Everybody can write')
    await chmod(proposals, 0o3770)
    const id = await proposed('pricelists delete 5002', 'prod')
    await ok('bo', `requests approve ${id} --confirm 5002 --yes -p prod`)
    expect(live.requests.filter(({method}) => method === 'DELETE')).toHaveLength(1)
  })

  it('the service is asked about its batches before transfers are approved', async () => {
    const id = await proposed('a2a create --transfer 2006:2007:400:EUR:Rent', 'prod')
    const body = {
      transfers: [{fromAccountId: '2006', toAccountId: '2007', amount: 400, currency: 'EUR', text: 'Rent'}],
    }
    const post = (): Promise<Response> =>
      fetch(`${live.url}/v1/a2a/batches?auditUser=other`, {
        method: 'POST',
        headers: {'content-type': 'application/json'},
        body: JSON.stringify({...body, description: descriptionOf()}),
      })
    const descriptionOf = (): string =>
      JSON.parse(readFileSync(join(proposals, `${id}.json`), 'utf8')).requests[0].input.body.description
    expect((await post()).ok).toBe(true)
    const batches = () => live.requests.filter(({method}) => method === 'POST').length
    const before = batches()
    const agreed = '--confirm-count 1 --confirm-total EUR:400 -p prod'
    expect(await as('bo', `requests approve ${id} ${agreed}`)).toMatchObject({
      code: 14,
      stderr: expect.stringContaining('sent from elsewhere'),
    })
    expect(batches()).toBe(before)
  })

  const fault = async (planted: object): Promise<void> => {
    const headers = {'content-type': 'application/json'}
    const init = {method: 'POST', headers, body: JSON.stringify(planted)}
    expect((await fetch(`${service.url}/_sandbox/faults`, init)).ok).toBe(true)
  }

  it('a proposal whose approval was killed counts as approved', async () => {
    const id = await proposed(CLOSE)
    await fault({operation: 'accounts.patchCredit.v4', delayMs: 5000, count: 1})
    const before = writes()
    const child = spawn(process.execPath, [BINARY, ...`requests approve ${id} ${APPROVE}`.split(' ')], {
      ...theirs('bo'),
      stdio: 'ignore',
    })
    await expect.poll(writes).toBe(before + 1)
    child.kill('SIGKILL')
    await new Promise(resolve => child.once('exit', resolve))
    expect(await as('bo', `requests approve ${id} ${APPROVE}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was approved by'),
    })
    const [newest] = await json('bo', 'requests list -p staging')
    expect(newest).toMatchObject({state: 'unfinished', proposal: id})
    expect(writes()).toBe(before + 1)
  })

  it.runIf(isWhole)('without decision, trail and journal only the service can tell', async () => {
    const again = async (line: string, flags: string, name: string): Promise<Ended> => {
      const id = await proposed(line)
      await ok('bo', `requests approve ${id} ${flags}`)
      await rm(decisionOf(id))
      return as('bo', `requests approve ${id} ${flags} -o json`, {CARDCTL_DATA_DIR: join(folder, 'bo', name)})
    }
    const honoured = await again(CLOSE, APPROVE, 'other-1')
    expect(honoured).toMatchObject({code: 0, stderr: expect.stringMatching(/replay|stored/)})
    const line = 'a2a create --transfer 2006:2007:501:EUR --again'
    expect(await again(line, '--yes -p staging', 'other-2')).toMatchObject({code: 0})
    const list = await json('bo', 'a2a list --all -p staging')
    const marks = list.map(({description}) => /ref:[a-z]{20}/.exec(String(description))?.[0])
    expect(marks[0]).toMatch(/^ref:/)
    expect(marks.filter(one => one === marks[0])).toHaveLength(2)
  })

  const canUnshare = spawnSync('unshare', ['-U', '-r', 'true'], {uid: USERS.aino, gid: GROUP}).status === 0

  it.runIf(isWhole && canUnshare)('a user namespace makes nobody a second person', async () => {
    const unshared = (line: string): Promise<Ended> =>
      ended(['unshare', '-U', '-r', process.execPath, BINARY, ...line.split(' ')], 'aino')
    const id = await proposed('pricelists delete 5002', 'prod')
    const before = live.requests.filter(({method}) => method !== 'GET').length
    for (const line of [
      `requests approve ${id} --confirm 5002 --yes --audit-user bob`,
      `requests reject ${id}`,
      'pricelists delete 5002 --propose --audit-user bob',
    ])
      expect(await unshared(`${line} -p prod`)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('does not belong to root'),
      })
    expect(live.requests.filter(({method}) => method !== 'GET')).toHaveLength(before)
    // Elsewhere, where any folder will do, it is still the same user.
    const other = await proposed(CLOSE)
    expect(await unshared(`requests approve ${other} ${APPROVE} --audit-user bob`)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the same user of this system'),
    })
    expect(await readdir(proposals)).not.toContain(`${other}.decision.json`)
  })

  it('what gets past it: another profile, base URL or folder of settings', async () => {
    const alone =
      'accounts patch 2002 --type credit --status ACCOUNT_TO_CLOSE --confirm ACCOUNT_TO_CLOSE --yes'
    const before = writes()
    const other = {CARDCTL_CONFIG_DIR: join(folder, 'aino/other'), CARDCTL_BASE_URL: service.url}
    await as('aino', `${alone} --audit-user aino`, other)
    expect(writes() - before).toBe(1)
  })

  it('who lacks the rights of the group is told so, and not that the file is wrong', async () => {
    const id = await proposed(CLOSE)
    await chown(join(proposals, `${id}.json`), USERS.aino, 0)
    const ended = await as('bo', `requests show ${id} -p staging`)
    expect(ended).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`may not read ${proposals}/${id}.json`),
    })
    expect(ended.stderr).toContain('only its owner and the group root may. It belongs to')
    expect(ended.stderr).toContain('usermod -aG root')
    expect(ended.stderr).not.toContain('if it is not yours')
    expect((await ok('bo', 'requests proposals -p staging')).stderr).toContain('may not read')
    await rm(join(proposals, `${id}.json`))
  })

  it('a folder where colleagues can replace files is refused', async () => {
    await chmod(proposals, 0o2770)
    const ended = await as('aino', 'pricelists delete 5002 --propose -p staging')
    await chmod(proposals, 0o3770)
    expect(ended).toMatchObject({code: 3, stderr: expect.stringContaining(`chmod +t ${proposals}`)})
  })
})
