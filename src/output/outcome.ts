import {count} from '../money/amount.ts'
import {fieldAt, listAt, numberAt, textAt} from './fields.ts'
import {state, stateMark} from './state.ts'
import type {Span, Styled} from './styled.ts'
import type {ViewContext} from './view.ts'

/** An operation that the service accepted, and whose end is not known here. */
export const ACCEPTED = 'accepted'

/** How a request of the journal ended: its state, or what became of an operation that the service had only accepted. */
export function requestState(request: unknown): Span {
  const word = textAt(request, 'state')
  if (textAt(request, 'operation').startsWith('remotecheckout.')) {
    const isFollowed = textAt(request, 'evidence') !== ''
    if (word === 'done' && !isFollowed) return {text: ACCEPTED, style: 'busy'}
    // An HTTP status of success with a refusal: it came later.
    if (word === 'refused' && textAt(request, 'status').startsWith('2'))
      return {text: 'refused by the network', style: 'bad'}
  }
  return textAt(request, 'operation') === 'a2a.create.v1' && word === 'done'
    ? batchOutcome(request)
    : state(word)
}

/** What became of a batch that the service accepted, as far as a command has read it: of all its transfers. */
function batchOutcome(request: unknown): Span {
  const end = fieldAt(request, 'batchEnd')
  if (end === undefined) return {text: ACCEPTED, style: 'busy'}
  const [all, failed] = [numberAt(end, 'transfers'), numberAt(end, 'failed')]
  if (isBooked(end)) return state('done')
  if (failed === undefined || failed === 0) return {text: 'some failed', style: 'bad'}
  const of = all === undefined ? '' : `of ${count(all)} `
  const text = failed === all ? 'all failed' : `${count(failed)} ${of}failed`
  return areSentAgain(request, failed) ? {text: `${text}, sent again`, style: 'warn'} : {text, style: 'bad'}
}

/** Whether all failed transfers were sent once more: then another batch says what became of them. */
export const areSentAgain = (request: unknown, failed: number): boolean =>
  listAt(request, 'sentAgain').reduce((sum: number, one) => sum + (numberAt(one, 'transfers') ?? 0), 0) >=
  failed

/** Whether each transfer of a batch was booked: its state and its counts say so. A count that is missing says nothing. */
export function isBooked(end: unknown): boolean {
  const [all, booked, failed] = ['transfers', 'booked', 'failed'].map(name => numberAt(end, name))
  const isShort = all !== undefined && booked !== undefined && booked < all
  return textAt(end, 'state') === 'COMPLETED' && failed === 0 && !isShort
}

/** How a request of the journal ended, in a word or two: for lists. */
export function outcome(request: unknown): Span {
  const word = textAt(request, 'state')
  if (word !== 'none') return requestState(request)
  return {text: fieldAt(request, 'left') === false ? 'not sent' : 'no effect', style: 'warn'}
}

/** The same beside a title. */
export function outcomeMark(request: unknown, context: ViewContext): Styled {
  const word = textAt(request, 'state')
  if (word !== 'none') return stateMark(requestState(request), context)
  const text = fieldAt(request, 'left') === false ? 'Nothing reached the service' : 'no effect'
  return stateMark({text, style: 'warn'}, context)
}
