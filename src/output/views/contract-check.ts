import {type DetailRow, labelledLines} from '../detail.ts'
import {listAt, numberAt, textAt} from '../read-member.ts'
import {bad, dim, ok, type Span, type Styled, warn} from '../styled.ts'
import {blocks, painted, sentence, type View, type ViewContext} from '../view.ts'

const SIGNS: Readonly<Record<string, readonly [unicode: Span, ascii: Span]>> = {
  fits: [ok('✓'), ok('+')],
  differs: [warn('≠'), warn('!')],
  failed: [bad('✗'), bad('x')],
  unchecked: [dim('-'), dim('-')],
}

/** Operation by operation, where a service answers differently from the contract. */
export const contractCheckView: View = (check, context) =>
  blocks(
    listAt(check, 'operations')
      .map(operation => entry(operation, context))
      .join('\n'),
    sentence([' ', ...summary(check)], context),
  )

function entry(operation: unknown, context: ViewContext): string {
  const [unicode, ascii] = SIGNS[textAt(operation, 'state')] ?? [dim('?'), dim('?')]
  const note = textAt(operation, 'note')
  const head: Styled = [
    ' ',
    context.ascii ? ascii : unicode,
    ` ${textAt(operation, 'request')}`,
    ...(note === '' ? [] : [dim(`  ${note}`)]),
  ]
  const rows = listAt(operation, 'differences').map((difference): DetailRow => {
    const count = numberAt(difference, 'count') ?? 1
    const isMore = textAt(difference, 'kind') === 'more'
    const words = `${textAt(difference, 'expected')}; found ${textAt(difference, 'found')}`
    return [
      `  ${textAt(difference, 'pointer') || '(the answer)'}`,
      [isMore ? dim(words) : words, ...(count > 1 ? [dim(`  ${count} times`)] : [])],
    ]
  })
  const lines = labelledLines(rows, context.width).map(line => painted(line, context).trimEnd())
  return [sentence(head, context), ...lines].join('\n')
}

function summary(check: unknown): (string | Span)[] {
  const count = (state: string): number => numberAt(check, state) ?? 0
  const differs = count('differs')
  const failed = count('failed')
  return [
    ok(`${count('fits')} as described`),
    ', ',
    differs === 0 ? '0 differ' : warn(`${differs} differ`),
    ', ',
    failed === 0 ? '0 failed' : bad(`${failed} failed`),
    `, ${count('unchecked')} not checked`,
  ]
}
