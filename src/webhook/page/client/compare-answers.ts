import type {Exchange} from '../../exchange.ts'
import {type Change, changeFrom, expectedOf, type PlainDecision} from '../../recording/changed-decision.ts'
import type {ElsewhereResult} from '../wire.ts'
import {toCall} from './call.ts'
import {wordsOf} from './response-codes.ts'

/** The answer to a call, as far as two of them can be compared. */
export interface ComparedAnswer {
  /** `approved`, `declined 51`, `late` … */
  readonly words: string
  /** Null if there was none. */
  readonly decision: PlainDecision | null
  readonly ms: number
  /** Absent without an answer. */
  readonly reply?: {readonly status: number; readonly body?: unknown} | undefined
}

export const answerOf = (exchange: Exchange): ComparedAnswer => {
  const {decision: words, ms} = toCall(exchange)
  return {words, decision: expectedOf(exchange.event), ms, reply: exchange.reply}
}

/** The answer of another endpoint. */
export function answerFrom({
  outcome,
  code,
  part,
  reason,
  durationMs,
  reply,
}: ElsewhereResult): ComparedAnswer {
  const isDecision = outcome === 'approved' || outcome === 'partial' || outcome === 'declined'
  const words = outcome === 'partial' ? wordsOf('10') : outcome === 'declined' ? `declined ${code}` : outcome
  return {
    words: [words, reason].filter(Boolean).join(': '),
    decision: isDecision ? {outcome, code: code ?? '', ...(part && {part})} : null,
    ms: durationMs,
    reply,
  }
}

/** A field of two answers, its values as JSON; undefined where an answer doesn't have it. */
export interface ComparedField {
  /** `transactionData.authResponseCode.code`. */
  readonly name: string
  readonly before: string | undefined
  readonly now: string | undefined
  readonly isChanged: boolean
}

/** The fields of both answers, in the order of the first. */
export function compareAnswers(before: ComparedAnswer, now: ComparedAnswer): readonly ComparedField[] {
  const [was, is] = [fieldsOf(before), fieldsOf(now)]
  return [...new Set([...was.keys(), ...is.keys()])].map(name => ({
    name,
    before: was.get(name),
    now: is.get(name),
    isChanged: was.get(name) !== is.get(name),
  }))
}

function fieldsOf({words, reply}: ComparedAnswer): ReadonlyMap<string, string> {
  const fields = new Map([['decision', words]])
  if (!reply) return fields
  fields.set('status', String(reply.status))
  if (reply.body !== undefined) addLeaves(fields, reply.body, '')
  return fields
}

function addLeaves(fields: Map<string, string>, value: unknown, name: string): void {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (members.length === 0) fields.set(name || 'body', JSON.stringify(value))
  for (const [member, item] of members) addLeaves(fields, item, name === '' ? member : `${name}.${member}`)
}

const CHANGES: Readonly<Record<Change, readonly [words: string, tone: 'bad' | 'warn']>> = {
  'approved-instead': ['declined then, approved now', 'bad'],
  'approved-more': ['more is approved than then', 'bad'],
  'other-amount': ['another amount is approved than then', 'bad'],
  'declined-instead': ['approved then, declined now', 'warn'],
  'approved-less': ['less is approved than then', 'warn'],
  'other-code': ['declined with another code', 'warn'],
  'no-decision': ['a decision then, none now', 'bad'],
}

/** What the difference means for the money, the dangerous direction in red. */
export function changeInWords(
  before: ComparedAnswer,
  now: ComparedAnswer,
): readonly [words: string, tone: 'bad' | 'warn' | 'good'] {
  if (before.decision === null)
    return [now.decision === null ? 'no decision, then and now' : 'no decision then, one now', 'warn']
  const change = changeFrom(before.decision, now.decision ?? undefined)
  return change ? CHANGES[change] : ['the same decision', 'good']
}
