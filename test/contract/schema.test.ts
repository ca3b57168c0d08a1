import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {skeleton} from '../../src/contract/explain-errors.ts'
import type {JsonSchema} from '../../src/contract/json-schema.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {fieldSchemas, fieldType, requestSchema} from '../../src/contract/schema.ts'
import type {OperationId} from '../../src/contract/types.ts'
import {checkInput} from '../../src/contract/validate.ts'

const withBody = (Object.keys(operations) as OperationId[]).filter(id => operations[id].body !== 'none')

async function schemaOf(id: OperationId): Promise<JsonSchema> {
  const schema = await requestSchema(id)
  if (schema === undefined) throw new Error(`${id} has no request schema`)
  return schema
}

/** Dotted paths of all leaves of a JSON value, with their values. */
function* leaves(value: unknown, path = ''): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) yield [path, value]
  else {
    for (const [name, item] of Object.entries(value))
      yield* leaves(item, path === '' ? name : `${path}.${name}`)
  }
}

/** Pointers of all objects of a JSON value that have members. */
function* objects(value: unknown, pointer = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && Object.keys(value).length > 0) yield pointer
  for (const [name, item] of Object.entries(value)) yield* objects(item, `${pointer}/${name}`)
}

/** A copy with a member more in the object at a pointer. */
function withUnheardOf(value: unknown, pointer: string): unknown {
  const copy = structuredClone(value) as Record<string, unknown>
  let place = copy
  for (const name of pointer.split('/').slice(1)) place = place[name] as Record<string, unknown>
  place.unheardOf = 1
  return copy
}

const checkBody = async (id: OperationId, body: unknown) => {
  const violations = await checkInput(id, {path: {}, query: {}, body})
  return violations.filter(({pointer}) => !/^(path|query):/.test(pointer))
}

test('exactly the operations with a body have a request schema', async () => {
  for (const id of Object.keys(operations) as OperationId[]) {
    expect((await requestSchema(id)) !== undefined, id).toBe(withBody.includes(id))
  }
})

describe('the skeleton', () => {
  test.each(withBody)('of %s has every member, and none that the contract refuses', async id => {
    const schema = await schemaOf(id)
    const template = skeleton(schema)
    const messages = (await checkBody(id, template)).map(({message}) => message)
    expect(messages.filter(message => / is not a field of | is missing$/.test(message))).toEqual([])
    const names = Object.keys(fieldSchemas(schema))
    if (names.length > 0) expect(Object.keys(template as object)).toEqual(names)
  })

  test.each(withBody)('of %s cannot be sent as it is: each placeholder is named', async id => {
    const template = skeleton(await schemaOf(id))
    const unfilled = [...leaves(template)].filter(
      ([, value]) => typeof value === 'string' && value.startsWith('<'),
    )
    const named = (await checkBody(id, template)).filter(({message}) => message.includes('placeholder'))
    expect(named.map(({pointer}) => pointer.slice(1).replaceAll('/', '.')).sort()).toEqual(
      unfilled.map(([path]) => path).sort(),
    )
  })

  test.each(withBody)('of %s is closed in every place', async id => {
    const template = skeleton(await schemaOf(id))
    for (const pointer of objects(template)) {
      const violations = await checkBody(id, withUnheardOf(template, pointer))
      expect(violations.map(violation => violation.pointer)).toContain(`${pointer}/unheardOf`)
    }
  })

  test('says what each place takes', async () => {
    expect(skeleton(await schemaOf('a2a.create.v1'))).toEqual({
      description: '<text, at most 255 characters>',
      transfers: [
        {
          fromAccountId: '<digits only>',
          toAccountId: '<digits only>',
          amount: '<amount>',
          currency: '<three capital letters, such as EUR>',
          text: '<text>',
        },
      ],
    })
    expect(skeleton(await schemaOf('accounts.patchCreditReminder.v4'))).toMatchObject({
      disableReminderProcess: '<true or false>',
      reminder1TriggerDate: '<date YYYY-MM-DD or null>',
    })
  })

  test('once filled in is taken', async () => {
    const template = skeleton(await schemaOf('pricelists.patch.v1'))
    expect(await checkBody('pricelists.patch.v1', {...(template as object), code: '<CODE>'})).toEqual([])
  })
})

describe('fieldType', () => {
  test.each([
    ['creditLimit', {type: 'number', nullable: false}],
    ['invoiceDayOfMonth', {type: 'integer', nullable: false}],
    ['interestPostingEnabled', {type: 'boolean', nullable: false}],
    ['number', {type: 'string', nullable: false}],
    ['address', {type: 'object', nullable: true}],
    ['address.city', {type: 'string', nullable: true}],
    ['usageLimits', {type: 'array', nullable: false}],
    ['usageLimits.0.code', {type: 'string', nullable: false}],
    ['usageLimits.12.values.3.sumAmount', {type: 'number', nullable: false}],
    ['additionalValues.0.value', {type: 'unknown', nullable: true}],
    ['address.0', {type: 'unknown', nullable: true}],
    ['nothing.of.this', {type: 'unknown', nullable: true}],
    ['constructor', {type: 'unknown', nullable: true}],
    ['__proto__.polluted', {type: 'unknown', nullable: true}],
    ['', {type: 'unknown', nullable: true}],
  ])('of %s in a credit account', async (path, expected) => {
    expect(fieldType(await schemaOf('accounts.patchCredit.v4'), path)).toEqual(expected)
  })

  test('never fails, whatever the path', async () => {
    const schema = await schemaOf('accounts.patchFleet.v4')
    fc.assert(
      fc.property(fc.string(), path => typeof fieldType(schema, path).type === 'string'),
      {numRuns: 200},
    )
  })

  test.each(withBody)('every leaf of the skeleton of %s has a type', async id => {
    const schema = await schemaOf(id)
    for (const [path, value] of leaves(skeleton(schema))) {
      if (value === '<any JSON value>' || value === '<any JSON value or null>' || path === '') continue
      expect(fieldType(schema, path).type, path).not.toBe('unknown')
    }
  })
})
