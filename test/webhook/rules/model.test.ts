// Rule files made at random, judged by the tool and by a plain model of what docs/webhook-rules.md says.
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {stringify} from 'yaml'
import {decideBy} from '../../../src/webhook/rules/follow-rules.ts'
import {readRules} from '../../../src/webhook/rules/read-rules.ts'
import {runs} from '../../helpers/whole.ts'
import {callOf, requestFor} from '../calls.ts'
import {actions, type MadeAction} from './made-actions.ts'
import {conditions, currencies, decimal, type Fact, made, shares, type Wanted} from './made-conditions.ts'

const declined = {kind: 'reply', reply: {transactionData: {authResponseCode: {code: '05'}}}}
const START = Date.UTC(2026, 5, 15)

interface MadeRule {
  readonly action: MadeAction
  readonly conditions: readonly Wanted[]
  readonly velocity?:
    | {readonly over: number; readonly sum: string | null; readonly minutes: number}
    | undefined
  readonly probability?: number | undefined
  readonly after?: number | undefined
  readonly first?: number | undefined
}

const rule: fc.Arbitrary<MadeRule> = fc.record({
  conditions,
  velocity: fc.option(
    fc.record({
      over: fc.integer({min: 0, max: 4}),
      sum: fc.option(fc.constantFrom(...currencies)),
      minutes: fc.integer({min: 1, max: 120}),
    }),
    {nil: undefined, freq: 3},
  ),
  action: actions,
  probability: fc.option(fc.oneof(fc.nat(100), fc.constantFrom(...shares)), {nil: undefined, freq: 3}),
  after: fc.option(fc.integer({min: 1, max: 3}), {nil: undefined, freq: 3}),
  first: fc.option(fc.integer({min: 1, max: 3}), {nil: undefined, freq: 3}),
})

const written = ({conditions: wanted, velocity, probability, after, first, action}: MadeRule) => ({
  when: {
    ...Object.fromEntries(wanted.map(({field, spec}) => [field, spec])),
    ...(velocity && {
      velocity: {
        over: velocity.sum === null ? velocity.over : `${velocity.over} ${velocity.sum}`,
        within: `${velocity.minutes}m`,
      },
    }),
    ...(probability !== undefined && {probability: `${probability}%`}),
    ...(after !== undefined && {after}),
    ...(first !== undefined && {first}),
  },
  // biome-ignore lint/suspicious/noThenProperty: that is how a rule is written.
  then: action.spec,
})

interface Taken {
  readonly rule: number
  /** Whether its fallback answers, for the call doesn't say all that the rule looks at. */
  readonly inDoubt: boolean
}

const letsPass = ({action: {spec}}: MadeRule): boolean =>
  spec === 'approve' ||
  (typeof spec === 'object' &&
    spec !== null &&
    Object.keys(spec).every(name => /^(approve|delay)$/.test(name)))

/** Which rule takes each of the calls: counted from nothing, over the whole past, for each call anew. */
function modelOf(rules: readonly MadeRule[], facts: readonly Fact[]): readonly (Taken | undefined)[] {
  const met = rules.map(() => 0)
  return facts.map((fact, now) => {
    const taken = rules.findIndex((rule, at) => {
      const {velocity, probability = 100, after = 0, first = Number.POSITIVE_INFINITY} = rule
      const plain = (other: Fact) => mayTake(rule, other)
      if (!plain(fact)) return false
      if (velocity) {
        const {over, sum, minutes} = velocity
        const counted = facts
          .slice(0, now + 1)
          .filter(other => other.card === fact.card && plain(other) && other.at > fact.at - minutes * 60_000)
        const reached = sum === null ? counted.length : centsIn(counted, sum) / 100
        if (reached <= over) return false
      }
      if (fact.dice * 100 >= probability) return false
      const turn = (met[at] ?? 0) + 1
      met[at] = turn
      return turn > after && turn <= after + first
    })
    const found = rules[taken]
    return found && {rule: taken, inDoubt: statesOf(found, fact).includes(undefined)}
  })
}

const statesOf = (rule: MadeRule, fact: Fact) => rule.conditions.map(({holds}) => holds(fact, letsPass(rule)))

/** In doubt a rule that lets pass doesn't take a call, and any other does. */
const mayTake = (rule: MadeRule, fact: Fact): boolean =>
  statesOf(rule, fact).every(holds => holds ?? !letsPass(rule))

const centsIn = (facts: readonly Fact[], currency: string) =>
  facts.filter(fact => fact.currency === currency).reduce((sum, {cents}) => sum + cents, 0)

function callOfFact({card, mcc, country, entryMode, merchant, cents, currency, capable}: Fact) {
  const call = callOf('chip', 'a', {
    cardEntryMode: entryMode,
    transactionAmount: {amount: decimal(cents), currency},
    partialApprovalCapable: capable,
  })
  return {
    ...call,
    card: {cardId: card},
    merchantData: {name: merchant, country, category: {code: mcc}},
  }
}

test('every call gets what the model says, in YAML and in JSON', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(rule, {minLength: 1, maxLength: 5}),
      fc.array(made, {minLength: 1, maxLength: 12}),
      fc.boolean(),
      async (rules, calls, asYaml) => {
        let at = START
        const facts = calls.map(call => {
          at += call.pause
          return {...call, at}
        })
        const file = {rules: rules.map(written)}
        const read = await readRules(asYaml ? stringify(file) : JSON.stringify(file, undefined, 2))
        const doubts = read.warnings.filter(({message}) => !message.includes('never reached'))
        expect([...read.problems, ...doubts]).toEqual([])
        let dice = 0
        let slept: number | undefined
        const decider = decideBy(read.rules, {
          random: () => dice,
          sleep: async ms => {
            slept = ms
          },
        })
        for (const [now, taken] of modelOf(rules, facts).entries()) {
          const fact = facts[now] as Fact
          dice = fact.dice
          slept = undefined
          const decision = await decider.decide(requestFor(callOfFact(fact), {at: fact.at}))
          if (taken?.inDoubt) {
            const because = expect.stringMatching(/^rule \d cannot be evaluated because \S+ is absent$/)
            expect(decision).toEqual({answer: declined, by: 'fallback', because})
            continue
          }
          const action = taken && rules[taken.rule]?.action
          const answer = action?.answer(fact)
          expect(decision).toEqual(answer && {answer, by: `rule ${(taken?.rule ?? 0) + 1}`})
          expect(slept).toBe(action?.wait?.(fact))
        }
      },
    ),
    {numRuns: runs(600)},
  ))
