// docs/four-eyes.md: two users of one system, each with a home of their own, and a profile that wants a second person.
import {execFile, spawnSync} from 'node:child_process'
import {chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {BINARY} from '../helpers/binary.ts'
import {openService, type Service} from '../helpers/service.ts'

const GROUP = 65_100
const USERS = {aino: 65_101, bo: 65_102} as const
type User = keyof typeof USERS

/** Only root can act as other users, and they must be able to read the program. */
const canActAsOthers =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, [BINARY, '--version'], {uid: USERS.bo, gid: GROUP, env: {HOME: '/nonexistent'}})
    .status === 0

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

describe.skipIf(!canActAsOthers)('two users of one system', () => {
  let folder: string
  let proposals: string
  let service: Service
  beforeAll(async () => {
    service = await openService()
    folder = await mkdtemp('/tmp/cardctl-four-eyes-')
    await chmod(folder, 0o755)
    proposals = join(folder, 'proposals')
    await mkdir(proposals)
    await chown(proposals, 0, GROUP)
    await chmod(proposals, 0o3770)
    for (const [name, uid] of Object.entries(USERS)) {
      await mkdir(join(folder, name), {mode: 0o700})
      await chown(join(folder, name), uid, GROUP)
      await ok(name as User, profile(name))
    }
  })
  afterAll(async () => {
    await service.close()
    await rm(folder, {recursive: true, force: true})
  })

  const profile = (auditUser: string): string =>
    [
      `profiles add staging --kind test --base-url ${service.url} --profile-audit-user ${auditUser}`,
      `--second-person-for destroyed --second-person-for irreversible --second-person-for EUR:100`,
      `--proposals ${proposals}`,
    ].join(' ')

  const as = (user: User, line: string): Promise<Ended> =>
    new Promise(resolve => {
      execFile(
        process.execPath,
        [BINARY, ...line.split(' ')],
        {
          uid: USERS[user],
          gid: GROUP,
          cwd: join(folder, user),
          env: {HOME: join(folder, user), PATH: process.env.PATH, LANG: 'C.UTF-8'},
        },
        (error, stdout, stderr) => resolve({code: error === null ? 0 : Number(error.code), stdout, stderr}),
      )
    })
  const ok = async (user: User, line: string): Promise<Ended> => {
    const ended = await as(user, line)
    expect(ended).toMatchObject({code: 0})
    return ended
  }
  const json = async (user: User, line: string): Promise<Record<string, unknown>[]> =>
    JSON.parse((await ok(user, `${line} -o json`)).stdout) as Record<string, unknown>[]
  const proposed = async (line: string): Promise<string> => {
    const {stderr} = await ok('aino', `${line} --propose -p staging`)
    return /requests approve (p_[0-9a-f]{16})/.exec(stderr)?.[1] ?? ''
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
    expect(approval?.proposedBy).toMatch(/ \(aino\)$/)
    expect(write).toMatchObject({kind: 'write', ticket: 'T-1', auditUser: 'bo', key: approval?.key})
    const [made] = await json('aino', 'audit list --kind propose')
    expect(made).toMatchObject({proposal: id, resources: ['account:2001'], outcome: 'done'})
  })

  it('two approvals at the same time send once', async () => {
    const id = await proposed(CLOSE)
    const before = writes()
    const approve = () => as('bo', `requests approve ${id} --confirm ACCOUNT_TO_CLOSE --yes -p staging`)
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

  it('a secret is not proposed', async () => {
    const ended = await as('aino', 'cards payment-info 3001 --propose -p staging')
    expect(ended.code).toBe(2)
    expect((await readdir(proposals)).join()).not.toContain('3001')
  })

  it('what somebody else could have changed is not sent', async () => {
    const id = await proposed('pricelists delete 5002')
    const file = join(proposals, `${id}.json`)
    const approve = () => as('bo', `requests approve ${id} --yes --confirm 5003 -p staging`)
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('5002', '5003'))
    for (const [owner, mode] of [
      [USERS.bo, 0o640],
      [USERS.aino, 0o660],
    ] as const) {
      await chown(file, owner, GROUP)
      await chmod(file, mode)
      expect(await approve()).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('only its owner could write'),
      })
    }
    expect(await readdir(proposals)).not.toContain(`${id}.decision.json`)
    await rm(file)
  })

  it('a folder where colleagues can replace files is refused', async () => {
    await chmod(proposals, 0o2770)
    const ended = await as('aino', 'pricelists delete 5002 --propose -p staging')
    await chmod(proposals, 0o3770)
    expect(ended).toMatchObject({code: 3, stderr: expect.stringContaining(`chmod +t ${proposals}`)})
  })
})
