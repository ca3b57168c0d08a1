import {type DetailRow, detail, labelledLines} from '../detail.ts'
import {memberAt} from '../members.ts'
import {listAt, textAt} from '../read-member.ts'
import {dim, type Styled, warn} from '../styled.ts'
import {blocks, painted, section, sentence, type View, type ViewContext} from '../view.ts'

/** One operation of a contract: how it is called, what goes in, what comes out. */
export const contractOperationView: View = (operation, context) => {
  const request = memberAt(operation, 'request')
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
          exampleSection('Example of a body', memberAt(request, 'example'), context),
        ),
    ...answers.map((answer, at) => {
      const status = textAt(answer, 'status')
      const about = [`Answer ${status}`, textAt(answer, 'description')].filter(text => text !== '').join(': ')
      const members = listAt(answer, 'members')
      if (members.length === 0) return sentence([' ', dim(about)], context)
      return blocks(
        membersSection(about, members, context, member =>
          needs.includes(`/${textAt(member, 'name').replaceAll('.', '/')}`) ? 'needed' : '',
        ),
        // One example is enough to see the form.
        at === 0 ? exampleSection('Example of an answer', memberAt(answer, 'example'), context) : undefined,
      )
    }),
  )
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
  const lines = labelledLines(rows, context.width).map(line => painted(line, context).trimEnd())
  return section(title, lines.join('\n'), context)
}

function exampleSection(title: string, example: unknown, context: ViewContext): string | undefined {
  if (example === undefined || example === null) return undefined
  const lines = JSON.stringify(example, null, 2).split('\n')
  const shown = lines.map(line => sentence([' ', line], {...context, width: Number.POSITIVE_INFINITY}))
  return section(title, shown.join('\n'), context)
}
