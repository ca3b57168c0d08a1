import type {Choice, Question} from '../../webhook/index.ts'

/** What is being typed about a question. */
interface Entry {
  readonly kind: 'decline' | 'partial'
  readonly text: string
  /** Nothing was typed yet: the first key replaces what stands there. */
  readonly fresh: boolean
}

/** What a person sees and has typed. */
export interface AskState {
  /** The event of the question that is shown. */
  readonly shown?: string | undefined
  readonly entry?: Entry | undefined
}

/** A question with the key that chooses it: 1 to 9, kept as long as it waits. */
export interface Numbered {
  readonly number: number | undefined
  readonly question: Question
}

export interface KeyResult {
  readonly state: AskState
  readonly answer?: {readonly question: Question; readonly choice: Choice}
}

/** What declines unless another code is typed: not enough money. */
const USUAL_CODE = '51'

const ENTER = /^[\r\n]$/
const ERASE = /^[\u007f\b]$/
const ESCAPE = '\u001b'

/** What a key does: `a` approves, `d` and `p` ask for a code or an amount, digits choose among several that wait. */
export function press(key: string, state: AskState, waiting: readonly Numbered[]): KeyResult {
  const found = waiting.find(({question}) => question.event === state.shown)
  if (!found) return {state: {}}
  const {question} = found
  if (state.entry) return pressInEntry(key, state.entry, state, question)
  const chosen = waiting.find(({number}) => String(number) === key)
  if (chosen) return {state: {shown: chosen.question.event}}
  if (key === 'a') return {state, answer: {question, choice: {approve: true}}}
  if (key === 'd') return {state: {...state, entry: {kind: 'decline', text: USUAL_CODE, fresh: true}}}
  if (key === 'p' && canBePartial(question)) {
    return {state: {...state, entry: {kind: 'partial', text: '', fresh: true}}}
  }
  return {state}
}

function pressInEntry(key: string, entry: Entry, state: AskState, question: Question): KeyResult {
  const {kind, text, fresh} = entry
  if (key === ESCAPE) return {state: {shown: state.shown}}
  if (ENTER.test(key)) {
    const choice = choiceOf(entry, question)
    return choice ? {state: {shown: state.shown}, answer: {question, choice}} : {state}
  }
  const allowed = kind === 'decline' ? /^[A-Za-z0-9_]$/ : /^[0-9.]$/
  if (ERASE.test(key)) return {state: {...state, entry: {kind, text: text.slice(0, -1), fresh: false}}}
  if (!allowed.test(key)) return {state}
  return {state: {...state, entry: {kind, text: (fresh ? '' : text) + key, fresh: false}}}
}

function choiceOf({kind, text}: Entry, {summary: {currency}}: Question): Choice | undefined {
  if (kind === 'decline') return text === '' ? undefined : {decline: text}
  const isAmount = /^\d+(\.\d+)?$/.test(text) && currency !== undefined
  return isAmount ? {partial: {amount: Number(text), currency}} : undefined
}

/** Whether the merchant can take a part of the amount. */
export const canBePartial = ({call, summary}: Question): boolean =>
  call.transactionData.partialApprovalCapable === true && summary.currency !== undefined

/** The same state after something came or went: an answer half typed for a call that is gone is dropped. */
export function stillShown(state: AskState, waiting: readonly Numbered[]): AskState {
  const isThere = waiting.some(({question}) => question.event === state.shown)
  return isThere ? state : {shown: waiting[0]?.question.event}
}
