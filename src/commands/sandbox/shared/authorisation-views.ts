import {amount} from '../../../money/amount.ts'
import {bodyText} from '../../../output/body-text.ts'
import {detail} from '../../../output/detail.ts'
import {fieldAt, joined, listAt, numberAt, textAt} from '../../../output/fields.ts'
import {PARTIAL_APPROVAL, state, stateMark} from '../../../output/state.ts'
import {bad, isEmpty, joinStyled, ok, type Span, type Styled, warn} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {
  blocks,
  glyphsOf,
  type ListView,
  section,
  sentence,
  type View,
  type ViewContext,
} from '../../../output/view.ts'
import {plainDateTime, plainTimeColumn, wholeMs} from '../../../output/when.ts'

/** The decision on one authorisation, on one line. */
export const authorisationView: View = (authorisation, context) => {
  const code = textAt(authorisation, 'responseCode')
  const by = `by ${textAt(authorisation, 'decidedBy')} in ${textAt(authorisation, 'durationMs')} ms`
  const reason = textAt(authorisation, 'reason')
  return sentence(
    listed(
      [
        joinStyled([state(textAt(authorisation, 'status')), ` ${code === '00' ? '' : `${code} `}${by}`]),
        // The status already says it.
        reason === 'approved' ? '' : reason,
        withAmount('hold', authorisation, 'hold'),
        withAmount('available', authorisation, 'availableAmount'),
        `authorisation ${textAt(authorisation, 'id')}`,
      ],
      context,
    ),
    context,
  )
}

/** One authorisation with its reversals and clearings. */
export const authorisationDetailView: View = (authorisation, context) => {
  const kind = ['scenario', 'transactionType', 'messageCategory'].map(name => textAt(authorisation, name))
  const webhookCall = fieldAt(authorisation, 'webhookCall')
  const summary = detail(
    {
      title: `Authorisation ${textAt(authorisation, 'id')}`,
      status: stateMark(textAt(authorisation, 'status'), context),
      rows: [
        ['When', plainDateTime(textAt(authorisation, 'createdAt'), context)],
        ['Merchant', textAt(authorisation, 'merchantName')],
        ['Amount', withAmount('', authorisation, '')],
        ['Kind', joined(kind, ', ')],
        [
          'Card',
          joined([textAt(authorisation, 'cardId'), withText('account', authorisation, 'accountId')], ', '),
        ],
        ['Transaction', textAt(authorisation, 'transactionId')],
        ['Decision', decisionOf(authorisation)],
        ['Reason', textAt(authorisation, 'reason')],
        ['Took', joined([msOf(authorisation, 'durationMs'), ofThatClient(authorisation)], ', ')],
        ['Approved', withAmount('', authorisation, 'approvedAmount')],
        ['Hold', holdOf(authorisation, context)],
        ['Cleared', withAmount('', authorisation, 'clearedAmount')],
        ['Available after', withAmount('', authorisation, 'availableAmount')],
        ['Reversals', {lines: listAt(authorisation, 'reversals').map(each => reversalLine(each, context))}],
        ['Clearings', {lines: listAt(authorisation, 'clearings').map(each => clearingLine(each, context))}],
      ],
    },
    context,
  )
  if (fieldAt(webhookCall, 'call') === null || fieldAt(webhookCall, 'call') === undefined) return summary
  const why = textAt(webhookCall, 'why')
  const answer = fieldAt(webhookCall, 'answer')
  return blocks(
    summary,
    section('Call to the webhook', bodyText(fieldAt(webhookCall, 'call'), context), context),
    why === ''
      ? section(`Its answer, status ${textAt(webhookCall, 'status')}`, bodyText(answer, context), context)
      : section('Its answer', sentence([' ', why], context), context),
  )
}

export const clearingView: View = (clearing, context) =>
  sentence(
    listed(
      [
        joinStyled([state(textAt(clearing, 'status')), ' ', clearedOf(clearing)]),
        textAt(clearing, 'reason'),
        textAt(clearing, 'merchantName'),
        withAmount('available', clearing, 'availableAmount'),
        joined([`clearing ${textAt(clearing, 'id')}`, withText('of', clearing, 'authorisationId')]),
      ],
      context,
    ),
    context,
  )

const clearingLine = (clearing: unknown, context: ViewContext): Styled =>
  listed(
    [
      joinStyled([clearedOf(clearing), ' ', state(textAt(clearing, 'status'))]),
      textAt(clearing, 'reason'),
      plainDateTime(textAt(clearing, 'createdAt'), context),
      textAt(clearing, 'id'),
    ],
    context,
  )

/** `NOK 349.00 as EUR 30.35`, if the account has another currency. */
function clearedOf(clearing: unknown): Styled {
  const amount = withAmount('', clearing, '')
  const posted = textAt(fieldAt(clearing, 'postedAmount'), 'currency')
  const isSame = posted === '' || posted === textAt(clearing, 'currency')
  return isSame ? amount : joinStyled([amount, withAmount(' as', clearing, 'postedAmount')])
}

const reversalLine = (reversal: unknown, context: ViewContext): Styled =>
  listed(
    [
      withAmount('', reversal, ''),
      plainDateTime(textAt(reversal, 'at'), context),
      textAt(reversal, 'clientAnswer'),
    ],
    context,
  )

/** `EUR 7.50 HELD · until 2026-11-28 14:02`. Like all times here, by the sandbox's clock. */
function holdOf(authorisation: unknown, context: ViewContext): Styled {
  const hold = withAmount('', authorisation, 'hold')
  const until = plainDateTime(textAt(authorisation, 'holdUntil'), context)
  const status = state(textAt(authorisation, 'holdStatus'))
  return listed(
    [
      hold === '' ? status : joinStyled([hold, ' ', status]),
      hold === '' || until === '' ? '' : `until ${until}`,
    ],
    context,
  )
}

function ofThatClient(authorisation: unknown): string {
  const taken = msOf(authorisation, 'clientDurationMs')
  return taken === '' ? '' : `your webhook ${taken}`
}

function msOf(authorisation: unknown, member: string): string {
  const millis = numberAt(authorisation, member)
  return millis === undefined ? '' : `${millis} ms`
}

/** `account 2001`, or empty. */
function withText(label: string, value: unknown, member: string): string {
  const text = textAt(value, member)
  return text === '' ? '' : `${label} ${text}`
}

const listed = (parts: readonly Styled[], context: ViewContext): Styled =>
  joinStyled(
    parts.filter(part => !isEmpty(part)),
    ` ${glyphsOf(context).separator} `,
  )

export const authorisationListView: ListView = (authorisations, context) =>
  table(
    'authorisation',
    columns(plainTimeColumn('When', context)),
    authorisations,
    context,
    'No authorisations.',
  )

const columns = (when: ReturnType<typeof plainTimeColumn>): readonly Column<unknown>[] => [
  {title: 'Id', value: 'id', fit: 'keep'},
  {title: when.title, value: each => when.text(textAt(each, 'createdAt')), fit: 'keep'},
  {title: 'Merchant', value: 'merchantName', optional: true},
  {title: 'Amount', value: each => withAmount('', each, ''), align: 'right', fit: 'keep'},
  {title: 'Decision', value: decisionOf, fit: 'wrap', least: 11},
  {title: 'Took', value: tookOf, align: 'right', fit: 'keep'},
]

/** `declined 51 by service`. */
function decisionOf(authorisation: unknown): Styled {
  const status = textAt(authorisation, 'status')
  const word = WORDS[status]?.(textAt(authorisation, 'responseCode')) ?? state(status)
  return joinStyled([word, withText(' by', authorisation, 'decidedBy')])
}

const WORDS: Readonly<Record<string, (code: string) => Span>> = {
  APPROVED: () => ok('approved'),
  PARTIALLY_APPROVED: code => warn(`${PARTIAL_APPROVAL} ${code}`),
  DECLINED: code => bad(`declined ${code}`),
}

function tookOf(authorisation: unknown): string {
  const millis = numberAt(authorisation, 'durationMs')
  return millis === undefined ? '' : wholeMs(millis)
}

/** `hold EUR 12.50`, or empty. */
function withAmount(label: string, value: unknown, member: string): Styled {
  const money = member === '' ? value : fieldAt(value, member)
  const currency = textAt(money, 'currency')
  if (currency === '') return ''
  const shown = amount(fieldAt(money, 'amount'), currency)
  return label === '' ? shown : joinStyled([`${label} `, shown])
}
