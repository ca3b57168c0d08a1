import {type DetailRow, labelledLines} from '../detail.ts'
import {listAt, textAt} from '../read-member.ts'
import {bad, dim, ok, type Styled, strong, warn} from '../styled.ts'
import {blocks, painted, section, sentence, type View, type ViewContext} from '../view.ts'

/** What one contract changes of another: what breaks first, then the rest by its kind. */
export const contractDifferencesView: View = (differences, context) => {
  const operations = listAt(differences, 'operations')
  const breaking = operations.filter(operation => textAt(operation, 'breaks') === 'true')
  const others = operations.filter(operation => textAt(operation, 'breaks') !== 'true')
  const of = (change: string): readonly unknown[] =>
    others.filter(operation => textAt(operation, 'change') === change)
  return blocks(
    sentence([' ', strong(textAt(differences, 'from')), ' and ', strong(textAt(differences, 'to'))], context),
    operations.length === 0 ? sentence([' ', ok('No difference.')], context) : undefined,
    part('Breaks', breaking, context),
    part('Changed', of('changed'), context),
    part('Deprecated', of('deprecated'), context),
    part('Added', of('added'), context),
    part('Removed', of('removed'), context),
    operations.length === 0 ? undefined : sentence([' ', ...summary(differences)], context),
  )
}

function part(title: string, operations: readonly unknown[], context: ViewContext): string | undefined {
  if (operations.length === 0) return undefined
  return section(title, operations.map(operation => entry(operation, context)).join('\n'), context)
}

function entry(operation: unknown, context: ViewContext): string {
  const change = textAt(operation, 'change')
  const now = textAt(operation, 'nowAt')
  const imported = textAt(operation, 'imported')
  const commands = [...listAt(operation, 'commands').map(String), ...(imported === '' ? [] : [imported])]
  const head: Styled = [
    ' ',
    textAt(operation, 'request'),
    ...(now === '' ? [] : [dim(` now ${now}`)]),
    ...(change === 'removed' ? [bad(' is not described')] : []),
    ...(commands.length === 0 ? [] : [dim(`  ${commands.join(', ')}`)]),
  ]
  const rows = listAt(operation, 'differences').map((difference): DetailRow => {
    const place = `${textAt(difference, 'side')} ${textAt(difference, 'pointer')}`.trim()
    const message = textAt(difference, 'message')
    return [`  ${place}`, textAt(difference, 'breaks') === 'true' ? bad(message) : message]
  })
  return [
    sentence(head, context),
    ...labelledLines(rows, context.width).map(line => painted(line, context).trimEnd()),
  ].join('\n')
}

function summary(differences: unknown): Styled[] & (string | {text: string})[] {
  const count = (name: string): number => listAt(differences, name).length
  const broken = count('broken')
  const counts = ['added', 'removed', 'changed', 'deprecated'].map(
    name => `${textAt(differences, name)} ${name}`,
  )
  const verdict = broken === 0 ? ok('no command breaks') : warn(`${broken} commands break`)
  return [`${counts.join(', ')}; `, verdict]
}
