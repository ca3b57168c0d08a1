import {fieldAt, textAt} from './fields.ts'
import {state, stateMark} from './state.ts'
import type {Span, Styled} from './styled.ts'
import type {ViewContext} from './view.ts'

/** How a request of the journal ended, in a word or two: for lists. */
export function outcome(request: unknown): Span {
  const word = textAt(request, 'state')
  if (word !== 'none') return state(word)
  return {text: fieldAt(request, 'left') === false ? 'not sent' : 'no effect', style: 'warn'}
}

/** The same beside a title. */
export function outcomeMark(request: unknown, context: ViewContext): Styled {
  const word = textAt(request, 'state')
  if (word !== 'none') return stateMark(word, context)
  const text = fieldAt(request, 'left') === false ? 'Nothing reached the service' : 'no effect'
  return stateMark({text, style: 'warn'}, context)
}
