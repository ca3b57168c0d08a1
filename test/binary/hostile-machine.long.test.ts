// Whole runs on a machine that has no room, no rights, no home or no streams: a clear error, nothing damaged, and nothing
// sent that isn't written down.
import {spawnSync} from 'node:child_process'
import {readdir} from 'node:fs/promises'
import {describe, expect, onTestFinished, test, vi} from 'vitest'
import {bash, emptyHome, run, start, until} from '../helpers/binary.ts'
import {isWhole, part} from '../helpers/whole.ts'

// Each test runs the tool a dozen times.
vi.setConfig({testTimeout: 120_000})

const SANDBOX = {CARDCTL_PROFILE: 'sandbox'}
const WRITE = 'accounts patch 2001 --type credit -F creditLimit'

/** A service elsewhere: what goes wrong here doesn't touch it, and it counts what it was asked to do. */
async function service() {
  const {child, ended, stdout} = start(await emptyHome(), 'sandbox serve --memory -o ndjson'.split(' '))
  const {url} = JSON.parse(await until(() => stdout().split('\n', 1)[0] || undefined))
  const writes = () => stdout().match(/"operation":"accounts\.patchCredit/g)?.length ?? 0
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  return {env: {CARDCTL_BASE_URL: url}, writes}
}

/** The trail is whole, and the journal can be read. Gives how its requests ended. */
async function sound(home: string, env = {}): Promise<string[]> {
  expect(await run(home, ['audit', 'verify'], {env})).toMatchObject({code: 0})
  const {code, stdout} = await run(home, ['requests', 'list', '-o', 'json'], {env})
  expect(code).toBe(0)
  return JSON.parse(stdout).map(({state}: {state: string}) => state)
}

/** A file system, or a user, of one's own: what a user namespace gives without any rights. */
const alone = (home: string, flags: string, script: string, env: Record<string, string> = SANDBOX) =>
  bash(home, `export -f cardctl; unshare ${flags} bash -c "$SCRIPT"`, {...env, SCRIPT: script})

const inShell = (line: string) => spawnSync('bash', ['-c', line]).status === 0
const canMount = inShell('unshare -rm bash -c "mount -t tmpfs -o size=64k tmpfs /tmp"')
const canBeNobody = inShell('unshare --map-user=54321 true')

/** Runs lines, and says of each how it ended and what it said on stderr, in one line. */
const TOLD = 'told() { said=$("$@" 2>&1 >/dev/null); echo "$? "$said; }'

describe.skipIf(!inShell('ulimit -f 4'))('files that may not grow', () => {
  test('end a write before it is sent, or leave it sent once, wherever the limit strikes', async () => {
    const home = await emptyHome()
    const {env: there, writes} = await service()
    // The runtime writes its cache when nobody listens to signals any more, and dies of the limit.
    const env = {...there, NODE_DISABLE_COMPILE_CACHE: '1'}
    let done = 0
    // KiB; the journal's shared memory takes 32, the journal itself about 64.
    for (const limit of part([2, 16, 33, 48, 64, 96, 128, 256], 2, 1)) {
      const {code, stderr} = await bash(home, `ulimit -f ${limit}; cardctl ${WRITE}=${7000 + limit}`, env)
      if (code === 0) done++
      else {
        expect({limit, code}).toEqual({limit, code: 3})
        expect(stderr).toMatch(
          /Error (STORE_UNAVAILABLE|CONFIG_UNREADABLE|DISK_FULL): .*\.(db|head|key|ndjson)/,
        )
        expect(stderr).toMatch(/limit on file sizes is reached[\s\S]*ulimit -f/)
      }
      expect(stderr).not.toMatch(/^\s+at /m)
      // The service says so on its own stdout, which may come later.
      await expect.poll(writes).toBe(done)
    }
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThan(isWhole ? 8 : 4)
    expect((await sound(home, env)).filter(state => state === 'done')).toHaveLength(done)
  })
})

describe.skipIf(!inShell('ulimit -f 0'))('a disk that takes no writes', () => {
  test('is what doctor says of it, whatever the modes of the folder promise', async () => {
    const home = await emptyHome()
    const {env} = await service()
    await bash(home, `cardctl ${WRITE}=7001`, env)
    const {code, stdout} = await bash(home, 'ulimit -f 0; cardctl doctor -o json', env)
    const {checks} = JSON.parse(stdout) as {checks: readonly {id: string; message: string; advice: string}[]}
    expect(code).toBe(3)
    expect(checks.find(({id}) => id === 'folder.data')).toMatchObject({
      state: 'problem',
      message: expect.stringMatching(/cannot be written: the limit on file sizes is reached$/),
      advice: expect.stringContaining('ulimit -f unlimited'),
    })
  })
})

describe.skipIf(!canMount)('a full disk', () => {
  test('is reported by every command that needs space, and does no lasting harm', async () => {
    const home = await emptyHome()
    const script = `
      ${TOLD}
      mount -t tmpfs -o size=3m tmpfs "$HOME" && cd "$HOME" || exit 99
      cardctl ${WRITE}=6000 -q
      head -c 4m /dev/zero > fill 2>/dev/null
      for line in "cards get 3001" "${WRITE}=7000" "cards payment-info 3001" "sandbox reset --yes" \
        "a2a create --transfer 2006:2007:1:EUR --yes" "requests list" "audit list" "bulk list" \
        "profiles add full --kind test --base-url https://api.example --auth none"
      do told cardctl $line; done
      export TMPDIR=$HOME; told cardctl tour; unset TMPDIR
      rm fill
      echo -- $(cardctl sandbox state show account 2001 --query '[creditLimit, effects]' -o json)
      echo -- $(cardctl audit verify --query '[ok, lines]' -o json)
      echo -- $(cardctl requests list --query '[].state' -o json)
      cardctl ${WRITE}=8000 -q`
    const {code, stdout} = await alone(home, '-rm', script)
    expect(code).toBe(0)
    const [, ...lines] = stdout.trimEnd().split('\n')
    const told = lines.filter(line => /^\d/.test(line))
    expect(told).toHaveLength(10)
    for (const line of told) expect(line).toMatch(/^3 .*Error DISK_FULL: The disk of \S+ is full/)
    expect(lines.filter(line => line.startsWith('--'))).toEqual([
      '-- [ 6000, 1 ]',
      '-- [ true, 1 ]',
      '-- [ "done" ]',
    ])
    expect(lines.slice(-2)).toEqual([
      'Account 2001 updated',
      ' creditLimit  8\u202f000 (last sent from here: 6\u202f000)',
    ])
  })
})

describe.skipIf(!canMount)('a home that can only be read', () => {
  const READ_ONLY = 'mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro "$HOME" || exit 99'

  test('allows reads; a write that cannot be recorded is not sent', async () => {
    const home = await emptyHome()
    const {env, writes} = await service()
    const script = `${TOLD}; ${READ_ONLY}
      for line in "cards get 3001" whoami "profiles list" "cards get --help" "${WRITE}=7000 --dry-run" tour
      do told cardctl $line; done
      for line in "${WRITE}=7000" "cards payment-info 3001" "pin view 3001" "requests list" "audit list" \
        "profiles use sandbox"
      do told cardctl $line; done
      CARDCTL_BASE_URL= told cardctl cards get 3001`
    const {stdout} = await alone(home, '-rm', script, env)
    const codes = stdout.match(/^\d+/gm)
    expect(codes).toEqual([...Array(6).fill('0'), ...Array(7).fill('3')])
    expect(stdout.match(/the file system is read-only/g)).toHaveLength(7)
    // The service says so on its own stdout, which may come later.
    await expect.poll(writes).toBe(0)
    expect(await readdir(home)).toEqual([])
  })
})

describe('no home', () => {
  test('that is empty is reported, and creates no folder in the current one', async () => {
    const home = await emptyHome()
    const {code, stderr} = await run(home, ['cards', 'get', '3001'], {env: {...SANDBOX, HOME: ''}})
    expect(code).toBe(3)
    expect(stderr).toMatch(/no home folder[\s\S]*Set HOME/)
    expect(await readdir(home)).toEqual([])
  })

  test.skipIf(!canBeNobody)('works for a user without a name', async () => {
    const home = await emptyHome()
    const script = `${TOLD}; FOLDER=$HOME; unset HOME
      told cardctl --version
      told cardctl cards get 3001
      export CARDCTL_CONFIG_DIR=$FOLDER/config CARDCTL_DATA_DIR=$FOLDER/data
      told cardctl cards get 3001
      told cardctl ${WRITE}=6000 -q`
    const {stdout} = await alone(home, '--map-user=54321', script)
    expect(stdout.split('\n')).toEqual([
      '0 ',
      expect.stringMatching(/^3 sandbox \(embedded\) Error CONFIG_UNREADABLE: There is no home folder/),
      '0 sandbox (embedded)',
      '0 ',
      '',
    ])
  })
})

test('closed streams do not prevent a write, and no file takes their number', async () => {
  const home = await emptyHome()
  const ended = async (line: string) => (await bash(home, `cardctl ${line}`, SANDBOX)).code
  const write = (limit: number) => `${WRITE}=${limit} -o json`
  expect(await ended(`${write(6001)} <&-`)).toBe(0)
  // The write is carried out, and its result could not be shown.
  expect(await ended(`${write(6002)} >&-`)).toBe(3)
  expect(await ended(`${write(6003)} 2>&-`)).toBe(0)
  expect(await ended(`${write(6004)} <&- >&- 2>&-`)).toBe(3)
  expect(await ended('cards get 9999 <&- >&- 2>&-')).toBe(5)
  expect(await ended('cards get <&-')).toBe(2)
  expect(await ended('pin set 3004 <&-')).toBe(2)
  expect(await ended('a2a create --from - --yes <&-')).toBe(2)
  const account = await run(home, 'sandbox state show account 2001 -o json'.split(' '), {env: SANDBOX})
  expect(JSON.parse(account.stdout)).toMatchObject({creditLimit: 6004, effects: 4})
  expect(await sound(home, SANDBOX)).toEqual(['done', 'done', 'done', 'done'])
})
