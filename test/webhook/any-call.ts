import fc from 'fast-check'
import {bent, type Json} from './bent-calls.ts'

/** A call of the contract in which something is put at random, or any object at all. */
const anyValue = fc.jsonValue({maxDepth: 3})
export const paths = [
  'metadata',
  'metadata.id',
  'metadata.messageCategory',
  'customer',
  'account',
  'account.availableAmount',
  'card',
  'card.cardId',
  'transactionData',
  'transactionData.transactionType',
  'transactionData.transactionAmount',
  'transactionData.transactionAmount.amount',
  'transactionData.transactionAmount.currency',
  'transactionData.partialApprovalCapable',
  'transactionData.transactionFees',
  'merchantData',
  'merchantData.name',
  'merchantData.category',
  'merchantData.category.code',
  'merchantData.country',
  'token',
]
const strangeValue = fc.oneof(
  anyValue,
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e308,
    '1e999',
    [],
    {},
    [[]],
    {toString: 1, valueOf: 2},
    {amount: {}},
    'REVERSAL',
    'BALANCE_INQUIRY',
    'EUR',
    '500.00',
  ),
)
export const anyCall: fc.Arbitrary<Json> = fc
  .oneof(
    fc.dictionary(fc.string(), anyValue, {noNullPrototype: true}) as fc.Arbitrary<Json>,
    fc.array(fc.tuple(fc.constantFrom(...paths), strangeValue), {maxLength: 4}).map(changes =>
      bent(call => {
        for (const [path, value] of changes) {
          const steps = path.split('.')
          const owner = steps
            .slice(0, -1)
            .reduce<unknown>((place, step) => (place as Json | null)?.[step], call)
          if (typeof owner === 'object' && owner !== null && !Array.isArray(owner))
            (owner as Json)[steps.at(-1) ?? ''] = value
        }
      }),
    ),
  )
  .map(call => JSON.parse(JSON.stringify(call).replaceAll('"1e999"', '1e999')) as Json)
