import type {StepSpec} from '../../suite/suite-file.ts'
import {PARTIAL} from '../exam.ts'
import {type Act, amountIn, askedOf, homeOf, type Sequence} from './acts.ts'

/**
 * A step of a sequence, as a suite has it. `together`: at the same time as the next one. `isLate`: nobody waits for its
 * answer. `another`: a different call with the id of an earlier one, and then the first again.
 */
export interface Play extends StepSpec {
  readonly together?: true
  /** What it breaks if the sum is wrong after it, if not what its kind of call can. */
  readonly rule?: string
  readonly isLate?: true
  readonly another?: string
}

const NO_PART = {'transactionData.partialApprovalCapable': false}
const TOO_MUCH = 100_000_000
/** Begins ids that are new in each run. */
export const RUN = 'run-'
/** So many increments at once. */
const AT_ONCE = 5
const OLD = '2020-02-29T23:59:59Z'

type Form = Extract<Act, {readonly form: unknown}>['form']

/** The steps of a sequence: payments are named `pay 0`, `pay 1`. */
export function playsOf(sequence: Sequence): readonly Play[] {
  const currency = askedOf(sequence)
  const amount = (minor: number) => amountIn(minor, currency)
  let [payments, apart] = [0, 0]
  const pay = (minor: number, {scenario, fee, isLinked, isOld}: Form, more: Play = {}): Play => {
    const last = payments - 1
    const linked = isLinked && last >= 0 ? `\${pay ${last}.transactionId}` : undefined
    const {set, ...rest} = more
    return {
      name: `pay ${payments++}`,
      send: scenario,
      amount: amount(minor),
      set: {
        ...NO_PART,
        ...(linked !== undefined && {
          'metadata.linkId': linked,
          'transactionData.originalTransactionId': linked,
        }),
        ...(fee > 0 && {
          'transactionData.transactionFees': [
            {feeType: 'FX_MARKUP', feeAmount: {amount: Number(amount(fee).split(' ')[0]), currency}},
          ],
        }),
        ...(isOld && {'transactionData.transactionDateTime': OLD}),
        ...set,
      },
      ...(linked !== undefined && {rule: 'other-ids'}),
      ...rest,
    }
  }
  const plain: Form = {scenario: 'hotel', fee: 0, isLinked: false, isOld: false}
  /** Another payment than the one that a follow-up is about. */
  const elsewhere = (of: number, isLinked: boolean) => {
    if (!isLinked) return {}
    const other = payments > 1 ? `\${pay ${(of + 1) % payments}.transactionId}` : 'of-the-network'
    return {'metadata.linkId': other, 'transactionData.originalTransactionId': other}
  }
  const money = (minor: number) => {
    const [number = '', of = ''] = amount(minor).split(' ')
    return {amount: Number(number), currency: of}
  }

  /** Of a reversal. That of a payment in another currency than the account's has the amounts of the payment. */
  const amountsOf = (minor: number) =>
    currency === homeOf(sequence)
      ? {'transactionData.transactionAmount': money(minor), 'transactionData.billingAmount': money(minor)}
      : {}

  const play = (act: Act): readonly Play[] => {
    const of = 'of' in act ? act.of % payments : 0
    const earlier = `pay ${of}`
    switch (act.act) {
      case 'pay':
        return [pay(act.minor, act.form)]
      case 'pay twice at once':
        return [pay(act.minor, act.form, {together: true}), pay(act.minor, act.form)]
      case 'pay thrice with one id':
        return [pay(act.minor, act.form, {times: 3, parallel: true})]
      case 'pay and lose the answer': {
        const lost = pay(act.minor, act.form, act.how === 'late' ? {isLate: true} : {drop: act.how})
        return act.isAgain || !PARTIAL.has(act.how)
          ? [lost, {repeat: lost.name ?? '', expect: 'decided'}]
          : [lost]
      }
      case 'pay and reverse at once': {
        const {name, ...paid} = pay(act.minor, act.form, {card: 'new', together: true})
        payments--
        const reversed = `reversed ${apart++}`
        return [{...paid, name: reversed}, {reverse: reversed}]
      }
      case 'ask too much':
        return [pay(TOO_MUCH, act.form, {set: {'transactionData.partialApprovalCapable': act.isPart}})]
      case 'reverse before the payment': {
        const early = {send: 'reversal', amount: amount(act.minor), name: `early ${payments}`} as const
        const set = {'metadata.transactionId': `\${early ${payments}.transactionId}`}
        return [early, pay(act.minor, plain, {set, rule: 'early-reversals'})]
      }
      case 'pay alike': {
        const base = `${RUN}${payments}`
        const [one, other] = act.ids.map(end =>
          pay(act.minor, plain, {
            set: {'metadata.transactionId': base + end},
            rule: 'exact-ids',
          }),
        )
        const set = amountsOf(2 * act.minor)
        return one && other ? [one, other, {reverse: one.name ?? '', set, rule: 'exact-ids'}] : []
      }
      case 'free': {
        const bare = {'account.availableAmount': {amount: 0, currency: homeOf(sequence)}}
        const set = act.isBare && act.scenario === 'balance-inquiry' ? bare : {}
        const isZero = act.scenario === 'verification'
        return [{send: act.scenario, ...(isZero ? {} : {amount: amount(500)}), set}]
      }
      case 'repeat':
        return [{repeat: earlier}]
      case 'repeat at once':
        return [{repeat: earlier, times: 3, parallel: true}]
      case 'another call with the id':
        return [{another: earlier, set: {[act.field]: '4711'}}, {repeat: earlier}]
      case 'raise too much':
        return [
          {
            increment: earlier,
            amount: amount(TOO_MUCH),
            set: {'transactionData.partialApprovalCapable': act.isPart},
          },
        ]
      case 'raise':
      case 'raise at once': {
        const raised = {
          increment: earlier,
          amount: amount(Math.max(act.minor, 1)),
          set: {...elsewhere(of, act.isLinked), ...NO_PART},
          ...ruleOf(act),
        }
        if (act.act === 'raise') return [raised]
        return [...Array.from({length: AT_ONCE - 1}, () => ({...raised, together: true as const})), raised]
      }
      case 'leave':
        return [
          {
            reverse: earlier,
            remaining: amount(act.minor),
            set: {...elsewhere(of, act.isLinked), ...amountsOf(Math.max(1, Math.floor(act.minor / 2)))},
            ...ruleOf(act),
          },
        ]
      case 'reverse some':
        return [
          {
            reverse: earlier,
            ...ruleOf(act),
            set: {
              ...elsewhere(of, act.isLinked),
              ...amountsOf(act.minor),
            },
          },
        ]
      default:
        return [{reverse: earlier, set: elsewhere(of, act.isLinked), ...ruleOf(act)}]
    }
  }
  return sequence.acts.flatMap(play)
}

const ruleOf = ({isLinked}: {readonly isLinked: boolean}): {readonly rule?: string} =>
  isLinked ? {rule: 'other-ids'} : {}

/** As a suite can have it: there, two calls at once come one after the other, and nobody is late. */
export const stepOf = ({together: _, isLate: __, rule: ___, another, set, ...step}: Play): StepSpec => ({
  ...step,
  ...(step.send !== undefined && step.times !== undefined && {sameId: true as const}),
  ...(another !== undefined && {repeat: another, expect: {decision: ['decided', 'refused']}}),
  ...(set && Object.keys(set).length > 0 && {set}),
})
