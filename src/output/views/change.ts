import {dim} from '../styled.ts'
import {type Column, table} from '../table.ts'
import {section, sentence, type ViewContext} from '../view.ts'
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
