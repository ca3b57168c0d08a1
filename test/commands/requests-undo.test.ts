import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {isWhole} from '../helpers/whole.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Entry {
  readonly id: string
  readonly state: string
  readonly undoOf?: string
  readonly undoneBy?: string
  readonly sent?: Readonly<Record<string, unknown>>
}

const newest = async (): Promise<Entry> => {
  const [{id} = {id: ''}] = await home.json<Entry[]>(['requests', 'list', '--limit', '1'])
  return home.json<Entry>(['requests', 'show', id])
}
const count = async () => (await home.json<Entry[]>(['requests', 'list', '--limit', '1000'])).length
const patch = async (...fields: string[]) => {
  await home.json(['accounts', 'patch', '2001', '--type', 'credit', ...fields])
  return newest()
}
const undo = (...words: string[]) => home.run(['requests', 'undo', ...words, '--yes'])

/** Runs an undo that must be refused before anything is sent. */
async function refused(words: readonly string[], code = 'CANNOT_UNDO', exit = 2): Promise<string> {
  const before = await count()
  const {code: ended, stderr} = await undo(...words)
  expect({ended, stderr}).toMatchObject({ended: exit, stderr: expect.stringContaining(`Error ${code}`)})
  expect(await count()).toBe(before)
  return stderr
}

describe('requests undo', () => {
  test('sends the value that was sent before, and records what it undoes', async () => {
    await patch('--credit-limit', '5000')
    const wrong = await patch('--credit-limit', '100000')
    const {code, stdout, stderr} = await undo(wrong.id)
    expect(code).toBe(0)
    expect(stderr).toMatch(/creditLimit +100\u202f000 +5\u202f000/)
    expect(stderr).toContain('Others may have changed it since')
    const now = await newest()
    expect(now).toMatchObject({undoOf: wrong.id, sent: {creditLimit: 5000}, state: 'done'})
    expect(stdout).toBe(
      `Request ${wrong.id} undone by ${now.id}\nundo: change the limit of credit account 2001: 100\u202f000 → 5\u202f000\n creditLimit  100\u202f000 → 5\u202f000\n`,
    )
    expect(await home.json(['requests', 'show', wrong.id])).toMatchObject({undoneBy: now.id})
  })

  test('asks first, also on a sandbox', async () => {
    await patch('--credit-limit', '5000')
    await patch('--credit-limit', '6000')
    const {code, stderr} = await home.run(['requests', 'undo'])
    expect({code, stderr}).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('CONFIRMATION_REQUIRED'),
    })
    const asked = await home.run(['requests', 'undo'], {typed: [['Continue?', 'n']]})
    expect(asked.code).toBe(2)
    expect(asked.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'undo: change the limit of credit account 2001: 6 000 → 5 000. The former',
    )
    expect((await newest()).sent).toEqual({creditLimit: 6000})
  })

  test('without an id goes one step further back each time', async () => {
    for (const limit of ['100', '200', '300']) await patch('--credit-limit', limit)
    await undo()
    expect((await newest()).sent).toEqual({creditLimit: 200})
    await undo()
    expect((await newest()).sent).toEqual({creditLimit: 100})
    expect(await refused([])).toContain('knows no earlier value of creditLimit')
  })

  test('shows what it would send, and sends nothing', async () => {
    await patch('--credit-limit', '5000')
    await patch('--credit-limit', '6000')
    const before = await count()
    const {stdout} = await home.run(['requests', 'undo', '--dry-run'])
    expect(JSON.parse(stdout)).toMatchObject({method: 'PATCH', body: {creditLimit: 5000}})
    expect(await count()).toBe(before)
  })

  test('of some fields only', async () => {
    await patch('--credit-limit', '5000')
    const {id} = await patch('--credit-limit', '6000', '--name', 'Household')
    const stderr = await refused([id])
    expect(stderr).toContain('no earlier value of name')
    expect(stderr).toContain(`cardctl requests undo ${id} --only creditLimit -p sandbox`)
    expect((await undo(id, '--only', 'creditLimit')).code).toBe(0)
    await refused([id, '--only', 'status'], 'USAGE')
  })

  test('knows the value of another command for the same account, and null', async () => {
    await home.run(['accounts', 'patch', '2001', '--api-version', 'v3', '-F', 'status=ACCOUNT_BLOCKED'])
    await patch('--name', 'null')
    const {id} = await patch('--status', 'ACCOUNT_OK', '--name', 'Household')
    await undo(id)
    expect((await newest()).sent).toEqual({status: 'ACCOUNT_BLOCKED', name: null})
  })

  test('warns of a later change from here', async () => {
    await patch('--credit-limit', '100')
    const {id} = await patch('--credit-limit', '200')
    const later = await patch('--credit-limit', '300')
    const {stderr} = await undo(id)
    expect(stderr).toContain(`Request ${later.id} has changed creditLimit since`)
    expect((await newest()).sent).toEqual({creditLimit: 100})
  })

  test('keeps the type of a multicurrency account', async () => {
    const on = (value: string) =>
      home.json([
        'accounts',
        'patch',
        '2005',
        '--type',
        'MULTICURR_EUR_FI',
        '-F',
        `externalBalanceCheck=${value}`,
      ])
    await on('true')
    await on('false')
    expect((await undo()).code).toBe(0)
    expect(await newest()).toMatchObject({path: '/v4/MULTICURR_EUR_FI/2005'})
  })
})

describe('requests undo refuses', () => {
  test('what was undone, until that is undone', async () => {
    await patch('--credit-limit', '100')
    const {id} = await patch('--credit-limit', '200')
    await undo(id)
    const first = await newest()
    expect(await refused([id])).toContain(`undone already, by ${first.id}`)
    expect((await undo(first.id)).code).toBe(0)
    expect((await newest()).sent).toEqual({creditLimit: 200})
    expect((await undo(id)).code).toBe(0)
    expect((await newest()).sent).toEqual({creditLimit: 100})
  })

  test.each([
    ['transfers', ['a2a', 'create', '--transfer', '2006:2007:1:EUR', '--yes'], 'cannot be recalled'],
    ['a deletion', ['pricelists', 'period', 'delete', '6003', '--confirm', '6003'], 'cannot be restored'],
    ['a write-off', ['accounts', 'update-property', '2001', 'DELETE_ADDRESS'], 'nothing that takes it back'],
  ])('%s', async (_, argv, why) => {
    expect(await home.run(argv)).toMatchObject({code: 0})
    expect(await refused([(await newest()).id])).toContain(why)
  })

  test('a PIN, of which nothing is kept', async () => {
    await home.run(['pin', 'set', '3004'], {stdin: '8253\n'})
    await home.run(['pin', 'set', '3004'], {stdin: '9146\n'})
    expect(await refused([])).toContain('a PIN is never kept')
  })

  test('an irreversible value', async () => {
    await patch('--status', 'ACCOUNT_OK')
    const {id} = await patch('--status', 'ACCOUNT_TO_CLOSE', '--confirm', 'ACCOUNT_TO_CLOSE')
    expect(await refused([id])).toContain("can't be opened again")
  })

  test('a former value that the journal masked or shortened', async () => {
    const stdin = JSON.stringify({name: 'Household 4111 1111 1111 1111'})
    await home.run(['accounts', 'patch', '2001', '--type', 'credit', '--data', '-'], {stdin})
    const {id} = await patch('--name', 'Household')
    expect(await refused([id])).toContain('not kept in full')
  })

  test('when something came before of which nobody knows what it left', async () => {
    await patch('--name', 'A')
    await home.run(['accounts', 'update-property', '2001', 'DELETE_ADDRESS'])
    const between = await newest()
    const {id} = await patch('--name', 'B')
    expect(await refused([id])).toContain(between.id)
  })

  test('while an effect is unknown, its own or that of the former value', async () => {
    await patch('--credit-limit', '100')
    await home.run(['sandbox', 'faults', 'add', '--operation', 'accounts.patchCredit.v4', '--drop', 'before'])
    await home.run(['accounts', 'patch', '2001', '--type', 'credit', '--credit-limit', '200'])
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    const lost = await newest()
    expect(await refused([lost.id], 'EFFECT_UNKNOWN', 10)).toContain(`requests resolve ${lost.id}`)
    const {id} = await patch('--credit-limit', '300')
    expect(await refused([id], 'EFFECT_UNKNOWN', 10)).toContain(lost.id)
    await home.run([
      'requests',
      'resolve',
      lost.id,
      '--found',
      'no-effect',
      '--because',
      'Asked them',
      '--yes',
    ])
    expect((await undo(id)).code).toBe(0)
    expect((await newest()).sent).toEqual({creditLimit: 100})
  })

  test('what was only replayed, and names the request that had the effect', async () => {
    const first = await patch('--credit-limit', '5000', '--idempotency-key', 'one-key')
    const replay = await patch('--credit-limit', '5000', '--idempotency-key', 'one-key')
    expect(replay.id).not.toBe(first.id)
    const said = await refused([replay.id])
    expect(said).toContain(`cardctl requests undo ${first.id}`)
    const {stderr} = await home.run(['requests', 'undo', replay.id, '--yes', '-o', 'json', '-q'])
    expect(JSON.parse(stderr)).toMatchObject({error: {code: 'CANNOT_UNDO', requestId: first.id}})
  })

  test('what had no effect', async () => {
    await home.run(['accounts', 'patch', '2099', '--type', 'credit', '--credit-limit', '100'])
    expect(await refused([(await newest()).id])).toContain('nothing to undo')
  })

  test('without a chosen profile, as every write', async () => {
    await patch('--credit-limit', '100')
    await patch('--credit-limit', '200')
    const {code, stderr} = await home.run(['requests', 'undo', '--yes'], {env: {CARDCTL_PROFILE: ''}})
    expect({code, stderr}).toMatchObject({code: 3, stderr: expect.stringContaining('PROFILE_NOT_CHOSEN')})
  })
})

/** A request that had an effect: what it set, and what it undid. */
interface Done {
  readonly id: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly undoOf?: string
}

const values = {
  creditLimit: fc.integer({min: 0, max: 5}),
  name: fc.constantFrom('A', 'B', null),
  reason: fc.constantFrom('R', null),
}
const change = fc.record(values, {requiredKeys: []}).filter(fields => Object.keys(fields).length > 0)
const steps = fc.array(
  fc.oneof(
    {weight: 3, arbitrary: fc.record({kind: fc.constant('patch' as const), fields: change})},
    {weight: 1, arbitrary: fc.record({kind: fc.constant('refused' as const), fields: change})},
    {weight: 3, arbitrary: fc.record({kind: fc.constant('undo' as const), at: fc.nat(100)})},
  ),
  {minLength: 3, maxLength: 12},
)

/** What an undo must send, by a history in order and what was set last; undefined if it must be refused. */
function expected(
  history: readonly Done[],
  at: number,
  now: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const wanted = history[at]
  if (wanted === undefined || isUndone(history, wanted.id)) return undefined
  const before = history.slice(0, at)
  const former = Object.keys(wanted.fields).map(name => {
    const last = before.findLast(({fields}) => name in fields)
    return last && ([name, last.fields[name]] as const)
  })
  if (!former.every(pair => pair !== undefined)) return undefined
  // What is there already isn't sent.
  const changes = former.filter(([name, value]) => value !== wanted.fields[name] && value !== now[name])
  return changes.length === 0 ? undefined : Object.fromEntries(changes)
}

const isUndone = (history: readonly Done[], id: string): boolean =>
  history.some(one => one.undoOf === id && !isUndone(history, one.id))

test('whatever was changed and undone, an undo sends the last value before, or nothing', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async todo => {
      const world = await openHome()
      try {
        const history: Done[] = []
        let now: Record<string, unknown> = {}
        for (const step of todo) {
          const [{id: last} = {id: ''}] = await world.json<Entry[]>(['requests', 'list', '--limit', '1'])
          if (step.kind !== 'undo') {
            const type = step.kind === 'patch' ? 'credit' : 'debit'
            const stdin = JSON.stringify(step.fields)
            const argv = ['accounts', 'patch', '2001', '--type', type, '--data', '-']
            const {code} = await world.run(argv, {stdin})
            if (step.kind === 'refused') expect(code).not.toBe(0)
            if (step.kind === 'refused') continue
            expect(code).toBe(0)
            const [{id} = {id: ''}] = await world.json<Entry[]>(['requests', 'list', '--limit', '1'])
            history.push({id, fields: step.fields})
            now = {...now, ...step.fields}
            continue
          }
          const at = history.length === 0 ? 0 : step.at % history.length
          const target = history[at]
          if (target === undefined) continue
          const fields = expected(history, at, now)
          const {code, stderr} = await world.run(['requests', 'undo', target.id, '--yes'])
          const [{id} = {id: ''}] = await world.json<Entry[]>(['requests', 'list', '--limit', '1'])
          if (fields === undefined) {
            expect({code, id}).toEqual({code: 2, id: last})
            continue
          }
          expect({code, stderr}).toMatchObject({code: 0})
          const {sent, undoOf} = await world.json<Entry>(['requests', 'show', id])
          expect({sent, undoOf}).toEqual({sent: fields, undoOf: target.id})
          history.push({id, fields, undoOf: target.id})
          now = {...now, ...fields}
        }
        const account = await world.json<Record<string, unknown>>([
          'sandbox',
          'state',
          'show',
          'account',
          '2001',
        ])
        for (const [name, value] of Object.entries(now)) expect(account[name] ?? null).toEqual(value)
      } finally {
        await world.remove()
      }
    }),
    {numRuns: isWhole ? 15 : 6},
  )
}, 120_000)

test.each([
  ['accounts limit 2001 5 --type credit', 'accounts limit 2001 VALUE --type credit -p sandbox'],
  [
    'accounts patch 2001 --type credit --name A',
    'accounts patch 2001 --type credit -F name=VALUE -p sandbox',
  ],
  [
    'accounts patch 2001 --type credit -F address.address1=A -F address.city=B -F address.zipCode=00100 -F address.country=FIN',
    'accounts patch 2001 --type credit -F address.address1=VALUE -F address.city=VALUE -F address.zipCode=VALUE -F address.country=VALUE -p sandbox',
  ],
  [
    'accounts patch 2001 --type credit -F address.country=NOR -F address.address1=null -F address.city=null -F address.zipCode=null',
    'accounts patch 2001 --type credit -F address.country=VALUE -F address.address1=VALUE -F address.city=VALUE -F address.zipCode=VALUE -p sandbox',
  ],
  ['pricelists patch 5001 --code NEW', 'pricelists patch 5001 -F code=VALUE -p sandbox'],
  ['pricelists period patch 6003 --value 2.5', 'pricelists period patch 6003 -F value=VALUE -p sandbox'],
])('the first change, %s, names the command that takes the former value', async (words, command) => {
  expect((await home.run(words.split(' '))).code).toBe(0)
  expect(await home.run(['requests', 'undo', '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`If you know the former value: cardctl ${command}`),
  })
})

describe('an undo that would change nothing', () => {
  const block = (verb: string, ...more: string[]) =>
    home.run(['accounts', verb, '2001', '--type', 'credit', ...more])

  test.each([[], ['--only', 'status']])(
    'is neither done nor suggested: a second block %j',
    async (...only) => {
      await block('block')
      await block('block')
      const stderr = await refused(only.length === 0 ? [] : ['last', ...only])
      expect(stderr).toContain('Nothing to undo')
      expect(stderr).toContain('Run: cardctl accounts unblock 2001 --type credit -p sandbox')
      expect(stderr).not.toContain('--only')
    },
  )

  test('is not suggested for the other fields either', async () => {
    await block('block')
    await block('block', '--reason', 'Stolen')
    const stderr = await refused([])
    expect(stderr).toContain('no earlier value of reason')
    expect(stderr).not.toContain('--only')
  })

  test('is none if the former value was set again by hand', async () => {
    await patch('--credit-limit', '5000')
    const {id} = await patch('--credit-limit', '6')
    await patch('--credit-limit', '5000')
    expect(await refused([id])).toContain('Nothing to undo')
  })

  test('leaves out the fields that stay, and sends the others', async () => {
    await patch('--credit-limit', '5000', '--name', 'A')
    await patch('--credit-limit', '6000', '--name', 'A')
    await undo()
    expect((await newest()).sent).toEqual({creditLimit: 5000})
  })

  test('is not taken for one if the journal has not kept the values in full', async () => {
    // Both are masked alike.
    for (const name of ['Card 4111 1111 1111 1111', 'Card 4111 1188 8888 1111'])
      await home.run(['accounts', 'patch', '2001', '--type', 'credit', '--data', '-'], {
        stdin: JSON.stringify({name}),
      })
    expect(await refused([])).toContain('is not kept in full')
  })
})

describe('the undo of a first block or unblock', () => {
  test.each([
    ['block', '2001 --type credit', 'unblock', '2001 --type credit'],
    ['unblock', '2002 --type debit', 'block', '2002 --type debit'],
    ['block', '2005 --type MULTICURR_EUR_FI', 'unblock', '2005 --segment MULTICURR_EUR_FI'],
  ])('%s %s names the plain command, which runs as printed', async (verb, words, opposite, printed) => {
    await home.run(['accounts', verb, ...words.split(' '), '--reason', 'A first'])
    const stderr = await refused([])
    const line = `accounts ${opposite} ${printed} -p sandbox`
    expect(stderr).toContain(`Run: cardctl ${line}`)
    expect((await home.run([...line.split(' '), '--yes'])).code).toBe(0)
    const status = opposite === 'block' ? 'ACCOUNT_BLOCKED' : 'ACCOUNT_OK'
    const [id = ''] = words.split(' ')
    expect(await home.json(['sandbox', 'state', 'show', 'account', id])).toMatchObject({status})
  })
})
