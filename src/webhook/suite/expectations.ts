import {codeOf} from '../../contract/response-codes.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {readDuration} from '../../limits/duration.ts'
import {decimalText} from '../../money/amount.ts'
import {maskText} from '../../sensitive/mask-text.ts'
import type {ReceivedCall} from '../received-call.ts'
import {changeFrom, plainDecisionOf} from '../recording/changed-decision.ts'
import {codeNumber} from '../response-codes.ts'
import {amountsOf} from '../rules/amounts.ts'
import {inside, type Place, type ValueSpec} from '../rules/rule-file.ts'
import {compileValue} from '../rules/values.ts'
import type {Verdict} from '../send/caller.ts'
import {answerTests} from './answer-tests.ts'
import type {Expectation, Sent} from './expectation.ts'
import type {Expected, ExpectSpec} from './suite-file.ts'

const DECISIONS = ['approved', 'partial', 'declined'] as const
const WORDS = [...DECISIONS, 'decided', 'ready', 'refused', 'invalid', 'late', 'unreachable']

/** Fields of expectations that only a load has. */
export const LOAD_FIELDS = ['p50', 'p95', 'p99', 'p999', 'max', 'inTime', 'invalid'] as const

/** An expectation as an object. `declined 51` and `partial 80 EUR` are a decision with its code or amount. */
export function specOf(expected: string | ExpectSpec): ExpectSpec {
  if (typeof expected !== 'string') return expected
  const [decision = '', ...rest] = expected.trim().split(/\s+/)
  if (rest.length === 0) return {decision}
  const more = rest.join(' ')
  return / /.test(more) ? {decision, amount: more} : {decision, code: more}
}

export const specsOf = (expected: Expected | undefined): readonly ExpectSpec[] =>
  expected === undefined ? [] : [expected].flat().map(each => specOf(each as string | ExpectSpec))

/** Whether an expectation says itself what kind of answer there is. Otherwise it is a decision of the contract. */
export const namesAnswer = ({decision, status, sameAs, code, amount}: ExpectSpec): boolean =>
  [decision, status, sameAs, code, amount].some(field => field !== undefined)

/** What every call is expected to get if nothing else is. */
export const ANY_DECISION: ExpectSpec = {decision: 'decided', basis: 'known'}

/** Compiles an expectation. Reports, at its place, what the schema of suites can't check. */
export async function compileExpectation(spec: ExpectSpec, place: Place): Promise<readonly Expectation[]> {
  const {decision, code, amount, status, within, sameAs, orStatus} = spec
  const found: Bare[] = []
  if (decision !== undefined) found.push(compileDecision(decision, inside(place, 'decision')))
  if (code !== undefined) found.push(compileCode(code, inside(place, 'code')))
  if (amount !== undefined) found.push(compileAmount(amount, inside(place, 'amount')))
  if (status !== undefined) found.push(compileStatus(status, inside(place, 'status')))
  if (within !== undefined) found.push(compileWithin(within))
  if (sameAs !== undefined) found.push(compileSameAs(sameAs, orStatus))
  found.push(...(await answerTests(spec, place)))
  return found.map(each => ({...each, ...restsOf(spec)}))
}

type Bare = Omit<Expectation, 'rule' | 'basis' | 'why'>

/** What an expectation rests on. */
export const restsOf = ({rule, basis, why}: Pick<ExpectSpec, 'rule' | 'basis' | 'why'>) => ({
  ...(rule !== undefined && {rule}),
  ...(basis && {basis}),
  ...(why !== undefined && {why: maskText(why)}),
})

function compileDecision(spec: ValueSpec, place: Place): Bare {
  for (const word of leavesOf(spec)) {
    if (WORDS.includes(word)) continue
    const meant = nearestName(word, WORDS)
    const [first = '', ...rest] = word.split(' ')
    const short = `: with ${rest.join(' ')} beside it, write expect: ${word}`
    const others = rest.length > 0 && WORDS.includes(first) ? short : `: it is one of ${WORDS.join(', ')}`
    const hint = meant === undefined ? others : `; did you mean ${meant}?`
    place.report(place.pointer, `this is not a decision${hint}`)
  }
  const test = compileValue(spec, false, place)
  return {
    what: 'decision',
    expected: inWords(spec),
    test: ({verdict}) => ({
      passed: test({found: kindsOf(verdict), lacking: false}) === true,
      got: verdictInWords(verdict),
    }),
  }
}

/** The words for an outcome. An HTTP status from 400 to 499 refuses a call, which is no answer of the contract either. */
function kindsOf({outcome, status = 0}: Verdict): readonly string[] {
  if (outcome === 'invalid') return status >= 400 && status < 500 ? ['refused', 'invalid'] : ['invalid']
  return isDecision(outcome) ? [outcome, 'decided'] : [outcome]
}

const isDecision = (outcome: string): boolean => (DECISIONS as readonly string[]).includes(outcome)

function compileCode(spec: ValueSpec, place: Place): Bare {
  for (const word of leavesOf(spec)) {
    if (codeOf(word) === undefined) {
      place.report(place.pointer, 'the response code is unknown: put a code such as "05" in quotes')
    }
  }
  const test = compileValue(mapLeaves(spec, codeNumber), false, place)
  return {
    what: 'code',
    expected: `code ${inWords(spec)}`,
    test: ({verdict}) => ({
      passed:
        verdict.code !== undefined && test({found: [codeNumber(verdict.code)], lacking: false}) === true,
      got: verdict.code === undefined ? verdictInWords(verdict) : `code ${verdict.code}`,
    }),
  }
}

function compileAmount(spec: ValueSpec, place: Place): Bare {
  const test = compileValue(spec, false, place)
  return {
    what: 'amount',
    expected: `${inWords(spec)} approved`,
    test: sent => {
      const found = approvedAmounts(sent)
      return {
        passed: test({found, lacking: false}) === true,
        got:
          found.length === 0
            ? verdictInWords(sent.verdict)
            : `${found.map(moneyInWords).join(' = ')} approved`,
      }
    },
  }
}

/** What an answer approves: the part, or the amount of the call in each of its currencies. */
function approvedAmounts({call, verdict: {outcome, part}}: Sent): readonly unknown[] {
  if (outcome === 'partial') return part ? [part] : []
  return outcome === 'approved' ? amountsOf(call as ReceivedCall) : []
}

function compileStatus(spec: ValueSpec, place: Place): Bare {
  const test = compileValue(spec, false, place)
  return {
    what: 'status',
    expected: spec === '???' ? 'an HTTP status' : `status ${inWords(spec)}`,
    test: ({verdict}) => ({
      passed: verdict.status !== undefined && test({found: [verdict.status], lacking: false}) === true,
      got: verdict.status === undefined ? verdictInWords(verdict) : `status ${verdict.status}`,
    }),
  }
}

function compileWithin(text: string): Bare {
  const most = readDuration(text) ?? Number.MAX_SAFE_INTEGER
  return {
    what: 'time',
    expected: `within ${most} ms`,
    test: ({verdict}) => ({
      passed: verdict.status !== undefined && verdict.durationMs <= most,
      got: verdict.status === undefined ? verdictInWords(verdict) : `${verdict.durationMs} ms`,
    }),
  }
}

function compileSameAs(step: string, orStatus: number | undefined): Bare {
  return {
    what: 'same',
    expected: `the same answer as ${step}${orStatus === undefined ? '' : `, or status ${orStatus}`}`,
    test: ({verdict}, earlier) => {
      if (orStatus !== undefined && verdict.status === orStatus) {
        return {passed: true, got: `status ${orStatus}`}
      }
      const first = earlier(step)?.verdict
      if (!first) return {passed: false, got: `${step} has no answer`}
      const [was, is] = [plainDecisionOf(first), plainDecisionOf(verdict)]
      const passed = was === undefined ? verdict.outcome === first.outcome : changeFrom(was, is) === undefined
      return {passed, got: `${verdictInWords(verdict)}${passed ? '' : `, after ${verdictInWords(first)}`}`}
    },
  }
}

/** `approved`, `declined 51`, `partial 80 EUR`, `refused, status 400`, `invalid: …`. */
export function verdictInWords({outcome, code, part, status, reason}: Verdict): string {
  if (outcome === 'declined') return `declined ${code}`
  if (outcome === 'partial') return part ? `partial ${moneyInWords(part)}` : 'partial'
  if (outcome === 'invalid') {
    const isRefusal = status !== undefined && status >= 400 && status < 500
    return isRefusal ? `refused with status ${status}` : `invalid: ${reason}`
  }
  return outcome === 'unreachable' ? `unreachable: ${reason}` : outcome
}

function moneyInWords(value: unknown): string {
  const {amount, currency} = value as {readonly amount: number | string; readonly currency: string}
  return `${typeof amount === 'number' ? decimalText(amount) : amount} ${currency}`
}

function leavesOf(spec: ValueSpec): readonly string[] {
  if (Array.isArray(spec)) return spec.map(String)
  if (typeof spec !== 'object' || spec === null) return [String(spec)]
  const {not} = spec as {readonly not?: ValueSpec}
  return not === undefined ? [] : leavesOf(not)
}

function mapLeaves(spec: ValueSpec, change: (text: string) => string): ValueSpec {
  if (Array.isArray(spec)) return spec.map(item => change(String(item)))
  if (typeof spec !== 'object' || spec === null) return change(String(spec))
  const {not} = spec as {readonly not?: string | readonly string[]}
  return not === undefined ? spec : {not: [not].flat().map(change)}
}

/** `51 or 61`, `not approved`, `over 10 EUR`, `from 10 to 20 EUR`. */
function inWords(spec: ValueSpec): string {
  if (Array.isArray(spec)) return spec.map(String).join(' or ')
  if (typeof spec !== 'object' || spec === null) return String(spec)
  const {
    not,
    min,
    max,
    over,
    under,
    currency = '',
  } = spec as {readonly not?: ValueSpec} & Readonly<
    Record<'min' | 'max' | 'over' | 'under', number | undefined>
  > & {readonly currency?: string}
  if (not !== undefined) return `not ${inWords(not)}`
  const ends = [
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(over === undefined ? [] : [`over ${over}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
    ...(under === undefined ? [] : [`under ${under}`]),
  ]
  return `${ends.join(' and ')} ${currency}`.trim()
}
