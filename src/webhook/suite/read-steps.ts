import {isObject} from '../../errors/is-object.ts'
import {jsonFault} from '../../input/json-fault.ts'
import {exceededLimit, LIMITS} from '../../limits/limits.ts'
import {type Issue, type Position, parseText} from '../../user-files/index.ts'
import type {Exchange} from '../exchange.ts'
import {callIdOf} from '../received-call.ts'
import {expectedOf} from '../recording/changed-decision.ts'
import {VERBS} from './suite-file.ts'

/** A suite as written, before its cases are in place. */
export interface WrittenSuite {
  readonly value: unknown
  readonly problems: readonly Issue[]
  /** Whether it is NDJSON. */
  readonly isLines?: boolean
  at(pointer: string, what?: 'key'): Position
}

/**
 * Reads the text of a suite. It is NDJSON if its first line is a step or a recorded call, or if its first two lines begin
 * with a brace; else it is YAML, which includes JSON.
 */
export async function readWritten(text: string): Promise<WrittenSuite> {
  const lines = text.split('\n', 1000).filter(line => line.trim() !== '')
  const [first = '', second = ''] = lines
  const isLines = isStep(first) || (first.startsWith('{') && second.startsWith('{'))
  if (isLines) return readLines(text)
  const parsed = await parseText(text)
  const unquoted = unquotedVariable(text, parsed.problems[0]?.line)
  return unquoted ? {...parsed, problems: [unquoted]} : parsed
}

/** In YAML the brace of a variable begins an object, unless it is in quotes or the text has its line for itself. */
function unquotedVariable(text: string, line: number | undefined): Issue | undefined {
  const shown = line === undefined ? '' : (text.split('\n')[line - 1] ?? '')
  const column = shown.search(/(?<=[{[].*)\$\{/) + 1
  if (line === undefined || column === 0) return undefined
  return {line, column, message: 'inside braces and brackets, put text with a variable in quotes'}
}

function isStep(line: string): boolean {
  if (!line.trimStart().startsWith('{') || exceededLimit(line, LIMITS.recordedCall)) return false
  try {
    const value: unknown = JSON.parse(line)
    return isRecorded(value) || !Object.hasOwn(Object(value), 'steps')
  } catch {
    return false
  }
}

/** One step in each line. Empty lines are left out. */
function readLines(text: string): WrittenSuite {
  const problems: Issue[] = []
  const found: {readonly step: unknown; readonly place: Position; readonly at: number}[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const place = {line: at + 1, column: Math.max(1, line.search(/\S/) + 1)}
    const beyond = exceededLimit(line, LIMITS.recordedCall)
    const fault = beyond ? undefined : jsonFault(line)
    if (beyond) problems.push({...place, column: beyond.at + 1, message: `the line ${beyond.why}`})
    else if (fault) problems.push({line: at + 1, column: fault.column, message: 'this is not JSON'})
    else {
      const value: unknown = JSON.parse(line)
      found.push({step: stepOf(value), place, at: recordedAt(value)})
    }
  }
  // An export has the newest call first, and of two at the same time the later one.
  const isExport = found.length > 0 && found.every(({at: recorded}) => !Number.isNaN(recorded))
  const steps = isExport ? found.toReversed().sort((a, b) => a.at - b.at) : found
  return {
    value: problems.length > 0 ? undefined : {steps: steps.map(({step}) => step)},
    problems,
    isLines: true,
    at: pointer => steps[Number(pointer.split('/')[2])]?.place ?? {line: 1, column: 1},
  }
}

const isRecorded = (line: unknown): line is Exchange =>
  isObject(line) && isObject(line.event) && isObject(line.request)

/** Exports of earlier versions have milliseconds. */
const recordedAt = (line: unknown): number =>
  isRecorded(line) ? new Date(line.event.at).getTime() : Number.NaN

/**
 * A line is a step, a call as `webhook events export` writes it, or the body of a call, in which `name` and `expect` are
 * those of its step.
 */
function stepOf(line: unknown): unknown {
  if (!isObject(line) || VERBS.some(verb => Object.hasOwn(line, verb))) return line
  if (isRecorded(line)) return recordedStep(line)
  const {name, expect, ...body} = line
  return {...(name === undefined ? {} : {name}), body, ...(expect === undefined ? {} : {expect})}
}

/** A recorded call, with its decision as what is expected. */
function recordedStep({event, request: {body}}: Exchange): unknown {
  if (event.type === 'warm-up') return {warmUp: true}
  const expected = expectedOf(event)
  const call = isObject(body) ? body : {}
  const id = callIdOf(call)
  const isNamed = 'merchant' in event && event.merchant !== '' && id !== undefined
  return {
    ...(isNamed && {name: `${event.merchant} ${id}`.slice(0, 80)}),
    ...(isObject(body) ? {body: call} : {raw: typeof body === 'string' ? body : ''}),
    ...(expected && {
      expect: {
        decision: expected.outcome,
        ...(expected.outcome === 'declined' && {code: expected.code}),
        ...(expected.part && {amount: `${expected.part.amount} ${expected.part.currency}`}),
      },
    }),
  }
}
