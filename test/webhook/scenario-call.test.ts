import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {scenarios} from '../../src/contract/scenarios.ts'
import {validatorsFor} from '../../src/contract/schema.ts'
import {exponentOf} from '../../src/money/exponents.ts'
import {scenarioCall, someCard} from '../../src/webhook/send/scenario-call.ts'
import {contractDocument} from '../helpers/contract.ts'

const contract = contractDocument as {
  components: {schemas: Record<string, Node>}
}

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly 'x-extensible-enum'?: readonly string[]
}

let ids = 0
const settings = {
  card: someCard,
  now: () => Date.UTC(2026, 5, 15, 12),
  newId: () => `id-${++ids}`,
  random: () => 0.5,
}
const names = Object.keys(scenarios)

function build(name: string, more: {amount?: string; currency?: string; transactionId?: string} = {}) {
  const scenario = scenarios[name]
  if (!scenario) throw new Error(`There is no scenario ${name}.`)
  return scenarioCall({...settings, scenario, ...more})
}

/** Unknown members and values are faults of ours here. */
async function faultsOf(call: unknown): Promise<unknown> {
  const validate = (await validatorsFor('webhook'))['webhook.auth request closed']
  if (!validate) throw new Error('The contract has no closed form of its calls.')
  return validate(call) ? [] : validate.errors
}

test.each(names)('%s fits the contract as it stands', async name => {
  expect(await faultsOf(build(name))).toEqual([])
})

test('any scenario with any amount and currency fits the contract', async () => {
  const currency = fc.constantFrom('EUR', 'NOK', 'JPY', 'KWD', 'CLF', 'USD', 'XOF', 'BRL')
  const minor = fc.bigInt({min: 0n, max: 10n ** 12n})
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), currency, minor, async (name, code, units) => {
      const digits = String(units).padStart(exponentOf(code) + 1, '0')
      const at = digits.length - exponentOf(code)
      const amount = exponentOf(code) === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`
      const call = build(name, {amount, currency: code})
      expect(await faultsOf(call)).toEqual([])
      expect(call.transactionData.transactionAmount).toEqual({amount: Number(amount), currency: code})
    }),
    {numRuns: 200},
  )
})

test('every transaction type, category and verification that the contract knows has a scenario', () => {
  const {AuthMetadata, TransactionData} = contract.components.schemas
  const calls = Object.values(scenarios)
  const data = calls.map(({transactionData}) => transactionData)
  const used = {
    types: new Set(data.map(({transactionType}) => transactionType)),
    categories: new Set(calls.map(({messageCategory}) => messageCategory)),
    verifications: new Set(data.flatMap(({cardholderVerifications}) => cardholderVerifications ?? [])),
  }
  expect(used).toEqual({
    types: new Set(TransactionData?.properties?.transactionType?.['x-extensible-enum']),
    categories: new Set(AuthMetadata?.properties?.messageCategory?.['x-extensible-enum']),
    verifications: new Set(
      TransactionData?.properties?.cardholderVerifications?.items?.['x-extensible-enum'],
    ),
  })
})

describe('amounts that depend on others', () => {
  test('a purchase abroad is billed in the currency of the account, with a fee of it', () => {
    const {transactionAmount, billingAmount, settlementAmount, transactionFees} =
      build('foreign').transactionData
    expect(transactionAmount).toEqual({amount: 349, currency: 'NOK'})
    expect(billingAmount).toEqual({amount: 30.35, currency: 'EUR'})
    expect(settlementAmount).toEqual(billingAmount)
    expect(transactionFees).toEqual([{feeType: 'FX_MARKUP', feeAmount: {amount: 0.6, currency: 'EUR'}}])
  })

  test.each(['BRL', 'KWD', 'KRW', 'CLF'])('%s is billed in the currency of the account', currency => {
    const {billingAmount} = build('chip', {amount: '100', currency}).transactionData
    expect(billingAmount).toMatchObject({currency: 'EUR'})
    expect(billingAmount).not.toMatchObject({amount: 100})
  })

  test('a partial reversal lowers the hold of its transaction', () => {
    const {metadata, transactionData} = build('partial-reversal', {transactionId: 't_7'})
    expect(metadata).toMatchObject({transactionId: 't_7', linkId: 't_7'})
    expect(transactionData).toMatchObject({
      originalTransactionId: 't_7',
      transactionAmount: {amount: 120, currency: 'EUR'},
      replacementAmount: {amount: 72, currency: 'EUR'},
    })
  })

  test('cash back is a part of the amount', () => {
    expect(build('cashback').transactionData.cashbackAmount).toEqual({amount: 24.94, currency: 'EUR'})
  })

  test('the amount of the library loses the decimals that a currency does not have', () => {
    expect(build('contactless', {currency: 'JPY'}).transactionData.transactionAmount).toEqual({
      amount: 4,
      currency: 'JPY',
    })
  })
})

test('each call has ids of its own', () => {
  const [one, other] = [build('chip'), build('chip')]
  expect(one.metadata.id).not.toBe(other.metadata.id)
  expect(one.metadata.transactionId).not.toBe(other.metadata.transactionId)
})
