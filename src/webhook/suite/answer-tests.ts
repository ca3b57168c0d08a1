import {isDeepStrictEqual} from 'node:util'
import type {Ajv2020 as Ajv} from 'ajv/dist/2020.js'
import {explainBody} from '../../contract/explain-errors.ts'
import type {SchemaError} from '../../contract/validator.ts'
import {misfit, readExpression} from '../../input/expression.ts'
import {maskText} from '../../sensitive/mask-text.ts'
import {inside, type Place} from '../rules/rule-file.ts'
import type {Expectation} from './expectation.ts'
import type {ExpectSpec} from './suite-file.ts'

type Bare = Omit<Expectation, 'rule' | 'basis' | 'why'>

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
    reportSchema(ajv, schema, place)
    return {...what, test: () => ({passed: false, got: 'no schema'})}
  }
}

const NO_SCHEMA = 'this is not a JSON Schema (2020-12)'

/** Says which places of a schema are wrong, by the schema of schemas. A reference that leads nowhere has no place there. */
function reportSchema(ajv: Ajv, schema: object | boolean, place: Place): void {
  ajv.validateSchema(schema)
  const errors = (ajv.errors ?? []).filter(({keyword}) => keyword !== 'anyOf')
  if (errors.length === 0) place.report(place.pointer, NO_SCHEMA)
  const seen = new Set<string>()
  for (const {instancePath, message, params} of errors) {
    if (seen.has(instancePath)) continue
    seen.add(instancePath)
    const allowed = params.allowedValues as readonly string[] | undefined
    const problem = allowed === undefined ? message : `must be one of ${allowed.join(', ')}`
    place.report(place.pointer + instancePath, `${NO_SCHEMA}: it ${problem}`)
  }
}

async function queryTest(text: string, wanted: unknown, place: Place): Promise<Bare> {
  const isTruth = wanted === true
  const what = {what: 'query', expected: isTruth ? text : `${text} is ${JSON.stringify(wanted)}`}
  const expression = await readExpression(text)
  if (typeof expression === 'string') {
    place.report(place.pointer, maskText(`this is not a JMESPath expression: ${expression}`))
    return {...what, test: () => ({passed: false, got: 'no expression'})}
  }
  return {
    ...what,
    test: ({verdict: {reply}}) => {
      try {
        const found = expression.search(reply)
        const passed = isTruth ? isTrue(found) : isDeepStrictEqual(found, wanted)
        return {passed, got: found === undefined ? 'nothing' : JSON.stringify(found)}
      } catch (error) {
        return {passed: false, got: `the expression does not fit the answer: ${misfit(error)}`}
      }
    },
  }
}

/** As JMESPath sees it. */
function isTrue(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
