import type * as FastCheck from 'fast-check'
import {callFields} from '../call-fields.ts'
import {expectOwnDecision} from '../repeat-checks.ts'
import type {Property} from './property.ts'

interface Different {
  readonly path: string
  readonly value: string | null
}

/** Another call with a known id never gets the earlier answer, whatever it differs in. */
export async function reusedIds(fc: typeof FastCheck): Promise<Property<Different>> {
  const {optional, texts} = await callFields()
  const paths = [...new Set([...texts, ...optional])].filter(path => !/traceId|messageCategory/.test(path))
  return {
    name: 'another call with a known id, which differs in any field: decided by its own content, or 409',
    rule: 'reused-ids',
    runs: 20,
    arbitrary: fc.record({path: fc.constantFrom(...paths), value: fc.constantFrom('4711', 'another', null)}),
    run: (exam, {path, value}) => {
      const isText = texts.includes(path)
      return expectOwnDecision(exam, {[path]: isText ? (value ?? 'other') : null})
    },
    steps: ({path, value}) => [
      {name: 'paid', send: 'chip', amount: '10 EUR'},
      {
        repeat: 'paid',
        set: {[path.replace('[]', '')]: path.endsWith('[]') ? [value] : value},
        expect: {decision: ['declined', 'refused'], rule: 'reused-ids'},
      },
    ],
  }
}
