import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {ProcessHome} from '../helpers/process-home.ts'
import {isWhole} from '../helpers/whole.ts'
import {withoutDemo} from '../sandbox/helpers/without-demo.ts'

const DAY = 86_400_000
const PATCH = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=4321'] as const
const CREATE = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:rent', '--yes'] as const

interface Entry {
  readonly id: string
  readonly state: string
  readonly effect?: string
  readonly key?: string
  readonly reference?: string
  readonly retryOf?: string
  readonly evidence?: string
}

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const fault = (...flags: string[]) => home.run(['sandbox', 'faults', 'add', ...flags])
const entries = (options?: RunOptions) => home.json<Entry[]>(['requests', 'list'], options)
const newest = async (): Promise<Entry> => {
  const [entry] = await entries()
  if (entry === undefined) throw new Error('the journal is empty')
  return entry
}
const effects = async (): Promise<number> =>
  (await home.json<{effects: number}>(['sandbox', 'state', 'show', 'account', '2001'])).effects
const batches = async () =>
  withoutDemo(await home.json<{id: string; description: string}[]>(['a2a', 'list', '--all'])).map(
    ({description}) => description,
  )

/** A patch of which nobody knows how it ended: every try is cut off. */
async function lostPatch(drop: 'before' | 'after'): Promise<Entry> {
  await fault('--operation', 'accounts.patchCredit.v4', '--drop', drop)
  const {code, stderr} = await home.run(PATCH)
  expect(code).toBe(10)
  await home.run(['sandbox', 'faults', 'clear', '--yes'])
  const entry = await newest()
  expect(entry.state).toBe('unknown')
  expect(stderr).toContain(`cardctl requests resolve ${entry.id} -p sandbox`)
  return entry
}

describe('requests resolve, by the key', () => {
  test.each(['before', 'after'] as const)('cut off %s the effect: had effect, once', async drop => {
    const lost = await lostPatch(drop)
    const before = await effects()
    const resolved = await home.json<{verdict: string; evidence: string}>(['requests', 'resolve', lost.id])
    expect(resolved.verdict).toBe('had effect')
    expect(await effects()).toBe(1)
    expect(before).toBe(drop === 'after' ? 1 : 0)
    const [repeat, first] = await entries()
    expect(repeat).toMatchObject({retryOf: lost.id, key: lost.key, state: 'done'})
    expect(first).toMatchObject({id: lost.id, state: 'done', effect: 'done', evidence: resolved.evidence})
    // Once decided, it is only told.
    expect(await home.json(['requests', 'resolve', lost.id])).toMatchObject({verdict: 'had effect'})
    expect(await entries()).toHaveLength(2)
  })

  test('a refusal after the key check proves that there was no effect', async () => {
    const lost = await lostPatch('before')
    await fault('--operation', 'accounts.patchCredit.v4', '--status', '422')
    const resolved = await home.json<{verdict: string}>(['requests', 'resolve', lost.id])
    expect(resolved.verdict).toBe('had no effect')
    expect((await entries()).at(-1)).toMatchObject({id: lost.id, state: 'none', effect: 'none'})
  })

  test('a refusal that may come from a gateway proves nothing', async () => {
    const lost = await lostPatch('before')
    await fault('--operation', 'accounts.patchCredit.v4', '--status', '404')
    const {code, stdout} = await home.run(['requests', 'resolve', lost.id])
    expect(code).toBe(10)
    expect(stdout).toContain('Cannot tell')
    expect((await entries()).at(-1)).toMatchObject({id: lost.id, state: 'unknown'})
  })

  test('after the key has expired nothing is sent', async () => {
    const lost = await lostPatch('after')
    const {code, stdout} = await home.run(['requests', 'resolve', lost.id], {now: () => Date.now() + DAY})
    expect(code).toBe(10)
    expect(stdout).toContain('forgotten its key')
    expect(await entries()).toHaveLength(1)
    expect(await effects()).toBe(1)
  })
})

describe('requests resolve, by the reference of a batch', () => {
  const lose = async (drop: 'before' | 'after', ...flags: string[]): Promise<Entry> => {
    await fault('--operation', 'a2a.create.v1', '--drop', drop, '--count', '1')
    const {code} = await home.run([...CREATE, ...flags])
    expect(code).toBe(10)
    return newest()
  }

  test('found in the list: had effect', async () => {
    const lost = await lose('after', '--description', 'Rent, May')
    const resolved = await home.json<{verdict: string; batch: string; evidence: string}>([
      'requests',
      'resolve',
      lost.id,
    ])
    expect(resolved).toMatchObject({verdict: 'had effect'})
    expect(resolved.evidence).toContain('1 transfer, EUR 12.5')
    expect(await batches()).toEqual([expect.stringContaining(`Rent, May ${lost.reference} rows:`)])
    expect(await newest()).toMatchObject({id: lost.id, state: 'done'})
  })

  test('not found: absence is no proof', async () => {
    const lost = await lose('before')
    const {code, stdout, stderr} = await home.run(['requests', 'resolve', lost.id])
    expect(code).toBe(10)
    expect(stdout).toContain('Cannot tell')
    expect(stderr).toContain('a2a list')
    expect(await newest()).toMatchObject({id: lost.id, state: 'unknown'})
  })

  test('not found: after a person has checked, it can be sent again', async () => {
    const lost = await lose('before')
    const say = (...more: string[]) => home.run(['requests', 'resolve', lost.id, ...more])
    expect((await home.run(CREATE)).code).toBe(10)
    const bare = await say('--found', 'no-effect')
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('--because')])
    const finding = ['--found', 'no-effect', '--because', 'No such batch in the ledger']
    expect(await say(...finding)).toMatchObject({code: 2, stderr: expect.stringContaining('twice')})
    const card = ['--found', 'effect', '--because', 'card 4111111111111111', '--yes']
    expect(await say(...card)).toMatchObject({
      code: 2,
      stderr: expect.not.stringContaining('4111111111111111'),
    })
    const {code, stdout} = await say(...finding, '--yes')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^No, it had no effect: .+ says so: No such batch/s),
    ])
    expect(await newest()).toMatchObject({state: 'none', evidence: expect.stringContaining('the ledger')})
    expect((await home.run(CREATE)).code).toBe(0)
    expect(await batches()).toHaveLength(1)
    const [done] = await home.json<{id: string}[]>(['requests', 'list', '--limit', '1'])
    const late = await home.run(['requests', 'resolve', `${done?.id}`, ...finding, '--yes'])
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('proves that')])
  })

  test('a finding by a person can be corrected, because no response proves it', async () => {
    const lost = await lose('before')
    const say = (...more: string[]) => home.run(['requests', 'resolve', lost.id, ...more, '--yes'])
    expect((await say('--found', 'no-effect', '--because', 'No such batch')).code).toBe(0)
    const corrected = await say('--found', 'effect', '--because', 'It is there after all')
    expect([corrected.code, corrected.stdout]).toEqual([0, expect.stringContaining('after all')])
    expect(await newest()).toMatchObject({state: 'done', evidence: expect.stringContaining('after all')})
    expect((await home.run(CREATE)).code).not.toBe(0)
    expect(await batches()).toEqual([])
  })

  test('without a reference nothing is found, and nothing is sent', async () => {
    const lost = await lose('after', '--no-reference')
    const {code, stderr} = await home.run(['requests', 'resolve', lost.id])
    expect(code).toBe(10)
    expect(stderr).toContain('count and total')
    expect(await batches()).toEqual([null])
  })

  test('a description that leaves no room is refused before anything is sent', async () => {
    const {code, stderr} = await home.run([...CREATE, '--description', 'x'.repeat(240)])
    expect(code).toBe(2)
    expect(stderr).toContain('--no-reference')
    expect((await home.run([...CREATE, '--description', 'x'.repeat(255), '--no-reference'])).code).toBe(0)
  })

  test('the same key gives the same bytes', async () => {
    const [first, second] = [
      await home.run([...CREATE, '--dry-run', '--idempotency-key', 'k1']),
      await home.run([...CREATE, '--dry-run', '--idempotency-key', 'k1']),
    ]
    expect(first.stdout).toBe(second.stdout)
    expect(first.stdout).toContain('ref:')
  })
})

describe('requests retry', () => {
  test('with an honoured key it is sent again, which settles the first', async () => {
    const lost = await lostPatch('after')
    expect((await home.run(['requests', 'retry', lost.id])).code).toBe(0)
    expect(await effects()).toBe(1)
    const [repeat, first] = await entries()
    expect(repeat).toMatchObject({retryOf: lost.id, key: lost.key})
    expect(first).toMatchObject({state: 'done'})
    // Done, and its key still lives: the service gives its stored answer.
    const {code, stderr} = await home.run(['requests', 'retry', lost.id])
    expect(code).toBe(0)
    expect(stderr).toContain('had stored')
    expect(await effects()).toBe(1)
  })

  test('transfers that may have taken effect are not sent again', async () => {
    await fault('--operation', 'a2a.create.v1', '--drop', 'after', '--count', '1')
    await home.run(CREATE)
    const lost = await newest()
    const {code, stderr} = await home.run(['requests', 'retry', lost.id, '--yes'])
    expect(code).toBe(10)
    expect(stderr).toContain(`requests resolve ${lost.id}`)
    expect(await batches()).toHaveLength(1)
  })

  test('transfers that took effect are not sent again', async () => {
    await home.run(CREATE)
    const {code, stderr} = await home.run(['requests', 'retry', (await newest()).id, '--yes'])
    expect(code).toBe(2)
    expect(stderr).toContain('a second time')
    expect(await batches()).toHaveLength(1)
  })

  test('transfers that certainly had no effect are sent again, with their reference', async () => {
    await fault('--operation', 'a2a.create.v1', '--status', '422', '--count', '1')
    expect((await home.run(CREATE)).code).toBe(6)
    const refused = await newest()
    expect((await home.run(['requests', 'retry', refused.id])).code, 'money asks first').toBe(2)
    expect((await home.run(['requests', 'retry', refused.id, '--yes'])).code).toBe(0)
    expect(await batches()).toEqual([expect.stringContaining(`${refused.reference} rows:`)])
  })

  test('after a day the content is gone', async () => {
    await fault('--operation', 'accounts.patchCredit.v4', '--status', '422', '--count', '1')
    await home.run(PATCH)
    const {code, stderr} = await home.run(['requests', 'retry', (await newest()).id], {
      now: () => Date.now() + DAY,
    })
    expect(code).toBe(2)
    expect(stderr).toContain('kept for 24 hours')
  })

  test('an unknown id', async () => {
    expect((await home.run(['requests', 'retry', 'r_0'])).code).toBe(5)
    expect((await home.run(['requests', 'resolve', 'r_0'])).code).toBe(5)
  })
})

describe('a key', () => {
  const withKey = (limit: number, options?: RunOptions, ...flags: string[]) =>
    home.run([...PATCH.slice(0, -1), `creditLimit=${limit}`, '--idempotency-key', 'k1', ...flags], options)

  test('sent again with the same content has one effect', async () => {
    expect((await withKey(1)).code).toBe(0)
    expect((await withKey(1)).code).toBe(0)
    expect(await effects()).toBe(1)
  })

  test('used with another request is refused before anything is sent', async () => {
    await withKey(1)
    const {code, stderr} = await withKey(2)
    expect(code).toBe(2)
    expect(stderr).toContain('KEY_REUSED')
    expect(stderr).toContain((await newest()).id)
    expect(await entries()).toHaveLength(1)
    expect(await effects()).toBe(1)
  })

  test('past 24 hours is not sent again, whatever the flags', async () => {
    await withKey(1)
    const later = {now: () => Date.now() + DAY}
    const {code, stderr} = await withKey(1, later)
    expect(code).toBe(2)
    expect(stderr).toContain('has a second effect')
    expect(stderr).toContain('give it another key')
    expect((await withKey(1, later, '--yes')).code).toBe(2)
    expect(await effects()).toBe(1)
  })
})

describe('a process that was killed', () => {
  /** Starts an `a2a create`, and kills it as soon as the journal has its request. */
  async function killed(...flags: string[]): Promise<void> {
    const processHome = new ProcessHome(home.folder, {env: {CARDCTL_PROFILE: 'sandbox'}, program: 'sources'})
    const begun = async () => (await entries(...flags)).length > 0
    await processHome.run([...CREATE, ...flags], async child => {
      while (!(await begun())) await new Promise(resolve => setTimeout(resolve, 20))
      child.kill('SIGKILL')
    })
  }
  const entries = (...flags: string[]) => home.json<Entry[]>(['requests', 'list', ...flags])

  test('leaves a request that is said once to be unfinished, by whatever comes next, and not guessed', async () => {
    await fault('--operation', 'a2a.create.v1', '--delay', '20s')
    await killed()
    const [first, second] = [
      await home.run(['cards', 'get', '3001']),
      await home.run(['cards', 'get', '3001']),
    ]
    const [{id} = {id: ''}] = await entries()
    expect(first.code).toBe(0)
    expect(first.stderr).toContain(`Request ${id} (a2a.create.v1`)
    expect(first.stderr).toContain(`requests resolve ${id} -p sandbox`)
    expect(second.stderr).not.toContain(id)
    expect(await entries()).toMatchObject([{id, state: 'unfinished'}])
    expect(await entries('--open')).toMatchObject([{id}])
    const again = await home.run(CREATE)
    expect(again.code).toBe(10)
    expect(again.stderr).toContain(`requests resolve ${id}`)
    expect(await batches()).toEqual([])
  })

  test.runIf(isWhole)('before anything had left: had no effect, says the journal', async () => {
    const address = ['--kind', 'test', '--base-url', 'http://127.0.0.1:9', '--profile-audit-user', 'tester']
    // The command outlives the process that asked it, and keeps its output open.
    const secret = ['--auth', 'bearer', '--secret', 'cmd:sleep 5']
    expect((await home.run(['profiles', 'add', 'far', ...address, ...secret])).code).toBe(0)
    await killed('-p', 'far')
    const [{id} = {id: ''}] = await entries('-p', 'far')
    const resolved = await home.json(['requests', 'resolve', id, '-p', 'far'])
    expect(resolved).toMatchObject({verdict: 'had no effect', evidence: expect.stringContaining('had left')})
    expect(await entries('-p', 'far')).toMatchObject([{id, state: 'none', left: false}])
  })
})

describe('once more', () => {
  test('after a retry that was done, nothing is sent again', async () => {
    await fault('--operation', 'a2a.create.v1', '--status', '422', '--count', '1')
    await home.run(CREATE)
    const refused = await newest()
    expect((await home.run(['requests', 'retry', refused.id, '--yes'])).code).toBe(0)
    const done = await newest()
    const {code, stderr} = await home.run(['requests', 'retry', refused.id, '--yes'])
    expect(code).toBe(2)
    expect(stderr).toContain(done.id)
    expect(await batches()).toHaveLength(1)
  })

  test('after the command itself was repeated, nothing is sent again', async () => {
    await fault('--operation', 'a2a.create.v1', '--status', '422', '--count', '1')
    await home.run(CREATE)
    const refused = await newest()
    expect((await home.run(CREATE)).code).toBe(0)
    expect((await home.run(['requests', 'retry', refused.id, '--yes'])).code).toBe(2)
    expect(await batches()).toHaveLength(1)
  })
})

test('what resolve finds is kept, with the id of what was made', async () => {
  await fault('--operation', 'a2a.create.v1', '--drop', 'after', '--count', '1')
  await home.run(CREATE)
  const {id} = await newest()
  const [batch] = await home.json<{id: string}[]>(['a2a', 'list'])
  expect(await home.json(['requests', 'resolve', id])).toMatchObject({replyId: batch?.id})
  expect(await home.json(['requests', 'show', id])).toMatchObject({replyId: batch?.id, effect: 'done'})
  const {stdout} = await home.run(['requests', 'resolve', id])
  expect(stdout.match(new RegExp(`\\b${batch?.id}\\b`, 'g'))).toHaveLength(1)
})
