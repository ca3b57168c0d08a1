import {type DetailRow, detail, labelledText} from '../../../output/detail.ts'
import {fieldAt, listAt, textAt} from '../../../output/fields.ts'
import {bad, dim, ok, type Styled, strong, warn} from '../../../output/styled.ts'
import {blocks, section, sentence, stack, type View, type ViewContext} from '../../../output/view.ts'

/** The differences between two contracts: breaking ones first, then the rest by kind. */
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
  return stack(sentence(head, context), labelledText(rows, context))
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

/** One operation of a contract: how to call it, its input, its responses. */
export const contractOperationView: View = (operation, context) => {
  const request = fieldAt(operation, 'request')
  const answers = listAt(operation, 'answers')
  const needs = listAt(operation, 'needs').map(String)
  return blocks(
    detail(
      {
        title: textAt(operation, 'id') || `${textAt(operation, 'method')} ${textAt(operation, 'path')}`,
        status: textAt(operation, 'deprecated') === 'true' ? warn('deprecated') : textAt(operation, 'effect'),
        rows: [
          ['Request', `${textAt(operation, 'method')} ${textAt(operation, 'path')}`],
          ['Does', textAt(operation, 'summary')],
          ['About', textAt(operation, 'description')],
          ['Commands', listAt(operation, 'commands').join(', ')],
          ['Effect', effectWords(operation)],
        ],
      },
      context,
    ),
    membersSection('Parameters', listAt(operation, 'parameters'), context, parameter =>
      textAt(parameter, 'in'),
    ),
    request === null || request === undefined
      ? undefined
      : blocks(
          membersSection(`Body, ${textAt(request, 'mediaType')}`, listAt(request, 'members'), context),
          exampleSection('Example of a body', fieldAt(request, 'example'), context),
        ),
    ...answers.map((answer, at) => {
      const status = textAt(answer, 'status')
      const about = [`Response ${status}`, textAt(answer, 'description')]
        .filter(text => text !== '')
        .join(': ')
      const members = listAt(answer, 'members')
      if (members.length === 0) return sentence([' ', dim(about)], context)
      return blocks(
        membersSection(about, members, context, member =>
          needs.includes(`/${textAt(member, 'name').replaceAll('.', '/')}`) ? 'needed' : '',
        ),
        // One example is enough to show the form.
        at === 0 ? exampleSection('Example of a response', fieldAt(answer, 'example'), context) : undefined,
      )
    }),
  )
}

/** Where a file of effects asks for less than the document. */
function effectWords(operation: unknown): Styled {
  const document = textAt(operation, 'documentEffect')
  if (document === '') return ''
  const words = `${textAt(operation, 'effect')} by your file of effects, ${document} by the document`
  return textAt(operation, 'contradicted') === 'true'
    ? warn(`${words}: its method and name contradict the file`)
    : words
}

function membersSection(
  title: string,
  members: readonly unknown[],
  context: ViewContext,
  mark: (member: unknown) => string = () => '',
): string | undefined {
  if (members.length === 0) return undefined
  const rows = members.map((member): DetailRow => {
    const more = [textAt(member, 'required') === 'true' ? 'required' : '', mark(member)].filter(
      word => word !== '',
    )
    const about = textAt(member, 'description')
    const value: Styled = [
      textAt(member, 'type'),
      ...(more.length === 0 ? [] : [dim(`  ${more.join(', ')}`)]),
      ...(about === '' ? [] : [dim(`  ${about}`)]),
    ]
    return [textAt(member, 'name') || '(the body)', value]
  })
  return section(title, labelledText(rows, context), context)
}

function exampleSection(title: string, example: unknown, context: ViewContext): string | undefined {
  if (example === undefined || example === null) return undefined
  const lines = JSON.stringify(example, null, 2).split('\n')
  const shown = lines.map(line => sentence([' ', line], {...context, width: Number.POSITIVE_INFINITY}))
  return section(title, shown.join('\n'), context)
}
