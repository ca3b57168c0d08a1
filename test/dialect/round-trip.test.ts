// Whatever goes to a service by a dialect and comes back is the same.
import {readFileSync} from 'node:fs'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Shape} from '../../src/dialect/dialect-file.ts'
import {FORMS} from '../../src/dialect/dialect-file.ts'
import {toOurForm, toTheirForm, Unwritable} from '../../src/dialect/forms.ts'
import {type Mapping, readDialect, toOurs, toTheirs} from '../../src/dialect/index.ts'
import {leaves, put, valueAt} from '../../src/dialect/pointer.ts'

const year = fc.integer({min: 2000, max: 2099})
const month = fc.integer({min: 1, max: 12})
const cents = fc.integer({min: -99_999_999_999, max: 99_999_999_999})
const values: Record<(typeof FORMS)[number], fc.Arbitrary<unknown>> = {
  minor: cents.map(amount => amount / 100),
  'decimal-text': cents.map(amount => amount / 100),
  number: fc.nat().map(String),
  last4: fc.constantFrom('____________1111', '____________0004'),
  utc: fc
    .date({min: new Date(0), max: new Date(4e12), noInvalidDate: true})
    .map(date => date.toISOString().slice(0, -1)),
  MMYY: fc.record({year, month}),
  'MM/YY': fc.record({year, month}),
  'YYYY-MM': fc.record({year, month}),
  offset: fc.nat({max: 1000}),
  'page-from-1': fc.nat({max: 1000}),
}

describe('a value comes back as it went', () => {
  test.for(FORMS)('%s', form => {
    fc.assert(
      fc.property(values[form], value => {
        const around = {exponent: 2, size: 25}
        expect(toOurForm(form, toTheirForm(form, value, around), around)).toEqual(value)
      }),
    )
  })
})

describe('an amount in minor units', () => {
  test.for([
    [1.1, 2, 110],
    [0.07, 2, 7],
    [4.35, 2, 435],
    [1e-7, 2, undefined],
    ['9007199254740.99', 2, 900_719_925_474_099],
    ['90071992547409.93', 2, undefined],
    [5, 0, 5],
    [5.5, 0, undefined],
    [1.234, 3, 1234],
    [-0.01, 2, -1],
    [0, 2, 0],
    ['6.000', 2, undefined],
    ['1e3', 2, undefined],
    ['', 2, undefined],
    [true, 2, undefined],
    [1, undefined, undefined],
  ] as const)('of %s with %s decimals is %s', ([amount, exponent, minor]) => {
    const write = () => toTheirForm('minor', amount, {exponent})
    if (minor === undefined) expect(write).toThrow(Unwritable)
    else expect(write()).toBe(minor)
  })

  test.for([1.5, '1.5', 'x', {}, [], true, ''])('is not read from %j', value => {
    expect(() => toOurForm('minor', value, {exponent: 2})).toThrow(Unwritable)
  })

  test('is left out and named where it can not be read', () => {
    const shape: Shape = {
      '/amount': {at: '/cents', as: 'minor', currency: 'currency'},
      '/currency': '/currency',
    }
    const {ours, misfits} = toOurs(shape, {cents: 12.5, currency: 'EUR'}, {values: {}, shapes: {}})
    expect(ours).toEqual({currency: 'EUR'})
    expect(misfits).toEqual([{pointer: '/cents', problem: 'is no whole number of minor units'}])
  })
})

const name = fc
  .stringMatching(/^[a-z~/]{1,4}$/)
  .filter(text => text !== 'code')
  .map(text => `/${text.replaceAll('~', '~0').replaceAll('/', '~1')}`)
const pointer = fc
  .array(
    fc.oneof(
      name,
      fc.tuple(name, fc.constantFrom('/[code=A]', '/[code=B]', '/0')).map(parts => parts.join('')),
    ),
  )
  .map(steps => steps.join(''))

test('what was put at a pointer is found there', () => {
  fc.assert(
    fc.property(pointer, fc.nat(), (at, value) => {
      const member = `${at}/member`
      expect(valueAt(put(undefined, member, value), member)).toBe(value)
    }),
  )
})

test('no pointer reaches the prototype', () => {
  put({}, '/__proto__/polluted', true)
  put({}, '/constructor/prototype/polluted', true)
  expect(({} as {polluted?: unknown}).polluted).toBeUndefined()
})

describe('harbour', async () => {
  const text = readFileSync(new URL('../../examples/dialects/harbour.yaml', import.meta.url), 'utf8')
  const {compiled} = await readDialect(text)
  const {file} = compiled ?? {}
  const mapping: Mapping = {values: file?.values ?? {}, shapes: file?.shapes ?? {}}
  const names = (map: string) => fc.constantFrom(...Object.keys(mapping.values[map] ?? {}))
  const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, {nil: undefined})
  const time = values.utc
  const word = fc.oneof(fc.string(), fc.constant(null))
  const limit = fc.record({
    code: names('window'),
    values: fc.array(
      fc.record(
        {
          code: names('channel'),
          sumAmount: fc.nat().map(amount => amount / 100),
          count: fc.nat(),
          reset: fc.boolean(),
        },
        {requiredKeys: ['code']},
      ),
    ),
  })
  const card = fc.record(
    {
      id: fc.nat().map(id => `crd_${id}`),
      status: names('card state'),
      statusDate: time,
      reason: word,
      cardRole: fc.constantFrom('MAIN', 'SUPPLEMENTARY'),
      expiration: fc.record({year, month}),
      embossing: fc.record({firstName: word, lastName: word}),
      cardAddress: maybe(fc.record({address1: word, city: word, country: fc.constant('FIN')})),
      pinStatus: fc.constantFrom('D', 'W', 'S'),
      usageLimits: fc.array(limit),
    },
    {requiredKeys: ['id']},
  )
  const without = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

  test('any card of ours comes back from theirs', () => {
    fc.assert(
      fc.property(card, ours => {
        const {theirs, misfits} = toTheirs(mapping.shapes.card ?? {}, without(ours), mapping)
        expect(misfits).toEqual([])
        expect(toOurs(mapping.shapes.card ?? {}, theirs, mapping)).toEqual({ours: without(ours), misfits: []})
      }),
    )
  })

  test('nothing of ours is left out unseen', () => {
    fc.assert(
      fc.property(card, fc.stringMatching(/^[a-z]{3,9}$/), fc.jsonValue(), (ours, name, extra) => {
        const given = {...(without(ours) as object), [`x_${name}`]: extra}
        const {misfits} = toTheirs(mapping.shapes.card ?? {}, given, mapping)
        expect(misfits.map(one => one.pointer)).toEqual(leaves({[`x_${name}`]: extra}))
      }),
    )
  })
})
