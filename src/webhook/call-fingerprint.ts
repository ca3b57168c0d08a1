import {isObject} from '../errors/is-object.ts'
import type {ReceivedCall} from './received-call.ts'

/** The trace id of one delivery: the only field that may differ when the same call is sent again. */
const OF_A_TRY = 'traceId'

/**
 * A hash of a call's content. The order of fields, fields that are `null`, and `metadata.traceId` don't count. Two
 * calls with the same hash count as the same one, so it has 53 bits. It doesn't resist a deliberate collision: an
 * attacker could as well send the call with a new id.
 */
export function callFingerprint(call: ReceivedCall): number {
  let [high, low] = [0, 0]
  for (const name in call) {
    const value = call[name]
    if (value === null) continue
    const first = name === 'metadata' && isObject(value) ? lookAtMembers(value, OF_A_TRY) : look(value)
    const second = other
    high = (high + mix(lookAtText(name), first)) | 0
    low = (low + mix(other, second)) | 0
  }
  return (high >>> 0) * 2 ** 21 + (low & 0x1f_ff_ff)
}

/** The second half of the last hash: returning both would allocate an object for each value. */
let other = 0

const float = new Float64Array(1)
const halves = new Int32Array(float.buffer)

function look(value: unknown): number {
  if (typeof value === 'string') return lookAtText(value)
  if (typeof value === 'number') return lookAtNumber(value)
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? lookAtItems(value) : lookAtMembers(value as ReceivedCall)
  }
  other = value === null ? 1 : value === true ? 2 : 3
  return other
}

function lookAtText(text: string): number {
  let first = 0x811c9dc5 | 0
  let second = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    first = Math.imul(first ^ unit, 0x01000193)
    second = (Math.imul(second, 0x5bd1e995) + unit) | 0
  }
  other = second
  return first
}

function lookAtNumber(value: number): number {
  // Both zeros mean the same.
  float[0] = value + 0
  const [one = 0, two = 0] = halves
  other = mix(two ^ 0x3c6ef372, one)
  return mix(one ^ 0x1b873593, two)
}

function lookAtMembers(members: ReceivedCall, but?: string): number {
  let first = 5
  let second = 7
  for (const name in members) {
    const value = members[name]
    if (value === null || name === but) continue
    const [high, low] = [look(value), other]
    first = (first + mix(lookAtText(name), high)) | 0
    second = (second + mix(other, low)) | 0
  }
  other = second
  return first
}

function lookAtItems(items: readonly unknown[]): number {
  let first = 11
  let second = 13
  for (const item of items) {
    const high = look(item)
    first = mix(first, high)
    second = mix(second, other)
  }
  other = second
  return first
}

/** Combines two numbers into one; the order counts. */
function mix(one: number, two: number): number {
  let mixed = Math.imul(one ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul((two << 13) | (two >>> 19), 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return mixed ^ (mixed >>> 13)
}

/** A number for an id: FNV-1a, 32 bits with a sign. It takes far less memory than a text of 36 random characters. */
export function callNumber(id: string): number {
  let hash = 0x811c9dc5 | 0
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return hash
}
