import {type Forms, type Issue, inOrder, once, parseText, schemaProblems} from '../../user-files/index.ts'
import {checkFields, type RuleWarning} from './check-fields.ts'
import {compileRules, decidesEveryCall, type Rule} from './compile-rules.ts'
import {shortNameIn} from './fields.ts'
import type {RuleFile} from './rule-file.ts'
import {validators} from './validators.gen.js'

const loadSchema = () => import('../../../docs/webhook-rules.schema.json', {with: {type: 'json'}})

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
  const {issues, pointers} = await schemaProblems(value, at, {
    validate: validators.rules,
    loadSchema,
    forms: FORMS,
    otherName: shortNameIn,
  })
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
const FORMS: Forms = [
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
