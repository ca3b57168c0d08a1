import {isObject} from '../../../errors/is-object.ts'
import {typedPart} from '../../../money/decimal-sign.ts'
import type {Choice, Question} from '../../../webhook/index.ts'

/** The half-typed answer to a call. */
interface Entry {
  readonly kind: 'decline' | 'partial'
  readonly text: string
  /** Nothing was typed yet, or it was refused: the next key replaces the text. */
  readonly fresh: boolean
  /**
   * The answer was sent and is being checked (`checking`), was refused (`refused`), or its call no longer waits
   * (`gone`).
   */
  readonly fate?: 'checking' | 'refused' | 'gone'
}

/** What the user sees and has typed. */
export interface AskState {
  /** The event of the shown call. */
  readonly shown?: string | undefined
  readonly entry?: Entry | undefined
}

/** A call and the key that selects it, from 1 to 9. It keeps the key while it waits. */
export interface Numbered {
  readonly number: number | undefined
  readonly question: Question
}

export interface KeyResult {
  readonly state: AskState
  readonly answer?: {readonly question: Question; readonly choice: Choice}
}

/** The default code of a decline: insufficient funds. */
const USUAL_CODE = '51'

const ENTER = /^[\r\n]$/
const ERASE = /^[\u007f\b]$/
const ESCAPE = '\u001b'

/**
 * What a key does: `a` approves; `d` and `p` start the entry of a code or an amount; digits select one of several
 * calls. An entry lasts until Enter or Esc, even if its call ends, so that typed text never applies to another call.
 */
export function press(key: string, state: AskState, waiting: readonly Numbered[]): KeyResult {
  const current = stillShown(state, waiting)
  const found = waiting.find(({question}) => question.event === current.shown)
  if (current.entry) return pressInEntry(key, current, current.entry, found?.question ?? waiting[0]?.question)
  // The key was meant for a call that has ended since the line was drawn.
  if (!found || current !== state) return {state: current}
  const {question} = found
  const chosen = waiting.find(({number}) => String(number) === key)
  if (chosen) return {state: {shown: chosen.question.event}}
  if (key === 'a') return {state, answer: {question, choice: {approve: true}}}
  if (key === 'd') return {state: {...state, entry: {kind: 'decline', text: USUAL_CODE, fresh: true}}}
  if (key === 'p' && canBePartial(question)) {
    return {state: {...state, entry: {kind: 'partial', text: '', fresh: true}}}
  }
  return {state}
}

function pressInEntry(key: string, state: AskState, entry: Entry, question: Question | undefined): KeyResult {
  const {kind, text, fresh, fate} = entry
  const isEnter = ENTER.test(key)
  if (fate === 'gone' || !question) {
    return {state: isEnter || key === ESCAPE ? {shown: question?.event} : state}
  }
  if (fate === 'checking') return {state}
  if (key === ESCAPE) return {state: {shown: state.shown}}
  if (isEnter) {
    const choice = choiceOf(entry, question)
    if (!choice) return {state: {...state, entry: {kind, text, fresh: true, fate: 'refused'}}}
    return {state: {...state, entry: {kind, text, fresh, fate: 'checking'}}, answer: {question, choice}}
  }
  const allowed = kind === 'decline' ? /^[A-Za-z0-9_]$/ : /^[0-9.]$/
  if (ERASE.test(key)) return {state: {...state, entry: {kind, text: text.slice(0, -1), fresh: false}}}
  if (!allowed.test(key)) return {state}
  return {state: {...state, entry: {kind, text: (fresh ? '' : text) + key, fresh: false}}}
}

/** The state after an answer was refused: the user types it again. */
export function refused(state: AskState, event: string): AskState {
  const {shown, entry} = state
  if (shown !== event || entry?.fate !== 'checking') return state
  return {shown, entry: {...entry, fresh: true, fate: 'refused'}}
}

function choiceOf({kind, text}: Entry, {summary: {amount = 0, currency}}: Question): Choice | undefined {
  if (kind === 'decline') return text === '' ? undefined : {decline: text}
  const part = typedPart(text, amount)
  return part === undefined || currency === undefined ? undefined : {partial: {amount: part, currency}}
}

/** Whether the merchant accepts a partial approval. */
export const canBePartial = ({call, summary}: Question): boolean =>
  isObject(call.transactionData) &&
  call.transactionData.partialApprovalCapable === true &&
  summary.currency !== undefined

/** The state after calls came or went. If the shown call has ended, a half-typed entry waits for Enter or Esc. */
export function stillShown(state: AskState, waiting: readonly Numbered[]): AskState {
  const {shown, entry} = state
  if (entry?.fate === 'gone' || waiting.some(({question}) => question.event === shown)) return state
  if (entry && entry.fate !== 'checking') return {shown: undefined, entry: {...entry, fate: 'gone'}}
  const next = waiting[0]?.question.event
  return next === shown && !entry ? state : {shown: next}
}
