import {textAt} from '../read-member.ts'
import {dim, ok, type Span} from '../styled.ts'
import {type Column, table} from '../table.ts'
import {glyphsOf, section, sentence, type View, type ViewContext} from '../view.ts'
import {leavesOf} from './sent-members.ts'

interface Member {
  readonly name: string
  readonly before: string
  readonly after: string
}

const columns: readonly Column<Member>[] = [
  {title: 'Member', value: ({name}) => name, fit: 'wrap'},
  {title: 'Before', value: ({before}) => before, fit: 'wrap'},
  {title: 'After', value: ({after}) => after, fit: 'wrap'},
]

/** What differs between a thing before and after: member, old value, new value. Either may not be there at all. */
export async function changeText(before: unknown, after: unknown, context: ViewContext): Promise<string> {
  const [was, is] = [textsOf(before), textsOf(after)]
  const changed = [...new Set([...was.keys(), ...is.keys()])]
    .filter(name => was.get(name) !== is.get(name))
    .map(name => ({name, before: was.get(name) ?? '', after: is.get(name) ?? ''}))
  const body =
    changed.length === 0
      ? sentence(dim(' Nothing that the service shows has changed.'), context)
      : await table(columns, changed, context)
  return section('What changed', body, context)
}

function textsOf(value: unknown): Map<string, string> {
  if (value === undefined || value === null) return new Map()
  return new Map(
    leavesOf(value).map(({steps, value: leaf}) => [
      steps.join('.'),
      typeof leaf === 'string' ? leaf : JSON.stringify(leaf),
    ]),
  )
}

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
