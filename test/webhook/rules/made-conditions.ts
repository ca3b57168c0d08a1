// Conditions made at random, each with what it means for a call in plain words.
import fc from 'fast-check'

/** A call by the few members that the model knows. Amounts are in cents, so that the model needs no decimals. */
export interface Made {
  readonly card: string
  readonly mcc: string
  readonly country: string | null
  readonly entryMode: string
  readonly merchant: string
  readonly cents: number
  readonly currency: string
  /** Milliseconds since the call before. */
  readonly pause: number
  /** Whether the merchant can take a part of the amount. */
  readonly capable: boolean
  /** What chance gives while this call is judged, in [0, 1). */
  readonly dice: number
}

export interface Fact extends Made {
  readonly at: number
}

/** A condition as it is written, and what it means. */
export interface Wanted {
  readonly field: string
  readonly spec: unknown
  /** Undefined where the call doesn't say; `careful` for a rule that lets calls pass. */
  holds(fact: Fact, careful: boolean): boolean | undefined
}

const mccs = ['0742', '3000', '3299', '5814', '6011']
const countries = ['FIN', 'NOR', 'USA']
const modes = ['CHIP', 'CHIP_CONTACTLESS', 'ECOMMERCE']
const merchants = ['Kahvila Aino', 'Kahvila *Oslo', 'Hotel', '']
export const currencies = ['EUR', 'NOK']

/** Amounts and chances that meet each other exactly more often than all others would. */
export const roundCents = [100, 250, 500]
export const shares = [25, 50, 75]

export const made: fc.Arbitrary<Made> = fc.record({
  card: fc.constantFrom('3001', '3002'),
  mcc: fc.constantFrom(...mccs),
  country: fc.constantFrom(...countries, null),
  entryMode: fc.constantFrom(...modes),
  merchant: fc.constantFrom(...merchants),
  cents: fc.oneof(fc.integer({min: 1, max: 500}), fc.constantFrom(...roundCents)),
  currency: fc.constantFrom(...currencies),
  // Whole minutes and hours, so that calls come at the very ends of windows.
  pause: fc.oneof(
    fc.nat(20 * 60_000),
    fc.nat(40).map(minutes => minutes * 60_000),
    fc.nat(5).map(hours => hours * 3_600_000),
  ),
  capable: fc.boolean(),
  dice: fc.oneof(
    fc.nat(999).map(thousandths => thousandths / 1000),
    fc.constantFrom(...shares).map(share => share / 100),
  ),
})

const short: Readonly<Record<string, (fact: Fact) => string | null>> = {
  mcc: ({mcc}) => mcc,
  'merchantData.category.code': ({mcc}) => mcc,
  country: ({country}) => country,
  'merchantData.country': ({country}) => country,
  entryMode: ({entryMode}) => entryMode,
  'card.cardId': ({card}) => card,
}
const values: Readonly<Record<string, readonly string[]>> = {
  mcc: mccs,
  'merchantData.category.code': mccs,
  country: countries,
  'merchantData.country': countries,
  entryMode: modes,
  'card.cardId': ['3001', '3002'],
}

const unlessAbsent = (field: string, fact: Fact, holds: (given: string) => boolean): boolean | undefined => {
  const given = short[field]?.(fact)
  return given == null ? undefined : holds(given)
}

const fields = fc.constantFrom(...Object.keys(short))
const equality: fc.Arbitrary<Wanted> = fields.chain(field =>
  fc.constantFrom(...(values[field] ?? [])).map(value => ({
    field,
    spec: value,
    holds: fact => unlessAbsent(field, fact, given => given === value),
  })),
)
const set: fc.Arbitrary<Wanted> = fields.chain(field =>
  fc.subarray([...(values[field] ?? [])], {minLength: 1}).map(list => ({
    field,
    spec: list,
    holds: fact => unlessAbsent(field, fact, given => list.includes(given)),
  })),
)
const negation: fc.Arbitrary<Wanted> = fc
  .tuple(
    fields.filter(field => field !== 'entryMode'),
    fc.nat(2),
  )
  .map(([field, at]) => {
    const value = values[field]?.[at % 2] ?? ''
    return {
      field,
      spec: {not: value},
      holds: (fact, careful) =>
        unlessAbsent(field, fact, given => given !== value) ?? (careful ? undefined : true),
    }
  })
const absent: fc.Arbitrary<Wanted> = fc.constant({
  field: 'merchantData.country',
  spec: null,
  holds: ({country}) => country === null,
})
const glob: fc.Arbitrary<Wanted> = fc
  .constantFrom<readonly [string, RegExp]>(
    ['Kahvila*', /^Kahvila.*$/],
    ['*o', /^.*o$/],
    ['H?tel', /^H.tel$/],
    ['*a*i*', /^.*a.*i.*$/],
    ['Kahvila *Oslo', /^Kahvila .*Oslo$/],
    ['*', /^.*$/],
  )
  .map(([spec, expression]) => ({field: 'merchant', spec, holds: ({merchant}) => expression.test(merchant)}))
const mccRange: fc.Arbitrary<Wanted> = fc
  .constantFrom<readonly [unknown, (mcc: number) => boolean]>(
    ['3000-3299', mcc => mcc >= 3000 && mcc <= 3299],
    [6011, mcc => mcc === 6011],
    [[742, '3299-5814'], mcc => mcc === 742 || (mcc >= 3299 && mcc <= 5814)],
    [{not: ['0000-2999']}, mcc => mcc >= 3000],
  )
  .map(([spec, holds]) => ({field: 'mcc', spec, holds: ({mcc}) => holds(Number(mcc))}))

/** The decimal number of so many cents. */
export const decimal = (cents: number) => cents / 100
const ends = fc.record(
  {min: fc.nat(500), max: fc.nat(500), over: fc.nat(500), under: fc.nat(500)},
  {requiredKeys: []},
)
const isIn = (value: number, {min, max, over, under}: Partial<Record<string, number>>) =>
  (min === undefined || value >= min) &&
  (max === undefined || value <= max) &&
  (over === undefined || value > over) &&
  (under === undefined || value < under)
const isSensible = ({min, max, over, under}: Partial<Record<string, number>>) =>
  (min ?? over ?? 0) <= (max ?? under ?? 500)
const range: fc.Arbitrary<Wanted> = fc
  .tuple(
    ends.filter(range => Object.keys(range).length > 0 && isSensible(range)),
    fc.constantFrom(...currencies),
    fc.constantFrom('amount', 'transactionData.transactionAmount'),
  )
  .map(([range, currency, field]) => ({
    field,
    spec: {
      ...Object.fromEntries(Object.entries(range).map(([name, cents]) => [name, decimal(cents)])),
      currency,
    },
    holds: fact => fact.currency === currency && isIn(fact.cents, range),
  }))
const exactAmount: fc.Arbitrary<Wanted> = fc
  .tuple(
    fc.array(fc.integer({min: 1, max: 500}), {minLength: 1, maxLength: 200}),
    fc.constantFrom(...currencies),
  )
  .map(([list, currency]) => ({
    field: 'amount',
    spec: list.map(cents => `${decimal(cents).toFixed(2)} ${currency}`),
    holds: fact => fact.currency === currency && list.includes(fact.cents),
  }))
const numbers: fc.Arbitrary<Wanted> = ends
  .filter(range => Object.keys(range).length > 0 && isSensible(range))
  .map(range => ({
    field: 'transactionData.transactionAmount.amount',
    spec: Object.fromEntries(Object.entries(range).map(([name, cents]) => [name, decimal(cents)])),
    holds: ({cents}) => isIn(cents, range),
  }))
const time: fc.Arbitrary<Wanted> = fc
  .tuple(fc.nat(23), fc.nat(23))
  .filter(([from, to]) => from !== to)
  .map(([from, to]) => ({
    field: 'time',
    spec: {from: `${String(from).padStart(2, '0')}:00`, to: `${String(to).padStart(2, '0')}:00`},
    holds: ({at}) => {
      const hour = new Date(at).getUTCHours()
      return from < to ? hour >= from && hour < to : hour >= from || hour < to
    },
  }))

export const conditions = fc
  .array(fc.oneof(equality, set, negation, absent, glob, mccRange, range, exactAmount, numbers, time), {
    maxLength: 3,
  })
  .map(list => [...new Map(list.map(wanted => [wanted.field, wanted])).values()])
