import {type DetailRow, labelledText} from '../../../output/detail.ts'
import {listAt, numberAt, textAt} from '../../../output/fields.ts'
import {bad, dim, ok, type Span, type Styled, warn} from '../../../output/styled.ts'
import {styledWidth, wrap} from '../../../output/text-layout.ts'
import {blocks, painted, sentence, stack, type View, type ViewContext} from '../../../output/view.ts'

const SIGNS: Readonly<Record<string, readonly [unicode: Span, ascii: Span]>> = {
  fits: [ok('✓'), ok('+')],
  differs: [warn('≠'), warn('!')],
  failed: [bad('✗'), bad('x')],
  unchecked: [dim('-'), dim('-')],
}

/** The differences between a service's responses and the contract, operation by operation. */
export const contractCheckView: View = (check, context) =>
  blocks(
    listAt(check, 'operations')
      .map(operation => entry(operation, context))
      .join('\n'),
    sentence([' ', ...summary(check)], context),
  )

function entry(operation: unknown, context: ViewContext): string {
  const state = textAt(operation, 'state')
  const [unicode, ascii] = SIGNS[state] ?? [dim('?'), dim('?')]
  const note = textAt(operation, 'note')
  const request = textAt(operation, 'request')
  const head: Styled =
    context.accessible === true
      ? [`${request}: `, {...unicode, text: state === 'unchecked' ? 'not checked' : state}]
      : [' ', context.ascii ? ascii : unicode, ` ${request}`]
  const whole: Styled = note === '' ? head : [...head, dim(`  ${note}`)]
  const isWide = styledWidth(whole) > context.width
  const rows = listAt(operation, 'differences').map((difference): DetailRow => {
    const count = numberAt(difference, 'count') ?? 1
    const isMore = textAt(difference, 'kind') !== 'differs'
    const words = `${textAt(difference, 'expected')}; found ${textAt(difference, 'found')}`
    return [
      `  ${textAt(difference, 'pointer') || '(the response)'}`,
      [isMore ? dim(words) : words, ...(count > 1 ? [dim(`  ${count} times`)] : [])],
    ]
  })
  const below = isWide ? wrap(dim(note), context.width - 3).map(line => `   ${painted(line, context)}`) : []
  return stack(sentence(isWide ? head : whole, context), ...below, labelledText(rows, context))
}

function summary(check: unknown): (string | Span)[] {
  const count = (state: string): number => numberAt(check, state) ?? 0
  const differs = count('differs')
  const failed = count('failed')
  const unseen = listAt(check, 'operations')
    .flatMap(operation => listAt(operation, 'differences'))
    .filter(difference => textAt(difference, 'kind') === 'unseen').length
  return [
    ok(`${count('fits')} as described`),
    ...(unseen === 0 ? [] : [' (', warn(`${unseen} members were not in a response`), ')']),
    ', ',
    differs === 0 ? '0 differ' : warn(`${differs} differ`),
    ', ',
    failed === 0 ? '0 failed' : bad(`${failed} failed`),
    `, ${count('unchecked')} not checked`,
  ]
}
