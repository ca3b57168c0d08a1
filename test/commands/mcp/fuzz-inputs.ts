import type {Tool} from '@modelcontextprotocol/client'
import fc from 'fast-check'
import {codePoint} from '../../helpers/code-point.ts'

const texts = [
  '3001',
  '2001',
  '1003',
  '2006:2007:1.00:EUR:x',
  '1.500',
  '-1',
  '0',
  '--yes',
  '-p',
  '--',
  '@/etc/passwd',
  '-',
  '..',
  '/',
  '%2e%2e',
  '\u0000',
  '\u202e',
  '\ud800',
  'null',
  'NaN',
  '9'.repeat(400),
  '2006-13-45',
  'credit',
  'EUR',
  'card',
  '{}',
  '*',
]

/** Ids that exist, numbers on the edge, flags, files, and what no text should hold. */
export const hostileValue = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({unit: codePoint, maxLength: 30}),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom(...texts), {maxLength: 3}),
  fc.object({maxDepth: 2, maxKeys: 3}),
)

/** Calls of tools whose inputs have mostly the names and types of their schemas. */
export const fuzzInputs = (tools: readonly Tool[]) =>
  // A wait takes as long as it takes, and its faults would make the service slow.
  fc
    .constantFrom(...tools.filter(({name}) => !/faults|wait|remotecheckout/.test(name)))
    .chain(({name, inputSchema}) => {
      const {properties = {}, required = []} = inputSchema
      const known = Object.entries(properties).filter(([each]) => !/^wait/.test(each))
      const fields = known.map(
        ([each, schema]) => [each, fc.oneof({weight: 3, arbitrary: valueFor(schema)}, hostileValue)] as const,
      )
      return fc
        .tuple(
          fc.record(Object.fromEntries(fields), {requiredKeys: required.filter(each => !/^wait/.test(each))}),
          fc.dictionary(fc.string({maxLength: 8}), hostileValue, {maxKeys: 1}),
          fc.integer({min: 0, max: 9}),
        )
        .map(([input, other, dice]) => ({name, input: dice === 0 ? {...input, ...other} : input}))
    })

function valueFor(schema: unknown): fc.Arbitrary<unknown> {
  const {type, enum: options, items} = schema as {type?: string; enum?: unknown[]; items?: unknown}
  if (options !== undefined) return fc.constantFrom(...options)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.integer({min: -1, max: 100})
  if (type === 'array') return fc.array(valueFor(items), {minLength: 1, maxLength: 3})
  if (type === 'object') return fc.object({maxDepth: 1, maxKeys: 3})
  return fc.constantFrom(...texts)
}
