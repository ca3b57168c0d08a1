// A clock that goes wrong and right again: nothing goes out twice and nothing is lost by it.
import {rmSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import type {PlainResponse} from '../../src/sandbox/index.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {isWhole} from '../helpers/whole.ts'
import {withoutDemo} from '../sandbox/helpers/without-demo.ts'
import {exchangeOf, NOON, recordInto} from '../webhook/recordings.ts'

const DAY = 86_400_000
const HOUR = DAY / 24
const YEAR = 365 * DAY
/** How wrong the clock goes. */
const JUMPS = [-10 * YEAR, -YEAR, -100 * DAY, -8 * DAY, -DAY, 3 * DAY, 8 * DAY, 100 * DAY, YEAR, 10 * YEAR]
const inDays = (ms: number): string => `${ms / DAY} days`
const jumps = JUMPS.map(jump => [inDays(jump), jump] as const)

let turn = 0
/** At each use the next jump, now back, now forward: one command has all of them, the others together. */
function nextJump(): typeof jumps {
  if (isWhole) return jumps
  const at = (turn++ * 3) % jumps.length
  return jumps.filter((_, number) => number === at)
}

const RENT = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:rent', '--yes']
const PATCH = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=4321']
const SURE = '--clock-is-right'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const at = (jump: number, more: RunOptions = {}): RunOptions => ({now: () => Date.now() + jump, ...more})
const transfers = async () => withoutDemo(await home.json<{id: string}[]>(['a2a', 'list', '--all'])).length
const ids = async () => (await home.json<{id: string}[]>(['requests', 'list'])).map(({id}) => id)
let calls = 0
const callAt = (time: number) => exchangeOf(++calls, {}, time - NOON)
const data = (...names: string[]) => join(home.folder, '.local/share/cardctl', ...names)

describe('the same transfers', () => {
  test.each(jumps)('are stopped after a time with the clock wrong by %s', async (_name, jump) => {
    expect((await home.run(RENT)).code).toBe(0)
    for (let count = 0; count < 3; count++) expect((await home.run(PATCH, at(jump))).code).toBe(0)
    expect(await home.run(RENT), 'the clock is right again').toMatchObject({code: 14})
    expect(await home.run(RENT, at(jump)), 'it is wrong').toMatchObject({code: 14})
    expect(await transfers()).toBe(1)
  })

  test.each(nextJump())('are stopped if they were sent with the clock wrong by %s', async (_name, jump) => {
    await home.run(PATCH)
    expect((await home.run(RENT, at(jump))).code).toBe(0)
    expect((await home.run(RENT, at(jump))).code).toBe(14)
    expect((await home.run(RENT)).code).toBe(14)
    expect((await home.run([...RENT, SURE])).code, 'who trusts the clock now did not then').toBe(14)
    expect(await transfers()).toBe(1)
  })

  test.each(nextJump())(
    'are stopped on a new machine that began with the clock wrong by %s',
    async (_name, jump) => {
      expect((await home.run(RENT, at(jump))).code).toBe(0)
      expect((await home.run(RENT)).code).toBe(14)
    },
  )

  test('go out again after 7 days, as the next rent: a person says that the clock is right', async () => {
    await home.run(RENT)
    const stopped = await home.run(RENT, at(30 * DAY))
    expect(stopped).toMatchObject({code: 14, stderr: expect.stringContaining(SURE)})
    expect((await home.run([...RENT, SURE], at(30 * DAY))).code).toBe(0)
    expect((await home.run(RENT, at(30 * DAY))).code).toBe(14)
    expect((await home.run(RENT, at(31 * DAY))).code).toBe(14)
    expect(await transfers()).toBe(2)
  })
})

describe('the audit trail', () => {
  test('stops the same transfers where the journal has lost them', async () => {
    await home.run(RENT)
    const db = new DatabaseSync(data('journal/sandbox.db'))
    db.exec('DELETE FROM request')
    db.close()
    const {code, stderr} = await home.run(RENT)
    expect([code, stderr]).toEqual([14, expect.stringMatching(/batch 88\d+ \(request r_/)])
    const mixed = [...RENT, '--transfer', '2006:2007:1.00:EUR:other']
    expect((await home.run(mixed)).stderr).toContain('1 of these 2 transfers was sent already: row 1')
    expect((await home.run(RENT, at(8 * DAY))).code).toBe(14)
    expect((await home.run([...RENT, SURE], at(8 * DAY))).code, 'the next rent').toBe(0)
    expect((await home.run(['audit', 'verify'])).code).toBe(0)
  })

  test('has a digest of each transfer, which says nothing about it and differs between services', async () => {
    const service = await openService()
    await home.json(['profiles', 'add', 'other', '--kind', 'sandbox', '--base-url', service.url])
    await home.run([...RENT, '--transfer', '2006:2007:1.00:EUR:other'])
    await home.run([...RENT, '-p', 'other'])
    await service.close()
    const lines = (await readFile(data('audit.ndjson'), 'utf8')).trim().split('\n')
    const [first, second] = lines.flatMap(line => (JSON.parse(line) as {items?: string}).items ?? [])
    expect(Buffer.from(first ?? '', 'base64')).toHaveLength(16)
    expect(Buffer.from(second ?? '', 'base64')).toHaveLength(8)
    expect(first?.slice(0, 8)).not.toBe(second?.slice(0, 8))
  })

  test.each(nextJump())(
    'stops them too if its lines were written with the clock wrong by %s',
    async (_name, jump) => {
      await home.run(PATCH)
      await home.run(RENT, at(jump))
      await home.run(PATCH)
      const db = new DatabaseSync(data('journal/sandbox.db'))
      db.exec(`DELETE FROM request WHERE operation = 'a2a.create.v1'`)
      db.close()
      expect((await home.run(RENT)).code).toBe(14)
    },
  )

  test('lets them go after a refusal', async () => {
    const fault = [
      'sandbox',
      'faults',
      'add',
      '--operation',
      'a2a.create.v1',
      '--status',
      '422',
      '--count',
      '1',
    ]
    await home.run(fault)
    expect((await home.run(RENT)).code).toBe(6)
    const db = new DatabaseSync(data('journal/sandbox.db'))
    db.exec('DELETE FROM request')
    db.close()
    expect((await home.run(RENT)).code).toBe(0)
  })
})

describe('a clock that is 47 hours ahead for a while', () => {
  const AHEAD = 47 * HOUR

  test('costs no content of a request that is minutes old', async () => {
    await home.run('sandbox faults add --operation accounts.patchCredit.v4 --drop after --count 1'.split(' '))
    expect((await home.run([...PATCH, '--retries', '0'])).code).toBe(10)
    await home.run(['requests', 'list'], at(AHEAD))
    const {code, stdout, stderr} = await home.run(['requests', 'resolve', 'last', SURE])
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining('Sent again with the same key')])
  })

  test('removes no request, job or call that is too young by the time before', async () => {
    const keep = {env: {CARDCTL_KEEP: '24h'}}
    await home.run(PATCH)
    await home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--yes'], {
      stdin: 'id,creditLimit\n2001,1000\n',
    })
    await home.run(PATCH, at(AHEAD, keep))
    const pruned = ['--older-than', '1s', '--yes']
    await home.run(['requests', 'prune', '--unresolved', ...pruned], at(AHEAD))
    await home.run(['bulk', 'prune', ...pruned], at(AHEAD))
    expect(await home.json(['requests', 'list'])).toHaveLength(3)
    expect(await home.json(['bulk', 'list'])).toHaveLength(1)
  })

  test('keeps the calls of webhook serve', async () => {
    await recordInto(data('webhook/events.db'), callAt(Date.now() - 1000), callAt(Date.now()))
    const stop = new AbortController()
    await home.run(['webhook', 'serve', '--port', '0', '--approve', '--keep', '24h'], {
      ...at(AHEAD),
      signal: stop.signal,
      output: () => setTimeout(() => stop.abort('SIGINT'), 500),
    })
    expect(await home.json(['webhook', 'events', 'list'])).toHaveLength(2)
  })
})

/** What removes old records, with all of them older than it asks for. */
const PRUNING: readonly (readonly [name: string, argv: readonly string[]])[] = [
  ['a write', PATCH],
  ['requests prune', ['requests', 'prune', '--older-than', '1s', '--yes']],
  ['requests prune --open', ['requests', 'prune', '--older-than', '1s', '--unresolved', '--yes']],
  ['bulk prune', ['bulk', 'prune', '--older-than', '1s', '--yes']],
  ['audit prune', ['audit', 'prune', '--older-than', '1s', '--export', 'FILE', '--yes']],
  ['webhook events prune', ['webhook', 'events', 'prune', '--older-than', '1s', '--yes']],
]

describe.each(PRUNING)('%s', (_what, argv) => {
  test.each(nextJump())('removes nothing with the clock wrong by %s, and says why', async (_name, jump) => {
    await home.run(PATCH)
    await home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--yes'], {
      stdin: 'id,creditLimit\n2001,1000\n',
    })
    await recordInto(data('webhook/events.db'), callAt(Date.now() - 1000), callAt(Date.now()))
    const before = await ids()
    for (let count = 0; count < 2; count++) {
      const words = argv.map(word => (word === 'FILE' ? join(home.folder, `old-${count}`) : word))
      const {code, stderr} = await home.run(words, at(jump, {env: {CARDCTL_KEEP: '1s'}}))
      expect([code, stderr]).toEqual([0, expect.stringContaining(SURE)])
    }
    expect(await ids()).toEqual(expect.arrayContaining(before))
    expect(await home.json(['bulk', 'list'])).toHaveLength(1)
    expect(await home.json(['webhook', 'events', 'list'])).toHaveLength(2)
    expect((await home.json<object[]>(['audit', 'list'])).length).toBeGreaterThanOrEqual(2)
    expect(await home.json(['audit', 'verify'])).toMatchObject({ok: true, pruned: 0})
  })
})

test.each(nextJump())(
  'a call that came with the clock wrong by %s is not older than those before it',
  async (_name, jump) => {
    const file = data('webhook/events.db')
    await recordInto(file, callAt(Date.now() - DAY))
    await recordInto(file, callAt(Date.now() + jump))
    await recordInto(file, callAt(Date.now()))
    await home.run(['webhook', 'events', 'prune', '--older-than', '30d', '--yes'])
    expect(await home.json(['webhook', 'events', 'list'])).toHaveLength(3)
  },
)

test.each(nextJump())(
  'a bulk run goes on with the clock wrong by %s only after a question',
  async (_name, jump) => {
    const fault = 'sandbox faults add --operation accounts.patchCredit.v4 --drop before'
    await home.run(fault.split(' '))
    await home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--yes', '--retries', '0'], {
      stdin: 'id,creditLimit\n2001,1000\n',
    })
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    // Whoever wrote --yes into a script did not know of this.
    for (const yes of [[], ['--yes']]) {
      const resumed = await home.run(['bulk', 'resume', 'last', ...yes], at(jump))
      expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining('forgotten their keys')])
      expect(resumed.stderr).toMatch(/requests list --job j_\w+ --open[\s\S]*--confirm j_/)
    }
    expect((await home.run(['bulk', 'resume', 'last'])).code).toBe(0)
  },
)

test('a bulk run sends rows whose keys are forgotten to one who names the job', async () => {
  const fault = 'sandbox faults add --operation accounts.patchCredit.v4 --drop before'
  await home.run(fault.split(' '))
  await home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--yes', '--retries', '0'], {
    stdin: 'id,creditLimit\n2001,1000\n',
  })
  await home.run(['sandbox', 'faults', 'clear', '--yes'])
  const {stderr} = await home.run(['bulk', 'resume', 'last', '--yes'], at(2 * DAY))
  const [, job = ''] = /--confirm (j_\w+)/.exec(stderr) ?? []
  expect((await home.run(['bulk', 'resume', 'last', '--confirm', job], at(2 * DAY))).code).toBe(0)
})

test.each(nextJump())(
  'requests retry sends nothing again with the clock wrong by %s',
  async (_name, jump) => {
    await home.run('sandbox faults add --operation accounts.patchCredit.v4 --drop after --count 1'.split(' '))
    expect((await home.run([...PATCH, '--retries', '0'])).code).toBe(10)
    expect((await home.run(['requests', 'retry', 'last'], at(jump))).code).not.toBe(0)
    expect((await home.run(['requests', 'retry', 'last'])).code).toBe(0)
  },
)

describe('a key', () => {
  const KEYED = [...PATCH, '--idempotency-key', 'k']

  test.each(nextJump())('permits no repeat with the clock wrong by %s', async (_name, jump) => {
    await home.run(KEYED)
    for (const flags of [[], ['--yes'], ['--yes', '--confirm', '2001']]) {
      const {code, stderr} = await home.run([...KEYED, ...flags], at(jump))
      expect([code, stderr]).toEqual([2, expect.stringContaining('no longer knows this key')])
      expect(stderr).toMatch(/requests show r_\w+.*give it another key/s)
    }
    expect(await home.json(['requests', 'list'])).toHaveLength(1)
  })

  test('that the service has forgotten is sent again by a person, or under another key', async () => {
    await home.run(KEYED)
    const typed = [['Continue?', 'y']] as const
    expect((await home.run(KEYED, {...at(2 * DAY), typed})).code).toBe(0)
    expect((await home.run([...PATCH, '--idempotency-key', 'k2'], at(2 * DAY))).code).toBe(0)
    expect(await home.json(['requests', 'list'])).toHaveLength(3)
  })

  test.each(nextJump())('still belongs to its request with the clock wrong by %s', async (_name, jump) => {
    await home.run(KEYED)
    const other = [...KEYED, '-F', 'segment=SEGMENT_A']
    expect((await home.run(other, at(jump))).stderr).toContain('KEY_REUSED')
  })

  test.each(nextJump())(
    'that was used with the clock wrong by %s permits none afterwards',
    async (_name, jump) => {
      await home.run(PATCH)
      await home.run(KEYED, at(jump))
      expect((await home.run(KEYED)).code).toBe(2)
    },
  )
})

describe('a service', () => {
  let service: Service
  let dateOf: () => number | undefined
  /** Of a change of an account. */
  let answer: () => PlainResponse | undefined
  beforeEach(async () => {
    dateOf = () => undefined
    answer = () => undefined
    service = await openService(
      ({method}) => (method === 'PATCH' ? answer() : undefined),
      own => {
        const time = dateOf()
        return time === undefined
          ? own
          : {...own, headers: {...own.headers, date: new Date(time).toUTCString()}}
      },
    )
    await home.json(['profiles', 'add', 'own', '--kind', 'test', '--base-url', service.url])
  })
  afterEach(() => service.close())
  const run = (argv: readonly string[], jump = 0) => home.run([...argv, '-p', 'own'], at(jump))
  const created = () =>
    service.requests.filter(({method, url}) => method === 'POST' && /a2a/.test(url)).length

  test('that says what time it is lets the next rent go, after a month without a command', async () => {
    expect((await run(RENT)).code).toBe(0)
    dateOf = () => Date.now() + 30 * DAY
    expect(await run(RENT, 30 * DAY)).toMatchObject({code: 0, stderr: expect.not.stringContaining(SURE)})
    expect((await run(RENT, 30 * DAY)).code).toBe(14)
    expect(created()).toBe(2)
  })

  test.each(nextJump())(
    'that says so stops what was sent with the clock wrong by %s',
    async (_name, jump) => {
      expect((await run(RENT, jump)).stderr).toMatch(Math.abs(jump) > DAY ? /but the service says/ : /^/)
      expect((await run(RENT)).code).toBe(14)
      expect((await run([...RENT, SURE])).code).toBe(14)
      expect(created()).toBe(1)
    },
  )

  test.each(nextJump())(
    'that says so keeps the journal whole with the clock wrong by %s',
    async (_name, jump) => {
      await run(PATCH)
      const argv = [...PATCH, '-p', 'own']
      await home.run(argv, at(jump, {env: {CARDCTL_KEEP: '1s'}}))
      const {code, stderr} = await home.run(argv, at(jump, {env: {CARDCTL_KEEP: '1s'}}))
      expect(code).toBe(0)
      if (Math.abs(jump) > DAY) expect(stderr).toContain('but the service says')
      expect(await home.json(['requests', 'list', '-p', 'own'])).toHaveLength(3)
    },
  )

  test('settles it by the answer to a write, and says nothing', async () => {
    await run(PATCH)
    dateOf = () => Date.now() + 100 * DAY
    expect((await run(PATCH, 100 * DAY)).stderr).not.toContain(SURE)
    expect(await home.json(['requests', 'list', '-p', 'own'], at(100 * DAY))).toHaveLength(1)
  })

  const AHEAD = 1.25 * DAY
  const BULK = 'bulk run accounts.patchCredit.v4 --from - --yes --job-key n --retries 0 -p own'.split(' ')
  const bulk = (jump: number) => home.run(BULK, at(jump, {stdin: 'id,creditLimit\n2001,1000\n'}))
  const open = () => home.json<{id: string}[]>(['requests', 'list', '--open', '-p', 'own'])
  const badGateway = () => reply(502, 'Bad gateway', {'content-type': 'text/html'})

  describe('after a run that was refused while the clock was ahead', () => {
    beforeEach(async () => {
      answer = badGateway
      expect((await bulk(0)).code).not.toBe(0)
      const refused = await bulk(AHEAD)
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('forgotten their keys')])
      answer = () => undefined
    })

    test('settles it for the same command, which then sends the rows', async () => {
      const {code, stderr} = await bulk(0)
      expect([code, stderr]).toEqual([0, expect.not.stringContaining(SURE)])
      expect(await open()).toEqual([])
    })

    test('without a time leaves it to a person, who is told the flag', async () => {
      answer = badGateway
      dateOf = () => Number.NaN
      const {code, stderr} = await bulk(0)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${SURE}. Otherwise find out`)])
      const [first] = await open()
      const {stdout} = await run(['requests', 'resolve', first?.id ?? ''])
      expect(stdout).toContain("can't be believed")
    })
  })

  describe('that has confirmed the time, with an effect that stays unknown while the clock is 30 hours ahead', () => {
    const noTime = () => {
      answer = badGateway
      dateOf = () => Number.NaN
    }

    test.each([2, 12, 23])('sends no row again %i hours after that time comes', async hours => {
      await run(PATCH)
      noTime()
      expect((await bulk(AHEAD)).code).not.toBe(0)
      const before = service.requests.length
      answer = () => undefined
      dateOf = () => Date.now() + AHEAD + hours * HOUR
      const {code, stderr} = await bulk(AHEAD + hours * HOUR)
      expect([code, stderr]).toEqual([2, expect.stringContaining('forgotten their keys')])
      expect(service.requests.slice(before).every(({method}) => method === 'GET')).toBe(true)
    })

    test('does not repeat a request after that time comes', async () => {
      await run(PATCH)
      noTime()
      expect((await run([...PATCH, '--retries', '0'], AHEAD)).code).toBe(10)
      answer = () => undefined
      dateOf = () => Date.now() + AHEAD + 2 * HOUR
      expect((await run(['requests', 'retry', 'last'], AHEAD + 2 * HOUR)).code).not.toBe(0)
      expect(service.requests.filter(({method}) => method === 'PATCH')).toHaveLength(2)
    })

    test('sends no row again by a clock that is 20 hours behind', async () => {
      answer = badGateway
      expect((await bulk(0)).code).not.toBe(0)
      answer = () => undefined
      dateOf = () => Date.now() + 30 * HOUR
      const {code, stderr} = await bulk(10 * HOUR)
      expect([code, stderr]).toEqual([2, expect.stringContaining('forgotten their keys')])
    })
  })

  describe('that loses responses while the clock is 30 hours ahead', () => {
    const ROWS = 'id,creditLimit\n2001,1000\n2001,1001\n2001,1002\n'
    const NIGHTLY = [...BULK, '--concurrency', '1', '--unordered']
    const nightly = (jump: number) => home.run(NIGHTLY, at(jump, {stdin: ROWS}))
    const AHEAD = 30 * HOUR
    const rowsSent = () => service.requests.filter(({method}) => method === 'PATCH').length

    beforeEach(() => {
      dateOf = () => Date.now()
      answer = () => (rowsSent() > 1 ? reply(502, 'Bad gateway', {'content-type': 'text/html'}) : undefined)
    })

    test('has the clock set right, and sends the rows once more with their keys then', async () => {
      const {code, stderr} = await nightly(AHEAD)
      expect(code).toBe(11)
      expect(stderr).toContain(
        "The clock of this machine is about 30 hours ahead of the service's: first set",
      )
      expect(stderr).toMatch(/Next, when the clock is right: cardctl bulk resume j_\w+ -p own\n/)
      expect(stderr).not.toContain('requests resolve')
      const again = await nightly(AHEAD)
      expect(again).toMatchObject({code: 2, stderr: expect.not.stringContaining('requests list')})
      expect(again.stderr).toMatch(
        /30 hours ahead[\s\S]*Next, when the clock is right: cardctl bulk resume j_/,
      )
      answer = () => undefined
      expect(await run(['bulk', 'resume', 'last'])).toMatchObject({code: 0})
      expect(await open()).toEqual([])
    })

    test('also where the service said the time only after all rows had been sent', async () => {
      answer = badGateway
      const {stderr} = await nightly(AHEAD)
      expect(stderr).toMatch(/30 hours ahead[\s\S]*Next, when the clock is right: cardctl bulk resume j_\w+/)
      answer = () => undefined
      expect((await nightly(0)).code).toBe(0)
    })

    test.each([AHEAD, 0])('says so of a row that is asked about, %i ms ahead', async jump => {
      await nightly(AHEAD)
      const before = service.requests.length
      answer = () => undefined
      const [first] = await open()
      const {code, stderr} = await run(['requests', 'resolve', first?.id ?? ''], jump)
      expect([code, stderr]).toEqual([
        10,
        expect.stringMatching(/without a second effect: cardctl bulk resume j_/),
      ])
      expect(/30 hours ahead/.test(stderr)).toBe(jump > 0)
      expect(service.requests.slice(before).every(({method}) => method === 'GET')).toBe(true)
    })
  })

  test('settles it for requests resolve, to which the content of a young request is not gone', async () => {
    answer = badGateway
    expect((await bulk(0)).code).not.toBe(0)
    // The clock is noted for all services.
    await home.run(PATCH, at(AHEAD))
    answer = () => undefined
    const [first] = await open()
    const {code, stdout, stderr} = await run(['requests', 'resolve', first?.id ?? ''])
    expect([code, stdout], stdout + stderr).toEqual([
      0,
      expect.stringContaining('Sent again with the same key'),
    ])
  })

  test('of which all was sent while the clock was ahead has a person find out, and names no time to come', async () => {
    answer = () => reply(502, 'Bad gateway', {'content-type': 'text/html', date: 'unknown'})
    await bulk(AHEAD)
    answer = () => undefined
    const {code, stderr} = await bulk(0)
    expect([code, stderr]).toEqual([2, expect.stringContaining('That time is still to come')])
    expect(stderr).toMatch(/\n {2}Next: cardctl requests list --job j_\w+ --open -p own\n$/)
    const [first] = await open()
    const resolved = await run(['requests', 'resolve', first?.id ?? ''])
    expect(resolved.code).toBe(10)
    expect(resolved.stdout).toContain('the clock of this machine was wrong when it was sent')
    expect(resolved.stderr).toMatch(/its latest changes: it was sent at .* \(still to come/)
  })

  test('settles it by a read, for the next command', async () => {
    await run(PATCH)
    dateOf = () => Date.now() + 100 * DAY
    await run(['cards', 'get', '3001'], 100 * DAY)
    const {stdout} = await run(['requests', 'prune', '--yes'], 100 * DAY)
    expect(stdout).toContain('Removed 1 requests.')
  })

  test('of the kind sandbox proves nothing: its clock can be moved', async () => {
    await home.json(['profiles', 'edit', 'own', '--kind', 'sandbox'])
    await run(RENT)
    dateOf = () => Date.now() + 100 * DAY
    expect((await run(RENT, 100 * DAY)).code).toBe(14)
  })
})

test('a write goes, whatever the clock says, and the clock is said once', async () => {
  await home.run(PATCH)
  const {code, stderr} = await home.run([...PATCH, '-o', 'json'], at(YEAR))
  expect(code).toBe(0)
  const said = stderr.split('\n').filter(line => line.includes('CLOCK_DOUBTFUL'))
  expect(said).toHaveLength(1)
})

test('a machine that was used on each of the last days says nothing', async () => {
  for (let day = 0; day < 12; day++) expect((await home.run(PATCH, at(day * DAY))).stderr).not.toContain(SURE)
  await home.run(RENT, at(12 * DAY))
  for (let day = 13; day < 20; day++) await home.run(PATCH, at(day * DAY))
  expect((await home.run(RENT, at(20 * DAY))).code).toBe(0)
})

test('without the file that notes the time, the newest request counts', async () => {
  await home.run(RENT)
  rmSync(data('clock.json'))
  expect((await home.run(RENT, at(100 * DAY))).code).toBe(14)
  expect((await home.run(RENT, at(100 * DAY))).code).toBe(14)
})
