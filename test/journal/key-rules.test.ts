import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {runs} from '../helpers/whole.ts'
import {failureOf, HOUR, patchOf, type TestJournal, testJournal} from './fixtures.ts'

describe('an idempotency key', () => {
  it('is refused for another operation, method, path, query or body', () => {
    using d = testJournal()
    const first = patchOf('2001', {key: 'k'})
    const {id} = d.journal.begin(first)
    const body = {path: {id: '2001'}, query: {}, body: {creditLimit: 5001}}
    const others = [
      {operation: 'accounts.patchDebit.v4'},
      {method: 'PUT'},
      {path: '/v4/CREDIT/2002'},
      {input: body},
      {input: {...first.input, query: {a: 1}}},
      {input: {path: first.input.path, query: {}}},
    ]
    for (const other of others) {
      const failure = failureOf(() => d.journal.begin({...first, ...other}))
      expect(failure.code).toBe('KEY_REUSED')
      expect(failure.exit).toBe(2)
      expect(failure.message).toContain(id)
      expect(failure.message).not.toContain('5001')
      expect(failureOf(() => d.journal.judgeKey({...first, ...other})).code).toBe('KEY_REUSED')
    }
    expect(d.journal.requests.list()).toHaveLength(1)
  })

  it('is the same request whatever the order of its members', () => {
    using d = testJournal()
    const asked = (body: unknown) => patchOf('1', {key: 'k', input: {path: {}, query: {}, body}})
    d.journal.begin(asked({a: 1, b: {c: [1, {x: 1, y: 2}], d: null}}))
    expect(d.journal.begin(asked({b: {d: null, c: [1, {y: 2, x: 1}]}, a: 1})).key.state).toBe('repeat')
    expect(failureOf(() => d.journal.begin(asked({a: 1, b: {c: [{x: 1, y: 2}, 1], d: null}}))).code).toBe(
      'KEY_REUSED',
    )
  })

  it('of a request that had no effect, or of more than 24 hours ago, is free for another one', () => {
    using d = testJournal()
    const other = patchOf('2001', {key: 'k', input: {path: {}, query: {}, body: {creditLimit: 1}}})
    const ends = [
      ['refused', 'none'],
      ['none', 'none'],
      ['failed', 'none'],
    ] as const
    for (const [outcome, effect] of ends) {
      d.journal.end(d.journal.begin(patchOf('2001', {key: 'k'})).id, {outcome, effect})
      expect(d.journal.judgeKey(other)).toEqual({state: 'new'})
    }
    const {id} = d.journal.begin(patchOf('2001', {key: 'k'}))
    expect(failureOf(() => d.journal.begin(other)).message).toContain('may have')
    d.journal.end(id, {outcome: 'done', effect: 'done'})
    expect(failureOf(() => d.journal.begin(other)).message).toContain(`${id}: PATCH`)
    d.clock.at += 24 * HOUR - 1
    expect(failureOf(() => d.journal.begin(other)).code).toBe('KEY_REUSED')
    d.clock.at += 1
    expect(d.journal.begin(other).key.state).toBe('new')
  })

  it('does not look at sensitive values, but at what else differs, digits included', () => {
    using d = testJournal()
    const asked = (body: unknown) =>
      patchOf('1', {key: 'k', sensitive: ['/pinBlock'], input: {path: {}, query: {}, body}})
    d.journal.begin(asked({pinBlock: 'A', note: new Secret('one'), reference: '4111111111111111'}))
    const same = asked({pinBlock: 'B', note: new Secret('two'), reference: '4111111111111111'})
    expect(d.journal.begin(same).key.state).toBe('repeat')
    const other = asked({pinBlock: 'A', note: new Secret('one'), reference: '4000001111111111'})
    expect(failureOf(() => d.journal.begin(other)).code).toBe('KEY_REUSED')
  })

  it('of a request that certainly had no effect does not grow old', () => {
    using d = testJournal()
    const asked = patchOf('1', {key: 'k'})
    d.journal.end(d.journal.begin(asked).id, {outcome: 'none', effect: 'none'})
    d.clock.at += 48 * HOUR
    expect(d.journal.judgeKey(asked).state).toBe('repeat')
  })

  it('counts its age from the first request that may have had an effect, not from one that had none', () => {
    using d = testJournal()
    const asked = patchOf('1', {key: 'k'})
    d.journal.end(d.journal.begin(asked).id, {outcome: 'none', effect: 'none'})
    d.clock.at += 23 * HOUR
    d.journal.end(d.journal.begin(asked).id, {outcome: 'done', effect: 'done'})
    d.clock.at += 23 * HOUR
    expect(d.journal.judgeKey(asked).state).toBe('repeat')
    d.clock.at += HOUR
    expect(d.journal.judgeKey(asked).state).toBe('expired')
    d.journal.begin(asked)
    expect(d.journal.judgeKey(asked).state).toBe('repeat')
  })
})

interface Use {
  readonly at: number
  readonly id: string
  readonly account: string
  nothing: boolean
}

interface Model {
  now: number
  /** By key, its uses. */
  readonly keys: Map<string, Use[]>
}

class Begin implements fc.Command<Model, TestJournal> {
  readonly key: string
  readonly account: string
  constructor(key: string, account: string) {
    this.key = key
    this.account = account
  }
  check = (): boolean => true
  run(model: Model, {journal}: TestJournal): void {
    const uses = model.keys.get(this.key) ?? []
    const asked = patchOf(this.account, {key: this.key})
    const taken = uses.some(
      ({account, nothing, at}) => account !== this.account && !nothing && model.now - at < 24 * HOUR,
    )
    if (taken) {
      expect(() => journal.judgeKey(asked)).toThrow(Failure)
      expect(() => journal.begin(asked)).toThrow(Failure)
      return
    }
    const own = uses.filter(({account}) => account === this.account)
    const expected = expectedState(own, model.now)
    expect(journal.judgeKey(asked).state).toBe(expected)
    const {id, key} = journal.begin(asked)
    expect(key.state).toBe(expected)
    model.keys.set(this.key, [...uses, {at: model.now, id, account: this.account, nothing: false}])
    expect(journal.requests.findKey(this.key).map(record => record.id)).toEqual(
      model.keys.get(this.key)?.map(one => one.id),
    )
  }
  toString = (): string => `begin ${this.key} for ${this.account}`
}

/** The service's side of it: it remembers a key for a day from the first request that it may have carried out. */
function expectedState(uses: readonly {at: number; nothing: boolean}[], now: number): string {
  if (uses.length === 0) return 'new'
  let remembered: number | undefined
  for (const {at, nothing} of uses) {
    if (nothing) continue
    if (remembered === undefined || at >= remembered + 24 * HOUR) remembered = at
  }
  return remembered !== undefined && now >= remembered + 24 * HOUR ? 'expired' : 'repeat'
}

class EndWithNothing implements fc.Command<Model, TestJournal> {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
  check = (model: Readonly<Model>): boolean => model.keys.has(this.key)
  run(model: Model, {journal}: TestJournal): void {
    const last = model.keys.get(this.key)?.at(-1)
    if (last === undefined || last.nothing) return
    last.nothing = true
    expect(journal.end(last.id, {outcome: 'none', effect: 'none'})).toBe(true)
  }
  toString = (): string => `end ${this.key} without effect`
}

class Wait implements fc.Command<Model, TestJournal> {
  readonly hours: number
  constructor(hours: number) {
    this.hours = hours
  }
  check = (): boolean => true
  run(model: Model, {clock}: TestJournal): void {
    clock.at += this.hours * HOUR
    model.now = clock.at
  }
  toString = (): string => `wait ${this.hours} h`
}

describe('keys over time', () => {
  it('follow the model', () => {
    const key = fc.constantFrom('k1', 'k2')
    const commands = fc.commands(
      [
        fc.tuple(key, fc.constantFrom('2001', '2002')).map(([name, account]) => new Begin(name, account)),
        key.map(name => new EndWithNothing(name)),
        fc.constantFrom(1, 12, 23, 24, 25, 49).map(hours => new Wait(hours)),
      ],
      {maxCommands: 30},
    )
    fc.assert(
      fc.property(commands, list => {
        using d = testJournal()
        fc.modelRun(() => ({model: {now: d.clock.at, keys: new Map()}, real: d}), list)
      }),
      {numRuns: runs(60)},
    )
  })
})
