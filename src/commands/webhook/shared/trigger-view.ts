import {contractPlace} from '../../../contract/auth-answer.ts'
import {describeViolation} from '../../../contract/unknown-fields.ts'
import type {Violation} from '../../../contract/violation.ts'
import {amount} from '../../../money/amount.ts'
import {bodyText} from '../../../output/body-text.ts'
import {type DetailRow, detail} from '../../../output/detail.ts'
import {fieldAt, textAt} from '../../../output/fields.ts'
import {PARTIAL_APPROVAL} from '../../../output/state.ts'
import {bad, dim, joinStyled, ok, type Span, type Styled, warn} from '../../../output/styled.ts'
import {blocks, section, type View, type ViewContext} from '../../../output/view.ts'
import {deadlineBar, wholeMs} from '../../../output/when.ts'
import type {Verdict} from '../../../webhook/index.ts'
import type {Check} from '../../../webhook/suite/index.ts'

/** A call that was sent to an endpoint, and its outcome. */
export interface Triggered extends Omit<Verdict, 'reply'> {
  readonly type: 'auth' | 'warm-up'
  readonly url: string
  /** Absent for a body from --data and for a warm-up. */
  readonly scenario?: {readonly name: string; readonly summary: string}
  /** Masked, like the answer. */
  readonly request: unknown
  readonly reply?: unknown
  readonly deadlineMs: number
  /** What `--expect` asked for, and what came. */
  readonly expected?: readonly Check[]
}

/**
 * The decision, the code, the time, and what is wrong with the answer. The answer itself is shown if it is wrong.
 *
 * @param showsAnswer whether to show it in any case.
 */
export const webhookTriggerView =
  (showsAnswer: boolean): View<Triggered> =>
  (result, context) => {
    const {outcome, status, reply} = result
    const isShown = reply !== undefined && reply !== '' && (showsAnswer || outcome === 'invalid')
    const answer = isShown
      ? section(`Answer, status ${status}`, bodyText(reply, context), context)
      : undefined
    return blocks(summary(result, context), answer)
  }

function summary(result: Triggered, context: ViewContext): string {
  const {type, url, scenario, request, violations, unknown = [], reason, expected = []} = result
  const broken = violations.map(violation => fault(violation))
  return detail(
    {
      title: scenario?.summary ?? (type === 'warm-up' ? 'Warm-up' : 'Authorisation call'),
      status: decision(result),
      rows: [
        ['To', url],
        ...(type === 'auth' ? callRows(request, scenario?.name) : []),
        ['Time', time(result, context)],
        ['Approved', money(fieldAt(result.reply, 'transactionData'), 'partialApprovalAmount')],
        ['Balance', money(fieldAt(result.reply, 'transactionData'), 'availableAmount')],
        ['Wrong', broken.length > 0 ? {lines: broken} : reason],
        ['See', violations[0] && `cardctl ${contractPlace(violations[0].pointer)}`],
        ['Expected', {lines: expected.map(expectation)}],
        ['Not read', {lines: unknown.map(violation => fault(violation, warn))}],
        ['It says', textAt(result.reply, 'detail') || textAt(result.reply, 'title')],
      ],
    },
    context,
  )
}

const WORDS: Readonly<Record<Verdict['outcome'], (code: string) => Span>> = {
  ready: () => ok('ready'),
  approved: code => ok(`approved ${code}`),
  partial: code => warn(`${PARTIAL_APPROVAL} ${code}`),
  declined: code => bad(`declined ${code}`),
  invalid: () => bad('invalid answer'),
  late: () => bad('late'),
  unreachable: () => bad('unreachable'),
}

const decision = ({outcome, code = ''}: Triggered): Span => WORDS[outcome](code)

function callRows(request: unknown, scenario = ''): readonly DetailRow[] {
  const data = fieldAt(request, 'transactionData')
  const merchant = fieldAt(request, 'merchantData')
  return [
    ['Scenario', scenario],
    [
      'Call',
      listed([textAt(fieldAt(request, 'metadata'), 'messageCategory'), textAt(data, 'transactionType')]),
    ],
    ['Merchant', listed([textAt(merchant, 'name'), textAt(merchant, 'city'), textAt(merchant, 'country')])],
    ['Amount', billed(data)],
    ['Card', textAt(fieldAt(request, 'card'), 'cardId')],
  ]
}

const expectation = ({expected, got, passed}: Check): Styled =>
  joinStyled([expected, dim('  '), passed ? ok('yes') : bad(`got ${got}`)])

const listed = (parts: readonly string[]): string => parts.filter(part => part !== '').join(', ')

function billed(data: unknown): Styled {
  const [asked, billing] = [money(data, 'transactionAmount'), money(data, 'billingAmount')]
  return billing === '' || billing === asked ? asked : joinStyled([asked, dim(`  billed ${billing}`)])
}

function money(value: unknown, member: string): string {
  const found = fieldAt(value, member)
  const currency = textAt(found, 'currency')
  return currency === '' ? '' : amount(fieldAt(found, 'amount'), currency)
}

function time({outcome, durationMs, deadlineMs}: Triggered, {ascii}: ViewContext): Styled {
  if (outcome === 'unreachable') return wholeMs(durationMs)
  return joinStyled([deadlineBar(durationMs, deadlineMs, ascii), dim(` of ${wholeMs(deadlineMs)}`)])
}

const fault = (
  {pointer, ...rest}: Violation,
  style: (text: string) => Span | string = text => text,
): Styled => joinStyled([style(describeViolation(rest)), dim(pointer === '' ? '' : `  ${pointer}`)])
