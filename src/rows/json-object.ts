import {beyondLimits} from '../limits/beyond-limits.ts'
import type {JsonLimits} from '../limits/limits.ts'
import {quotableName} from './quotable-name.ts'

type Parsed =
  | {readonly values: Readonly<Record<string, unknown>>}
  | {readonly fault: string; readonly at?: {readonly column: string}}

/**
 * One line of NDJSON. Besides what isn't JSON it refuses what JSON.parse would change in silence: numbers of more digits
 * than a double keeps. The parser's own messages quote their input and are never passed on.
 */
export function parseObjectLine(text: string, limits: JsonLimits): Parsed {
  const beyond = beyondLimits(text, limits)
  if (beyond) return {fault: beyond.why}
  let changed: string | undefined
  let value: unknown
  try {
    value = JSON.parse(text)
    // Looking at every number's source costs several times the parse itself, so only lines that can need it pay.
    if (/[\d.]{16}|\d[eE]/.test(text)) changed = findChangedNumber(text)
  } catch {
    return {fault: text.trimStart().startsWith('[') ? arrayHint : 'is not valid JSON'}
  }
  if (Array.isArray(value)) return {fault: arrayHint}
  if (typeof value !== 'object' || value === null) return {fault: 'is not a JSON object'}
  if (changed !== undefined) {
    const column = quotableName(changed)
    const fault = 'holds a number of more than 15 digits; write it as text'
    return column === undefined ? {fault} : {fault, at: {column}}
  }
  return {values: value as Readonly<Record<string, unknown>>}
}

const arrayHint = 'is a JSON array; give one object per line'

/** The member whose number a double can't hold as written; '' for one without a name. */
function findChangedNumber(text: string): string | undefined {
  let changed: string | undefined
  // The third parameter (ECMA-262, JSON.parse source text access) is not in TypeScript's library yet.
  const review = (key: string, value: unknown, context?: {source?: string}) => {
    if (typeof value === 'number' && !keepsItsDigits(context?.source ?? '', value)) changed ??= key
    return value
  }
  JSON.parse(text, review as (key: string, value: unknown) => unknown)
  return changed
}

function keepsItsDigits(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return false
  const digits = source
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  return digits.length <= 15 || (Number.isSafeInteger(value) && source === String(value))
}
