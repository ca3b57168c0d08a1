import {textAt} from '../read-member.ts'
import {dim, ok, type Span} from '../styled.ts'
import {glyphsOf, sentence, type View} from '../view.ts'

/** "Account 2001 updated": the reply of an update is its id and a sentence. */
export const updateView = (what: string): View => confirmation(what, 'updated')

/** "Price list 5001 deleted". */
export const deleteView = (what: string): View => confirmation(what, 'deleted')

function confirmation(what: string, done: string): View {
  return (reply, context) => {
    const id = textAt(reply, 'id')
    const description = textAt(reply, 'description')
    const parts: (string | Span)[] = [id === '' ? what : `${what} ${id}`, ' ', ok(done)]
    // The service's sentence often only says the same again.
    if (description !== '' && !saysTheSame(description, [what, id, done])) {
      parts.push(dim(` ${glyphsOf(context).separator} ${description}`))
    }
    return sentence(parts, context)
  }
}

const saysTheSame = (description: string, words: readonly string[]) => {
  const known = new Set([
    ...words.join(' ').toLowerCase().split(/\W+/),
    'was',
    'has',
    'been',
    'the',
    'successfully',
    'is',
  ])
  return description
    .toLowerCase()
    .split(/\W+/)
    .every(word => word === '' || known.has(word))
}
