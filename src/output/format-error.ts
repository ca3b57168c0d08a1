import {duration} from '../errors/duration.ts'
import type {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {describeProblem, type RowProblem} from '../rows/problems.ts'
import {maskText, maskWithin} from '../sensitive/mask-text.ts'
import {redact} from '../sensitive/redact.ts'
import type {ErrorField} from './error-schema.ts'
import {jsonLine} from './escape-text.ts'
import {bad, dim, type Styled, spansOf} from './styled.ts'

/** A failure as one line of JSON; see error-schema.ts. */
export function errorJson(failure: Failure): string {
  const {status, requestId, effect, commandEffect = 'none', repeatable, retryAfter} = failure.details
  const {idempotencyKey, problem, data} = failure.details
  const error: Record<ErrorField, unknown> = {
    code: failure.code,
    message: messageOf(failure),
    hint: maskText(failure.hint),
    status,
    requestId,
    effect: effect ?? commandEffect,
    repeatable,
    retryAfter,
    idempotencyKey,
    problem: problem === undefined ? undefined : redact(problem, {sensitive: []}),
    data: shownData(data),
  }
  return jsonLine({error})
}

/** A warning for programs, as one line of JSON: `{warning: {code, message, …}}`. */
export const warningJson = (text: Styled, members: Readonly<Record<string, unknown>>): string =>
  jsonLine({
    warning: {
      ...members,
      message: maskText(
        spansOf(text)
          .map(span => span.text)
          .join(''),
      ),
    },
  })

/** The maximum length of a message. A longer one quotes something too long to read, such as an id of 100,000 digits. */
const LONGEST = 2000

const messageOf = ({message}: Failure): string => maskWithin(message, LONGEST)

/** The data for people. `lines` is left out because it says the same as `violations`. */
function shownData(data: Failure['details']['data']): Readonly<Record<string, unknown>> | undefined {
  if (data === undefined) return undefined
  const {lines: _, problems, violations, ...others} = data
  // Field names in a pointer come from the service or a file, so mask them too.
  const rest =
    violations === undefined ? others : {...others, violations: redact(violations, {sensitive: []})}
  if (!Array.isArray(problems)) return {...rest, ...(problems === undefined ? {} : {problems})}
  const masked = problems.map(problem =>
    isRowProblem(problem) ? {...problem, message: maskText(problem.message)} : problem,
  )
  return {...rest, problems: masked}
}

/** A failure for a person: what is wrong, what the service said, which rows, what to do, and the ids to quote. */
export function errorLines(failure: Failure): readonly Styled[] {
  return [
    [bad(`Error ${failure.code}:`), ` ${messageOf(failure)}`],
    ...serviceWords(failure),
    ...rowProblems(failure),
    ...violationLines(failure),
    `  ${maskText(failure.hint)}`,
    ...reference(failure),
  ]
}

function serviceWords({message, details: {problem}}: Failure): readonly Styled[] {
  if (problem === undefined) return []
  const {title, detail} = problem
  const words = [title, detail].filter(
    (word, at, all) =>
      typeof word === 'string' && word !== '' && !message.includes(word) && all.indexOf(word) === at,
  )
  return words.length === 0 ? [] : [`  The service says: ${maskText(words.join(': '))}`]
}

function rowProblems({details: {data}}: Failure): readonly Styled[] {
  const problems = data?.problems
  if (!Array.isArray(problems) || problems.length < 2) return []
  const lines = problems.filter(isRowProblem).map(problem => `  ${maskText(describeProblem(problem))}`)
  const more = typeof data?.count === 'number' ? data.count - problems.length : 0
  return more > 0 ? [...lines, `  and ${more} more`] : lines
}

/** If there are several differences from the contract, one line for each. A single one is in the message. */
function violationLines({details: {data}}: Failure): readonly Styled[] {
  const lines = data?.lines
  if (!Array.isArray(lines) || lines.length < 2) return []
  return lines.filter(line => typeof line === 'string').map(line => `  ${maskText(line)}`)
}

const isRowProblem = (value: unknown): value is RowProblem =>
  isObject(value) && typeof value.row === 'number' && typeof value.message === 'string'

function reference({details}: Failure): readonly Styled[] {
  const {status, retryAfter, requestId, effect, repeatable, idempotencyKey} = details
  const parts = [
    requestId && `request ${requestId}`,
    status && `HTTP ${status}`,
    retryAfter !== undefined && `the service asks to wait ${duration(retryAfter * 1000)}`,
    // Of use only if the request is sent again; `requests show` has it too.
    (effect === 'unknown' || repeatable === true) && idempotencyKey && `key ${idempotencyKey}`,
    effect === 'done' && 'the effect is done',
    effect === 'unknown' && 'the effect is unknown',
    repeatable === true && 'the same key may be sent again',
  ].filter(part => typeof part === 'string' && part !== '')
  return parts.length === 0 ? [] : [dim(`  ${parts.join(' · ')}`)]
}
