import {beyondLimits} from '../limits/beyond-limits.ts'
import {changedNumber} from '../limits/changed-number.ts'
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
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return {fault: text.trimStart().startsWith('[') ? arrayHint : 'is not valid JSON'}
  }
  if (Array.isArray(value)) return {fault: arrayHint}
  if (typeof value !== 'object' || value === null) return {fault: 'is not a JSON object'}
  const changed = changedNumber(text)
  if (changed !== undefined) {
    const column = quotableName(changed)
    const fault = 'holds a number of more digits than can be kept; write it as text'
    return column === undefined ? {fault} : {fault, at: {column}}
  }
  return {values: value as Readonly<Record<string, unknown>>}
}

const arrayHint = 'is a JSON array; give one object per line'
