import {isDeepStrictEqual} from 'node:util'
import {explainBody} from '../../contract/explain-errors.ts'
import type {SchemaError} from '../../contract/validator.ts'
import {maskText} from '../../sensitive/mask-text.ts'
import {inside, type Place} from '../rules/rule-file.ts'
import type {Expectation} from './expectations.ts'
import type {ExpectSpec} from './suite-file.ts'

type Bare = Omit<Expectation, 'basis' | 'why'>

/** What is expected of the body of an answer: by JSON Schema, and by JMESPath. Both are loaded on first use. */
export async function answerTests({schema, query}: ExpectSpec, place: Place): Promise<readonly Bare[]> {
  const tests: Bare[] = []
  if (schema !== undefined) tests.push(await schemaTest(schema, inside(place, 'schema')))
  if (query !== undefined) {
    const wanted: readonly (readonly [string, unknown])[] =
      typeof query === 'string' || Array.isArray(query)
        ? [query].flat().map(expression => [String(expression), true] as const)
        : Object.entries(query)
    for (const [expression, value] of wanted) {
      tests.push(await queryTest(expression, value, inside(place, 'query')))
    }
  }
  return tests
}

async function schemaTest(schema: object | boolean, place: Place): Promise<Bare> {
  const {Ajv2020} = await import('ajv/dist/2020.js')
  const {default: addFormats} = await import('ajv-formats')
  const ajv = new Ajv2020({strict: false, allErrors: true, logger: false})
  addFormats.default(ajv)
  const what = {what: 'schema', expected: 'an answer that matches the schema'}
  try {
    const validate = ajv.compile(schema)
    return {
      ...what,
      test: ({verdict: {reply}}) => {
        if (validate(reply)) return {passed: true, got: 'it matches'}
        const errors = (validate.errors ?? []) as readonly SchemaError[]
        const [first] = errors.flatMap(error => explainBody(error, reply) ?? [])
        return {passed: false, got: first ? `${first.subject} ${first.problem}` : 'it does not match'}
      },
    }
  } catch {
    place.report(place.pointer, 'this is not a JSON Schema (2020-12)')
    return {...what, test: () => ({passed: false, got: 'no schema'})}
  }
}

async function queryTest(expression: string, wanted: unknown, place: Place): Promise<Bare> {
  const jmespath = await import('@jmespath-community/jmespath')
  const isTruth = wanted === true
  const what = {
    what: 'query',
    expected: isTruth ? expression : `${expression} is ${JSON.stringify(wanted)}`,
  }
  try {
    jmespath.compile(expression)
  } catch {
    place.report(place.pointer, `this is not a JMESPath expression: ${maskText(expression)}`)
    return {...what, test: () => ({passed: false, got: 'no expression'})}
  }
  return {
    ...what,
    test: ({verdict: {reply}}) => {
      try {
        const found: unknown = jmespath.search(reply as never, expression)
        const passed = isTruth ? isTrue(found) : isDeepStrictEqual(found, wanted)
        return {passed, got: found === undefined ? 'nothing' : JSON.stringify(found)}
      } catch {
        return {passed: false, got: 'the expression does not fit the answer'}
      }
    },
  }
}

/** As JMESPath sees it. */
function isTrue(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
