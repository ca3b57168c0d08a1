import {explainBody} from '../../contract/explain-errors.ts'
import type {JsonSchema} from '../../contract/json-schema.ts'
import {schemaAt} from '../../contract/schema.ts'
import type {SchemaError} from '../../contract/validator.ts'
import {checkFields, type RuleWarning} from './check-fields.ts'
import {compileRules, decidesEveryCall, type Rule} from './compile-rules.ts'
import {shortNameIn} from './fields.ts'
import {type Position, parseText} from './parse-text.ts'
import type {RuleFile} from './rule-file.ts'
import {validators} from './validators.gen.js'

/** A problem in a rule file. */
export interface Issue extends Position {
  /** A sentence without a full stop. */
  readonly message: string
}

export interface ReadRules {
  /** Empty if there are problems. */
  readonly rules: readonly Rule[]
  readonly problems: readonly Issue[]
  /** Possible mistakes: a field that the contract doesn't know (yet), a rule that is never reached. */
  readonly warnings: readonly Issue[]
}

/**
 * Reads a rule file, YAML or JSON, and reports everything that is wrong with it, in order. For invalid YAML, only that.
 */
export async function readRules(text: string): Promise<ReadRules> {
  const {value, problems, at, written} = await parseText(text)
  if (problems.length > 0) return {rules: [], problems, warnings: []}
  const {issues, pointers} = await schemaProblems(value, at)
  const issuesFound = [...issues]
  const file = validParts(value, pointers)
  const rules = compileRules(file, (pointer, message) => issuesFound.push({...at(pointer), message}))
  if (issuesFound.length > 0) return {rules: [], problems: inOrder(issuesFound), warnings: []}
  const doubts = [...(await checkFields(file, written)), ...unreached(rules)]
  const warnings = doubts.map(({pointer, message, what}) => ({...at(pointer, what), message}))
  return {rules, problems: [], warnings: inOrder(once(warnings))}
}

/** The first rule that no call reaches. The following ones need no warning of their own. */
function unreached(rules: readonly Rule[]): readonly RuleWarning[] {
  const last = rules.findIndex(decidesEveryCall)
  const behind = last < 0 ? 0 : rules.length - last - 1
  if (behind === 0) return []
  const never = behind === 1 ? 'this rule is never reached' : 'this rule and all after it are never reached'
  return [{pointer: `/rules/${last + 1}`, message: `${rules[last]?.name} takes every call, so ${never}`}]
}

async function schemaProblems(
  value: unknown,
  at: (pointer: string, what?: 'key') => Position,
): Promise<{issues: readonly Issue[]; pointers: readonly string[]}> {
  const validate = validators.rules
  if (!validate) throw new Error('There is no validator for rules.')
  if (validate(value)) return {issues: [], pointers: []}
  const schema = await loadSchema()
  const issues = new Map<string, Issue>()
  const pointers: string[] = []
  for (const error of validate.errors ?? []) {
    const explanation = explainBody(inWords(error, schema), value, schema)
    if (!explanation) continue
    const {pointer, subject, problem, suggestion} = explanation
    pointers.push(pointer)
    const isKey = error.params.additionalProperty !== undefined
    const near = suggestion ?? (isKey ? shortNameIn(subject) : undefined)
    const meant = near === undefined ? '' : `; did you mean ${near}?`
    const issue = {
      ...at(pointer, isKey ? 'key' : undefined),
      message: `${subject === 'the body' ? 'the file' : subject} ${problem}${meant}`,
    }
    issues.set(`${pointer} ${subject} ${problem}`, issue)
  }
  return {issues: [...issues.values()], pointers}
}

/**
 * The rules with a harmless value in place of everything that doesn't match the schema, so that the rest can be
 * checked.
 */
function validParts(value: unknown, problems: readonly string[]): RuleFile {
  if (problems.length === 0) return value as RuleFile
  const bad = new Set(problems.map(pointer => pointer.split('/', 4).join('/')))
  const {rules} = Object(value) as {rules?: unknown}
  if (!Array.isArray(rules)) return {rules: []}
  const soundRule = (rule: unknown, at: number) => {
    const isSound = ([part]: [string, unknown]) =>
      !bad.has(`/rules/${at}`) && !bad.has(`/rules/${at}/${part}`)
    return Object.fromEntries([['then', 'approve'], ...Object.entries(Object(rule)).filter(isSound)])
  }
  return {rules: rules.map(soundRule)} as unknown as RuleFile
}

/** The patterns of the schema in words. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/approve\|no answer/, 'approve, no answer, or an object such as {decline: "51"}'],
  [/^\^no answer\$$/, 'no answer, or an object such as {decline: "05"}'],
  [/%\| \[A-Z\]/, 'a share such as "50%" or an amount such as 30 EUR'],
  [/^\^\\d.* \[A-Z\]/, 'a number of calls or a sum such as 500 EUR'],
  [/%/, 'a share such as 10%'],
  [/ \[A-Z\]/, 'an amount with its currency, such as 12.50 EUR'],
  [/\[A-Z\]\{3\}/, 'three capital letters'],
  [/\(ms\|s\)/, 'a time such as 300ms or 1.5s'],
  [/\(s\|m\|h\|d\)/, 'a time such as 30s, 10m, 24h or 7d'],
  [/payment\|/, 'payment, credit, reversal, balance-inquiry, pin-management or verification'],
  [/\[0-5\]/, 'a time of the day such as 22:00'],
  [/\{4\}/, 'four digits or a range such as "3000-3299"'],
]

/** A value of another type gets the message for a wrong format: a user who wrote 50 for a share needs an example. */
function inWords(error: SchemaError, schema: JsonSchema): SchemaError {
  if (error.keyword !== 'pattern' && error.keyword !== 'type') return error
  const pattern = schemaAt(schema, error.instancePath)?.pattern ?? ''
  const form = FORMS.find(([sign]) => sign.test(pattern))?.[1]
  return form === undefined ? error : {...error, keyword: 'form', message: `must be ${form}`}
}

/** The published schema with its references replaced, to suggest names. Loaded only for a file with errors. */
async function loadSchema(): Promise<JsonSchema> {
  const {default: schema} = await import('../../../docs/webhook-rules.schema.json', {with: {type: 'json'}})
  const definitions: Readonly<Record<string, unknown>> = schema.$defs
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve)
    if (typeof node !== 'object' || node === null) return node
    const {$ref, ...rest} = node as Record<string, unknown>
    const target = typeof $ref === 'string' ? resolve(definitions[$ref.replace('#/$defs/', '')]) : {}
    return Object.assign(
      {},
      target,
      Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, resolve(item)])),
    )
  }
  return resolve(schema) as JsonSchema
}

/** A part that an alias repeats is reported once. */
const once = (issues: readonly Issue[]): readonly Issue[] => [
  ...new Map(issues.map(issue => [`${issue.line}:${issue.column}:${issue.message}`, issue])).values(),
]

const inOrder = (issues: readonly Issue[]): readonly Issue[] =>
  issues.toSorted((a, b) => a.line - b.line || a.column - b.column)
