import {type Advice, nextAdvice} from '../errors/advice.ts'
import {duration} from '../errors/duration.ts'
import type {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {SuggestedCommand} from '../errors/suggested-command.ts'
import {describeGroup, type ProblemGroup, type RowProblem} from '../rows/problem-groups.ts'
import {describeProblem} from '../rows/problems.ts'
import {maskLine} from '../sensitive/mask-line.ts'
import {maskText, maskWithin} from '../sensitive/mask-text.ts'
import {redact} from '../sensitive/redact.ts'
import type {ErrorField} from './error-schema.ts'
import {maskReasons, reasonLines} from './reasons.ts'
import {bad, dim, jsonLine, type Styled, spansOf} from './styled.ts'

/** A failure as one line of JSON; see error-schema.ts. */
export function errorJson(failure: Failure): string {
  const {status, requestId, effect, commandEffect = 'none', repeatable, retryAfter} = failure.details
  const {idempotencyKey, problem, data} = failure.details
  const error: Record<ErrorField, unknown> = {
    code: failure.code,
    message: messageOf(failure),
    hint: maskLine(failure.hint),
    commands: shownCommands(failure),
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

/** The commands of the hint, for a program. */
function shownCommands({advice: {commands}}: Failure): readonly object[] | undefined {
  if (commands.length === 0) return undefined
  return commands.map(({argv, effect = 'read'}) => ({argv: argv.map(word => maskText(word)), effect}))
}

/** A warning for programs, as one line of JSON: `{warning: {code, message, …}}`. */
export const warningJson = (text: Styled, members: Readonly<Record<string, unknown>>): string =>
  jsonLine({
    warning: {
      ...members,
      message: maskLine(
        spansOf(text)
          .map(span => span.text)
          .join(''),
      ),
    },
  })

/** A note for programs, as one line of JSON: `{note: {code, message, …}}`. */
export const noteJson = (message: string, {code, ...facts}: {readonly code: string}): string =>
  jsonLine({note: {code, message: maskLine(message), ...facts}})

/** The maximum length of a message. A longer one quotes something too long to read, such as an id of 100,000 digits. */
const LONGEST = 2000

const messageOf = ({message}: Failure): string => maskWithin(message, LONGEST)

/** The data for people. `lines` is left out because it says the same as `violations`. */
function shownData(data: Failure['details']['data']): Readonly<Record<string, unknown>> | undefined {
  if (data === undefined) return undefined
  const {lines: _, problems, violations, groups, reasons, ...others} = data
  // Field names in a pointer come from the service or a file, so mask them too.
  const rest = {
    ...others,
    ...(violations === undefined ? {} : {violations: redact(violations, {sensitive: []})}),
    ...(Array.isArray(groups) && {
      groups: groups.map(group => (isGroup(group) ? maskedGroup(group) : group)),
    }),
    ...(reasons === undefined ? {} : {reasons: maskReasons(reasons)}),
  }
  if (!Array.isArray(problems)) return {...rest, ...(problems === undefined ? {} : {problems})}
  const masked = problems.map(problem => (isRowProblem(problem) ? maskedProblem(problem) : problem))
  return {...rest, problems: masked}
}

/** A failure for a person: what is wrong, what the service said, which rows, what to do, and the ids to quote. */
export function errorLines(failure: Failure): readonly Styled[] {
  return [
    [bad(`Error ${failure.code}:`), ` ${messageOf(failure)}`],
    ...serviceWords(failure),
    ...rowProblems(failure),
    ...reasonLines(failure.details.data?.reasons, failure.message).map(line => `  ${line}`),
    ...violationLines(failure),
    ...hintLines(failure),
    ...reference(failure),
    ...nextLine(failure),
  ]
}

/** The command to run next has a line of its own, the last one. */
function nextLine(failure: Failure): readonly Styled[] {
  const next = nextOf(failure)
  return next === undefined ? [] : [`  ${maskLine(next)}`]
}

function nextOf({details: {data}}: Failure): string | undefined {
  const {next, nextWhen} = data ?? {}
  if (!(next instanceof SuggestedCommand)) return undefined
  return nextAdvice(next, typeof nextWhen === 'string' ? nextWhen : undefined).toString()
}

function hintLines(failure: Failure): readonly Styled[] {
  const lines = pastableLines(failure.advice)
  const last = lines.pop() ?? ''
  const named = nextOf(failure)
  lines.push(named !== undefined && last.endsWith(named) ? last.slice(0, -named.length).trimEnd() : last)
  return lines.filter(line => line !== '').map(line => `  ${maskLine(line)}`)
}

/** Each command ends its line, so that a person can paste all from its first word on. */
function pastableLines({parts}: Advice): string[] {
  const lines: string[] = []
  let line = ''
  for (const part of parts) {
    const isStart = line === '' && lines.length > 0
    line += isStart && typeof part === 'string' ? capitalised(part.replace(/^[\s.,;:)]+/, '')) : part
    if (typeof part === 'string') continue
    lines.push(line)
    line = ''
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function serviceWords({message, details: {problem}}: Failure): readonly Styled[] {
  if (problem === undefined) return []
  const {title, detail} = problem
  const words = [title, detail].filter(
    (word, at, all) =>
      typeof word === 'string' && word !== '' && !message.includes(word) && all.indexOf(word) === at,
  )
  return words.length === 0 ? [] : [`  The service says: ${maskText(words.join(': '))}`]
}

/** What is wrong with the rows: one line for each fault, however many rows have it. A single one is in the message. */
function rowProblems({details: {data}}: Failure): readonly Styled[] {
  const {problems, groups = [], count} = data ?? {}
  if (!Array.isArray(problems) || problems.length < 2 || !Array.isArray(groups)) return []
  const faults = groups.filter(isGroup)
  const lines =
    faults.length === 0 ? problems.filter(isRowProblem).map(describeProblem) : faults.map(wordsForGroup)
  const told = faults.length === 0 ? problems.length : faults.reduce((sum, group) => sum + group.count, 0)
  const more = typeof count === 'number' ? count - told : 0
  return [...lines.map(line => `  ${maskText(line)}`), ...(more > 0 ? [`  and ${more} more`] : [])]
}

function wordsForGroup(group: ProblemGroup): string {
  if (group.count > 1) return describeGroup(group)
  const [row = 0] = group.rows
  const [line] = group.lines
  const [value] = group.values
  return describeProblem({...group, row, value, ...(line === undefined ? {} : {line})})
}

/** If there are several differences from the contract, one line for each. A single one is in the message. */
function violationLines({details: {data}}: Failure): readonly Styled[] {
  const lines = data?.lines
  if (!Array.isArray(lines) || lines.length < 2) return []
  return lines.filter(line => typeof line === 'string').map(line => `  ${maskText(line)}`)
}

const isRowProblem = (value: unknown): value is RowProblem =>
  isObject(value) && typeof value.row === 'number' && typeof value.message === 'string'

const isGroup = (value: unknown): value is ProblemGroup =>
  isObject(value) && typeof value.count === 'number' && Array.isArray(value.values)

const maskedProblem = (problem: RowProblem): RowProblem => ({
  ...problem,
  message: maskText(problem.message),
  ...(problem.value !== undefined && {value: maskText(problem.value)}),
})

const maskedGroup = (group: ProblemGroup): ProblemGroup => ({
  ...group,
  message: maskText(group.message),
  values: group.values.map(value => maskText(value)),
})

function reference({message, hint, details}: Failure): readonly Styled[] {
  const {status, retryAfter, requestId, effect, repeatable, idempotencyKey, saysEffect, sentNothing} = details
  // Of a job with many rows, the message and the reasons say it.
  const isOfRows = Array.isArray(details.data?.reasons)
  const parts = [
    requestId && `request ${requestId}`,
    status && !isOfRows && `HTTP ${status}`,
    retryAfter !== undefined && !isOfRows && `the service asks to wait ${duration(retryAfter * 1000)}`,
    // Of use only if the request is sent again; `requests show` has it too.
    (effect === 'unknown' || repeatable === true) && idempotencyKey && `key ${idempotencyKey}`,
    effect === 'done' && !saysEffect && 'the effect is done',
    effect === 'unknown' && !isOfRows && !/effect is unknown/.test(message) && 'the effect is unknown',
    repeatable === true && 'the same key may be sent again',
    sentNothing &&
      // The counts of rows may have one as sent that was only about to be.
      !(isOfRows && effect === 'unknown') &&
      !/sent nothing|nothing (was|is) sent/i.test(`${message} ${hint}`) &&
      'this command sent nothing',
  ].filter(part => typeof part === 'string' && part !== '')
  return parts.length === 0 ? [] : [dim(`  ${parts.join(' · ')}`)]
}
