import {fieldAt, textAt} from './fields.ts'
import {state, stateMark} from './state.ts'
import type {Span, Styled} from './styled.ts'
import type {ViewContext} from './view.ts'

/** How a request of the journal ended: its state, or what became of an operation that the service had only accepted. */
export function requestState(request: unknown): Span {
  const word = textAt(request, 'state')
  if (textAt(request, 'operation').startsWith('remotecheckout.')) {
    const isFollowed = textAt(request, 'evidence') !== ''
    if (word === 'done' && !isFollowed) return {text: 'accepted', style: 'busy'}
    // An HTTP status of success with a refusal: it came later.
    if (word === 'refused' && textAt(request, 'status').startsWith('2'))
      return {text: 'refused by the network', style: 'bad'}
  }
  return state(word)
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
