import fc from 'fast-check'
import {expect, it} from 'vitest'
import {checkInput} from '../../src/imported/call/check.ts'
import {validate} from '../../src/imported/call/validate.ts'
import type {ImportedOperation, Schema} from '../../src/imported/index.ts'
import {runs} from '../helpers/whole.ts'

const scalar = fc.oneof(
  fc.record(
    {type: fc.constant('string'), minLength: fc.nat(2), maxLength: fc.nat(3)},
    {requiredKeys: ['type']},
  ),
  fc.record(
    {type: fc.constantFrom('integer', 'number'), minimum: fc.nat(3), maximum: fc.nat(5)},
    {requiredKeys: ['type']},
  ),
  fc.constantFrom(
    {type: 'boolean'},
    {},
    {enum: ['a', 1, true]},
    {type: ['string', 'null']},
    {type: 'string', format: 'date'},
  ),
)
const {schema} = fc.letrec(tie => ({
  schema: fc.oneof(
    {depthSize: 'small'},
    scalar,
    fc.record({type: fc.constant('array'), items: tie('schema')}, {requiredKeys: ['type']}),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')),
        required: fc.uniqueArray(fc.constantFrom('a', 'b'), {maxLength: 2}),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      },
      {requiredKeys: ['type']},
    ),
  ),
}))
const {value} = fc.letrec(tie => ({
  value: fc.oneof(
    {depthSize: 'small'},
    fc.constantFrom<unknown>('', 'a', '😀', 'abcd', 0, 1, 2.5, 9, true, null, [], {}),
    fc.array(tie('value'), {maxLength: 2}),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
  ),
}))

it('a body is refused if and only if the validator refuses it', async () => {
  const seen = {fine: 0, refused: 0}
  await fc.assert(
    fc.asyncProperty(schema, value, async (of, body) => {
      const operation = {parameters: [], body: {required: true, schema: of}} as unknown as ImportedOperation
      const found = await checkInput(operation, {path: {}, query: {}, body}, () => undefined)
      const errors = await validate(of as Schema, body, 'request')
      expect(found.length > 0).toBe(errors.length > 0)
      seen[errors.length > 0 ? 'refused' : 'fine']++
    }),
    {numRuns: runs(1000)},
  )
  expect(Math.min(seen.fine, seen.refused)).toBeGreaterThan(runs(100))
})
