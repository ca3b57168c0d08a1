import type * as FastCheck from 'fast-check'
import {fieldSchemas, type JsonSchema, requestSchema, typesOf} from '../../../contract/schema.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {ReceivedCall} from '../../received-call.ts'
import type {Property} from './property.ts'

/** A payment in another form than usual: what is absent, unknown, or has a value that the contract doesn't list. */
interface OddCall {
  readonly scenario: string
  /** Optional fields that are absent; and the same call has them as null. */
  readonly absent: readonly string[]
  readonly values: readonly (readonly [path: string, value: string])[]
  /** Objects with a field that the contract doesn't know; the empty path is the call. */
  readonly unknown: readonly (readonly [path: string, value: unknown])[]
}

interface Fields {
  readonly optional: readonly string[]
  readonly texts: readonly string[]
  readonly objects: readonly string[]
}

/** Without these, or with other values, a call is another one, or is about another amount. */
const KEPT =
  /^(metadata\.(id|transactionId)|account(\..*)?|card\.cardId|customer\.customerId|transactionData\.(transactionType|partialApprovalCapable|transactionAmount|billingAmount|replacementAmount)|.*\.(amount|currency))$/
const SCENARIOS = ['contactless', 'chip', 'ecommerce', 'wallet', 'atm'] as const

/** Any payment in any form of the contract is decided, and what is unknown or null changes nothing. */
export async function oddCalls(fc: typeof FastCheck): Promise<Property<OddCall>> {
  const {optional, texts, objects} = fieldsOf((await requestSchema('webhook.auth')) ?? {})
  const text = fc.oneof(
    fc.string({unit: 'binary', maxLength: 40}),
    fc.string({unit: 'grapheme', maxLength: 200}),
    fc.constantFrom(
      '',
      'SOMETHING_NEW',
      'null',
      '0',
      '\'"\\<>&;',
      'a\nb\r\n\t',
      '../../etc/passwd',
      '__proto__',
    ),
  )
  return {
    name: 'payments in any form of the contract: decided, and alike with null and with unknown fields',
    rule: 'unknown-fields',
    runs: 60,
    arbitrary: fc.record({
      scenario: fc.constantFrom(...SCENARIOS),
      absent: fc.uniqueArray(fc.constantFrom(...optional), {maxLength: 4}),
      values: fc.uniqueArray(fc.tuple(fc.constantFrom(...texts), text), {
        maxLength: 3,
        selector: ([path]) => path,
      }),
      unknown: fc.uniqueArray(
        fc.tuple(
          fc.constantFrom(...objects),
          fc.oneof(fc.string({maxLength: 5}), fc.jsonValue({maxDepth: 2})),
        ),
        {maxLength: 3, selector: ([path]) => path},
      ),
    }),
    run: async (exam, odd) => {
      const call = exam.call(odd.scenario, {amount: '10 EUR'})
      const absent = edited(call, {...odd, unknown: []}, undefined)
      const first = await exam.send(absent)
      const rule = odd.values.length > 0 ? 'unknown-values' : 'null-fields'
      exam.expectDecided(first, rule)
      if (odd.absent.length === 0 && odd.unknown.length === 0) return
      const again = exam.call(odd.scenario, {amount: '10 EUR'})
      const other = await exam.send(edited(again, odd, null))
      exam.expectSame(first, [other], 'the same decision with null and unknown fields', ruleOf(odd))
    },
    steps: ({scenario, absent, values, unknown}) => [
      {
        send: scenario,
        amount: '10 EUR',
        card: 'new',
        expect: 'decided',
        set: Object.fromEntries([
          ...absent.map(path => [path, null] as const),
          ...values,
          ...unknown.map(([path, value]) => [`${path}${path === '' ? '' : '.'}somethingNew`, value] as const),
        ]),
      },
    ],
  }
}

const ruleOf = ({unknown}: OddCall): string => (unknown.length > 0 ? 'unknown-fields' : 'null-fields')

function edited(
  call: ReceivedCall,
  {absent, values, unknown}: OddCall,
  none: null | undefined,
): ReceivedCall {
  const copy = structuredClone(call) as Record<string, unknown>
  for (const [path, value] of values) edit(copy, path, value)
  for (const [path, value] of unknown) edit(copy, `${path}${path === '' ? '' : '.'}somethingNew`, value)
  for (const path of absent) edit(copy, path, none)
  return JSON.parse(JSON.stringify(copy)) as ReceivedCall
}

/** Sets a field. A list gets one item. Where the object around it is missing, nothing changes. */
function edit(call: Record<string, unknown>, path: string, value: unknown): void {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const [name, isList] = [last.replace('[]', ''), last.endsWith('[]')]
  let inside: unknown = call
  for (const step of steps) inside = isObject(inside) ? (inside as Record<string, unknown>)[step] : undefined
  if (isObject(inside)) (inside as Record<string, unknown>)[name] = isList && value != null ? [value] : value
}

function fieldsOf(schema: JsonSchema): Fields {
  const found = {optional: [] as string[], texts: [] as string[], objects: ['']}
  const walk = (node: JsonSchema, around: string) => {
    for (const [name, field] of Object.entries(fieldSchemas(node))) {
      const path = `${around}${name}`
      const types = typesOf(field)
      if (Object.keys(fieldSchemas(field)).length > 0) {
        found.objects.push(path)
        walk(field, `${path}.`)
      }
      if (KEPT.test(path)) continue
      if (types.includes('null')) found.optional.push(path)
      const isDigits = field.pattern !== undefined
      if (types.includes('string') && !isDigits) found.texts.push(path)
      if (types.includes('array') && field.items && typesOf(field.items).includes('string'))
        found.texts.push(`${path}[]`)
    }
  }
  walk(schema, '')
  return found
}
