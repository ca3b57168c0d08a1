// A request with an unknown effect is not sent over what a newer one has set.
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {countedEntries, type ShiftEntry} from '../../src/commands/report/shared/shift-types.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Entry {
  readonly id: string
  readonly state: string
}

const entries = () => home.json<Entry[]>(['requests', 'list'])
const change = async (...words: string[]): Promise<Entry> => {
  await home.run(['accounts', 'patch', ...words])
  const [newest] = await entries()
  if (newest === undefined) throw new Error('the journal is empty')
  return newest
}
const patch = (...fields: string[]) => change('2001', '--type', 'credit', ...fields)

/** A patch that is cut off before the service has it. */
async function lost(...fields: string[]): Promise<Entry> {
  const operation = 'accounts.patchCredit.v4'
  await home.run(['sandbox', 'faults', 'add', '--operation', operation, '--drop', 'before'])
  const entry = await patch(...fields)
  await home.run(['sandbox', 'faults', 'clear', '--yes'])
  expect(entry.state).toBe('unknown')
  return entry
}

const account = () =>
  home.json<{creditLimit: number; effects: number}>(['sandbox', 'state', 'show', 'account', '2001'])

describe('an older request with an unknown effect', () => {
  test('is not sent by resolve over a newer one, which is named with what to do', async () => {
    const old = await lost('--credit-limit', '7000')
    const newer = await patch('--credit-limit', '7500')
    const {code, stdout, stderr} = await home.run(['requests', 'resolve', old.id])
    expect(code).toBe(10)
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      new RegExp(
        `Cannot tell yet whether it was done: .*\\. Request ${newer.id} of \\d{4}.* \\(done\\) has changed creditLimit of account 2001 since`,
      ),
    )
    expect(stderr).toContain(`cardctl requests resolve ${old.id} --found no-effect --because TEXT -p sandbox`)
    expect(await account()).toMatchObject({creditLimit: 7500, effects: 1})
    expect(await entries()).toHaveLength(2)
    const finding = ['--found', 'no-effect', '--because', 'Asked the operators', '--yes']
    expect((await home.run(['requests', 'resolve', old.id, ...finding])).code).toBe(0)
  })

  test('is not sent by retry either, also after a person found no effect', async () => {
    const old = await lost('--credit-limit', '7000')
    const newer = await patch('--credit-limit', '7500')
    const open = await home.run(['requests', 'retry', old.id, '--yes'])
    expect([open.code, open.stderr]).toEqual([10, expect.stringContaining(newer.id)])
    const finding = ['--found', 'no-effect', '--because', 'Asked the operators', '--yes']
    await home.run(['requests', 'resolve', old.id, ...finding])
    const closed = await home.run(['requests', 'retry', old.id, '--yes'])
    expect([closed.code, closed.stderr]).toEqual([2, expect.stringContaining('run the command itself again')])
    expect(await account()).toMatchObject({creditLimit: 7500, effects: 1})
  })

  test('is not sent over a newer one whose effect is unknown, which is resolved first', async () => {
    const old = await lost('--credit-limit', '7000')
    const newer = await lost('--credit-limit', '7500')
    const {code, stdout} = await home.run(['requests', 'resolve', old.id])
    expect([code, stdout]).toEqual([10, expect.stringContaining('may have')])
    expect(await home.json(['requests', 'resolve', 'last'])).toMatchObject({request: newer.id})
    expect(await account()).toMatchObject({creditLimit: 7500, effects: 1})
  })

  test.each([
    ['other fields', ['2001', '--type', 'credit', '--status', 'ACCOUNT_BLOCKED']],
    ['another account', ['2002', '--type', 'debit', '--name', 'Holidays']],
  ])('is sent after a newer one of %s', async (_, words) => {
    const old = await lost('--credit-limit', '7000', '--name', 'Rent')
    expect((await change(...words)).state).toBe('done')
    expect(await home.json(['requests', 'resolve', old.id])).toMatchObject({verdict: 'had effect'})
    expect(await account()).toMatchObject({creditLimit: 7000})
  })

  test('is sent after an older one of the same field, and a newer one without an effect', async () => {
    await patch('--credit-limit', '6000')
    const old = await lost('--credit-limit', '7000')
    await home.run('sandbox faults add --operation accounts.patchCredit.v4 --status 422 --count 1'.split(' '))
    expect((await patch('--credit-limit', '7500')).state).toBe('refused')
    expect(await home.json(['requests', 'resolve', old.id])).toMatchObject({verdict: 'had effect'})
    expect(await account()).toMatchObject({creditLimit: 7000, effects: 2})
  })
})

describe('requests resolve last', () => {
  test('is the newest with an unknown effect, not the newest', async () => {
    const open = await lost('--credit-limit', '7000')
    expect((await change('2002', '--type', 'debit', '--name', 'Holidays')).state).toBe('done')
    expect(await home.json(['requests', 'resolve', 'last'])).toMatchObject({request: open.id})
  })

  test('says that there is none', async () => {
    await patch('--credit-limit', '7000')
    const {code, stderr} = await home.run(['requests', 'resolve', 'last'])
    expect([code, stderr]).toEqual([5, expect.stringContaining('no request with an unknown effect')])
  })
})

test('requests list --open has what is to be resolved, newest first, as resolve last takes it', async () => {
  const first = await lost('--credit-limit', '7000')
  await change('2002', '--type', 'debit', '-F', 'status=ACCOUNT_BLOCKED')
  const second = await lost('--credit-limit', '7100')
  const open = async (...flags: string[]) =>
    (await home.json<Entry[]>(['requests', 'list', '--open', ...flags])).map(({id}) => id)
  expect(await open()).toEqual([second.id, first.id])
  expect(await open('--limit', '1')).toEqual([second.id])
  expect(await open('--resource', 'account:2002')).toEqual([])
  expect((await home.run(['requests', 'list', '--open', '--state', 'done'])).code).toBe(2)
  const finding = ['--found', 'no-effect', '--because', 'Asked the operators', '--yes']
  await home.json(['requests', 'resolve', 'last', ...finding])
  expect(await open()).toEqual([first.id])
})

describe('a row of a bulk job with an unknown effect', () => {
  test('is not said to be sent again by another row of the job', async () => {
    const operation = ['--operation', 'pricelists.deletePeriod.v1']
    await home.run(['sandbox', 'faults', 'add', ...operation, '--drop', 'before', '--count', '1'])
    const rows = [
      'bulk',
      'run',
      'pricelists',
      'period',
      'delete',
      '--from',
      '-',
      '--concurrency',
      '1',
      '--yes',
    ]
    await home.run([...rows, '--confirm', '6003', '--confirm', '6004'], {stdin: 'id\n6003\n6004\n'})
    const unknown = (await entries()).find(({state}) => state === 'unknown')
    expect(unknown).toBeDefined()
    const {stdout, stderr} = await home.run(['requests', 'resolve', unknown?.id ?? '', '--yes'])
    expect(stdout + stderr).not.toContain('sent again as')
  })
})

describe('a request that was sent again with its key', () => {
  test.each([
    ['after', 'block debit account 2002'],
    ['before', 'block debit account 2002'],
  ])('cut off %s the effect: says that it was done, and is counted once', async (drop, did) => {
    const operation = 'accounts.patchDebit.v4'
    await home.run(['sandbox', 'faults', 'add', '--operation', operation, '--drop', drop])
    await home.run(['accounts', 'block', '2002', '--type', 'debit'])
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    const {stdout} = await home.run(['requests', 'resolve', 'last'])
    expect(stdout).toMatch(new RegExp(`^Yes, done: ${did} \\(.+\\)\\. Nothing was done twice\\.`))
    expect(await home.json(['report', 'shift'])).toMatchObject({writes: 1, entries: [{}, {}]})
    const list = await home.json<{did: string}[]>(['requests', 'list'])
    expect(list.map(one => one.did)).toEqual([`${did} (sent again with the same key: done once)`, did])
  })

  test('is counted as the first one where that had its effect, and else itself', () => {
    const entry = (request: string, state: 'done' | 'none', more: Partial<ShiftEntry> = {}): ShiftEntry => {
      const written = {at: '2026-11-28T12:00:00Z', kind: 'write', did: 'send', resources: []} as const
      return {...written, request, state, ...more}
    }
    const repeat = entry('r_2', 'done', {retryOf: 'r_1'})
    const counted = (...all: ShiftEntry[]) => countedEntries(all).map(({request}) => request)
    expect(counted(entry('r_1', 'done'), repeat)).toEqual(['r_1'])
    expect(counted(entry('r_1', 'none'), repeat)).toEqual(['r_1', 'r_2'])
    expect(counted(repeat)).toEqual(['r_2'])
    expect(counted({...repeat, replayed: true})).toEqual([])
  })
})

test('resolve offers all requests whose effect is unknown, with what each was to do', async () => {
  const older = await lost('--credit-limit', '7000')
  const newer = await lost('--name', 'Anna')
  const {code, stderr} = await home.run(['requests', 'resolve'], {
    columns: 120,
    typed: [['Id of the request', '\u001b[B\r']],
  })
  const screen = stderr.replaceAll(/\s+/g, ' ')
  expect(screen).toMatch(new RegExp(`❯ ${newer.id} .*name.* ${older.id} change the limit`))
  expect(code).toBe(0)
  expect((await entries()).map(({id, state}) => [id, state])).toContainEqual([older.id, 'done'])
})
