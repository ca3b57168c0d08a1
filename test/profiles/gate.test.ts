import {describe, expect, it} from 'vitest'
import type {AnyInput, Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {decideDemand, demandsOfRows, gate} from '../../src/profiles/index.ts'
import {failureOf} from './fixtures.ts'

const all: readonly Operation[] = Object.values(operations)
const service = all.filter(({group}) => group !== 'sandbox')
const target = (kind: 'sandbox' | 'test' | 'live', readOnly = false) => ({name: 'one', kind, readOnly})

/** What the gate answers: the number of its demands, or the code of its refusal. */
async function answer(...parameters: Parameters<typeof gate>): Promise<string> {
  try {
    const demands = gate(...parameters)
    return demands.length === 0 ? 'free' : 'asks'
  } catch {
    return (await failureOf(() => gate(...parameters))).code
  }
}

describe('the gate', () => {
  it.each(service.map(operation => [operation.id, operation] as const))('of %s', async (_, operation) => {
    const {effect} = operation
    const allowV2 = true
    const elsewhere = effect === 'destroy' ? 'asks' : 'free'
    expect(await answer(target('sandbox'), operation)).toBe(elsewhere)
    expect(await answer(target('test'), operation)).toBe(elsewhere)
    expect(await answer(target('live'), operation, {allowV2})).toBe(effect === 'read' ? 'free' : 'asks')
    for (const kind of ['sandbox', 'test', 'live'] as const) {
      expect(await answer(target(kind, true), operation, {allowV2})).toBe(
        effect === 'read' ? 'free' : 'GATE_REFUSED',
      )
    }
  })

  it('refuses deprecated PIN operations on live profiles without --allow-v2, and nothing else for its age', async () => {
    const refused = []
    for (const operation of service) {
      if ((await answer(target('live'), operation)) === 'GATE_REFUSED') refused.push(operation.id)
    }
    expect(refused.sort()).toEqual(['pin.set.v2', 'pin.tzpk.v2', 'pin.view.v2'])
    const failure = await failureOf(() => gate(target('live'), operations['pin.view.v2']))
    expect(failure).toMatchObject({
      code: 'GATE_REFUSED',
      exit: 3,
      hint: expect.stringContaining('The person who looks after the profile one decides'),
    })
  })

  it('takes a PIN operation for an old one by its version and its deprecation', async () => {
    const {path, ...old} = operations['pin.view.v2']
    const live = (changed: object) => answer(target('live'), {...old, path, ...changed})
    expect(await live({})).toBe('GATE_REFUSED')
    expect(await live({deprecated: false})).toBe('asks')
    expect(await live({group: 'cards'})).toBe('asks')
    expect(await live({path: path.replace('/v2/', '/v3/')})).toBe('asks')
  })

  it("lets the sandbox's controls pass on a sandbox only", async () => {
    const controls = all.filter(({group}) => group === 'sandbox')
    expect(controls.length).toBeGreaterThan(0)
    for (const control of controls) {
      const elsewhere = control.effect === 'destroy' ? 'asks' : 'free'
      expect(await answer(target('sandbox'), control)).toBe(elsewhere)
      // Nobody chose a profile, and nobody can be asked.
      const unsaid = {interactive: false, explicit: false}
      expect(await answer(target('sandbox'), control, unsaid)).toBe(elsewhere)
      expect(await answer(target('test'), control)).toBe('GATE_REFUSED')
      expect(await answer(target('live'), control)).toBe('GATE_REFUSED')
    }
  })

  it.each([
    ['write', false, false, 'PROFILE_NOT_CHOSEN'],
    ['destroy', false, false, 'PROFILE_NOT_CHOSEN'],
    ['destroy', false, true, 'asks'],
    ['read', false, false, 'free'],
    ['disclose', false, false, 'free'],
    ['write', true, false, 'free'],
    ['write', false, true, 'free'],
  ] as const)(
    'for a %s, terminal %s, profile chosen %s: %s',
    async (effect, interactive, explicit, expected) => {
      const operation = service.find(one => one.effect === effect)
      if (operation === undefined) throw new Error(`No operation has the effect ${effect}.`)
      expect(await answer(target('sandbox'), operation, {interactive, explicit})).toBe(expected)
    },
  )

  it('names the profile and the reason', async () => {
    const failure = await failureOf(() => gate(target('test', true), operations['pricelists.delete.v1']))
    expect(failure.message).toContain('one is read-only')
    expect(failure.message).toContain('destroys something')
    // Never the line that loosens it: the caller may be a program.
    expect(failure.hint).toContain('The person who looks after the profile one decides')
    expect(failure.hint).not.toContain('profiles edit')
    expect(failure.details.effect).toBe('none')
    const unsaid = {interactive: false, explicit: false}
    const unchosen = await failureOf(() =>
      gate(target('sandbox'), operations['pricelists.delete.v1'], unsaid),
    )
    expect(unchosen.message).toContain('No profile was chosen')
    expect(unchosen.details.effect).toBe('none')
    const elsewhere = await failureOf(() => gate(target('test'), operations['sandbox.reset']))
    expect(elsewhere.message).toContain('on a sandbox only')
    expect(elsewhere.hint).toContain('-p sandbox')
  })
})

describe('confirmations', () => {
  const READ = operations['cards.get.v4']
  const DISCLOSE = operations['cards.controlToken.v4']
  const WRITE = operations['accounts.patchCredit.v4']
  const DESTROY = operations['pricelists.delete.v1']
  const LASTING = 'lasting'

  /** What becomes of a request about 2001: `go`, `refuse`, or what a person is asked for. */
  function outcome(
    effect: Operation['effect'] | typeof LASTING,
    kind: 'test' | 'live',
    said: {interactive: boolean; yes: boolean; confirm: readonly string[]},
  ): string {
    const operation = {read: READ, disclose: DISCLOSE, write: WRITE, destroy: DESTROY, lasting: WRITE}[effect]
    const input: AnyInput = {
      path: {id: '2001', cardId: '2001'},
      query: {},
      body: effect === LASTING ? {status: 'ACCOUNT_TO_CLOSE'} : {creditLimit: 1},
    }
    const demands = gate(target(kind), operation, {}, input)
    const answers = demands.map(demand => [demand, decideDemand(demand, said)] as const)
    if (answers.some(([, verdict]) => verdict === 'refuse')) return 'refuse'
    const asked = answers.filter(([, verdict]) => verdict === 'ask').map(([{name}]) => name)
    return asked.length === 0 ? 'go' : `asks ${asked.join(' ')}`
  }

  const NOTHING: readonly string[] = []
  const ID = ['2001']
  const VALUE = ['ACCOUNT_TO_CLOSE']
  const BOTH = [...VALUE, ...ID]
  const OTHER = ['2002']
  // effect, kind, --confirm: in a terminal, with --yes; elsewhere, with --yes
  it.each([
    ['read', 'live', NOTHING, 'go', 'go', 'go', 'go'],
    ['disclose', 'test', NOTHING, 'go', 'go', 'go', 'go'],
    ['disclose', 'live', NOTHING, 'asks 2001', 'go', 'refuse', 'go'],
    ['disclose', 'live', ID, 'go', 'go', 'go', 'go'],
    ['write', 'test', NOTHING, 'go', 'go', 'go', 'go'],
    ['write', 'live', NOTHING, 'asks 2001', 'go', 'refuse', 'go'],
    ['write', 'live', ID, 'go', 'go', 'go', 'go'],
    ['write', 'live', OTHER, 'asks 2001', 'go', 'refuse', 'go'],
    ['destroy', 'test', NOTHING, 'asks 2001', 'go', 'refuse', 'go'],
    ['destroy', 'test', ID, 'go', 'go', 'go', 'go'],
    ['destroy', 'test', OTHER, 'asks 2001', 'go', 'refuse', 'go'],
    ['destroy', 'live', NOTHING, 'asks 2001', 'asks 2001', 'refuse', 'refuse'],
    ['destroy', 'live', ID, 'go', 'go', 'go', 'go'],
    ['destroy', 'live', OTHER, 'asks 2001', 'asks 2001', 'refuse', 'refuse'],
    [LASTING, 'test', NOTHING, 'asks ACCOUNT_TO_CLOSE', 'asks ACCOUNT_TO_CLOSE', 'refuse', 'refuse'],
    [LASTING, 'test', VALUE, 'go', 'go', 'go', 'go'],
    [LASTING, 'test', ID, 'asks ACCOUNT_TO_CLOSE', 'asks ACCOUNT_TO_CLOSE', 'refuse', 'refuse'],
    [
      LASTING,
      'live',
      NOTHING,
      'asks ACCOUNT_TO_CLOSE 2001',
      'asks ACCOUNT_TO_CLOSE 2001',
      'refuse',
      'refuse',
    ],
    [LASTING, 'live', VALUE, 'asks 2001', 'asks 2001', 'refuse', 'refuse'],
    [LASTING, 'live', ID, 'asks ACCOUNT_TO_CLOSE', 'asks ACCOUNT_TO_CLOSE', 'refuse', 'refuse'],
    [LASTING, 'live', BOTH, 'go', 'go', 'go', 'go'],
  ] as const)(
    '%s on %s with --confirm %j',
    (effect, kind, confirm, terminal, terminalYes, script, scriptYes) => {
      const all = [
        [true, false],
        [true, true],
        [false, false],
        [false, true],
      ].map(([interactive = false, yes = false]) => outcome(effect, kind, {interactive, yes, confirm}))
      expect(all).toEqual([terminal, terminalYes, script, scriptYes])
    },
  )
})

describe('what a request needs confirmed', () => {
  it('is each warning that applies to it, by a yes', () => {
    const body = {usageLimits: [{code: 'DAILY', values: [{code: 'ATM', reset: true}]}]}
    const input: AnyInput = {path: {id: '2001'}, query: {}, body}
    expect(gate(target('test'), operations['accounts.patchCredit.v4'], {}, input)).toEqual([
      {yes: true, warning: expect.stringContaining('reset sets the counters to 0')},
    ])
  })

  it.each([
    ['accounts.patchMulticurrency.v4', {multiCurr: 'a', id: 'b'}, 'b'],
    ['accounts.updateProperty.v3', {id: 'a', propertyToUpdate: 'b'}, 'a'],
    ['wallets.provisionIssuer.v1', {cardId: 'a', walletProvider: 'b'}, 'a'],
    ['a2a.create.v1', {}, 'one'],
  ] as const)('of %s with %j is named %s', (id, path, name) => {
    const demands = gate(target('live'), operations[id], {}, {path, query: {}})
    expect(demands.map(demand => demand.name)).toEqual([name])
  })
})

describe('confirmations for many rows', () => {
  const found = {
    rows: 3,
    irreversible: new Map([['ACCOUNT_TO_CLOSE', 2]]),
    hazards: new Map([['Sends an SMS.', 1]]),
  }
  const WARNING = {yes: true, warning: '1 of 3 rows: Sends an SMS.'}
  const CLOSING = {name: 'ACCOUNT_TO_CLOSE', count: 2}
  it.each([
    ['cards.get.v4', 'test', [CLOSING], [WARNING]],
    ['cards.get.v4', 'live', [CLOSING], [WARNING]],
    ['accounts.patchCredit.v4', 'test', [CLOSING], [WARNING]],
    ['accounts.patchCredit.v4', 'live', [CLOSING], [WARNING, {name: 'prod', yes: true}]],
    ['pricelists.delete.v1', 'test', [CLOSING], [WARNING, {yes: true}]],
    [
      'pricelists.delete.v1',
      'live',
      [CLOSING, {name: 'pricelists.delete.v1', count: 3}],
      [WARNING, {name: 'prod', yes: true}],
    ],
  ] as const)('%s, %s', (id, kind, counts, demands) => {
    const asked = demandsOfRows({name: 'prod', kind}, operations[id], found)
    expect(asked).toEqual({counts, demands})
  })

  it('count one row as one', () => {
    const {demands} = demandsOfRows({name: 'prod', kind: 'test'}, operations['cards.get.v4'], {
      rows: 1,
      hazards: new Map([['Sends an SMS.', 1]]),
    })
    expect(demands).toEqual([{yes: true, warning: '1 of 1 row: Sends an SMS.'}])
  })
})
