import {amount} from '../amount.ts'
import {wholeMs} from '../deadline-bar.ts'
import {memberAt} from '../members.ts'
import {numberAt, textAt} from '../read-member.ts'
import {state} from '../state.ts'
import {bad, joinStyled, ok, type Span, type Styled, warn} from '../styled.ts'
import {type Column, table} from '../table.ts'
import {type ListView, sentence, type View, type ViewContext} from '../view.ts'
import {dayTime} from '../when.ts'
import {genericView} from './generic.ts'

/** How one authorisation was decided, on one line. */
export const authorisationView: View = (authorisation, context) => {
  const code = textAt(authorisation, 'responseCode')
  const by = `by ${textAt(authorisation, 'decidedBy')} in ${textAt(authorisation, 'durationMs')} ms`
  const reason = textAt(authorisation, 'reason')
  return sentence(
    joinStyled(
      [
        joinStyled([state(textAt(authorisation, 'status')), ` ${code === '00' ? '' : `${code} `}${by}`]),
        reason,
        withAmount('hold', authorisation, 'hold'),
        withAmount('available', authorisation, 'availableAmount'),
        `authorisation ${textAt(authorisation, 'id')}`,
      ].filter(part => part !== ''),
      ' · ',
    ),
    context,
  )
}

/** One authorisation with what came after it: reversals and clearings. */
export const authorisationDetailView: View = genericView

export const authorisationListView: ListView = (authorisations, context) =>
  table(columns(context), authorisations, context, 'No authorisations.')

const columns = (context: ViewContext): readonly Column<unknown>[] => [
  {title: 'Id', value: each => textAt(each, 'id'), fit: 'keep'},
  {title: 'When', value: each => momentOf(each, context), fit: 'keep'},
  {title: 'Merchant', value: each => textAt(each, 'merchantName'), optional: true},
  {title: 'Amount', value: each => withAmount('', each, ''), align: 'right', fit: 'keep'},
  {title: 'Decision', value: decisionOf, fit: 'wrap', least: 11},
  {title: 'Took', value: tookOf, align: 'right', fit: 'keep'},
]

function momentOf(authorisation: unknown, context: ViewContext): string {
  const at = Date.parse(textAt(authorisation, 'createdAt'))
  return Number.isNaN(at) ? '' : dayTime(at, context)
}

/** `declined 51 by service`. */
function decisionOf(authorisation: unknown): Styled {
  const status = textAt(authorisation, 'status')
  const word = WORDS[status]?.(textAt(authorisation, 'responseCode')) ?? state(status)
  return joinStyled([word, ` by ${textAt(authorisation, 'decidedBy')}`])
}

const WORDS: Readonly<Record<string, (code: string) => Span>> = {
  APPROVED: () => ok('approved'),
  PARTIALLY_APPROVED: code => warn(`partial ${code}`),
  DECLINED: code => bad(`declined ${code}`),
}

function tookOf(authorisation: unknown): string {
  const millis = numberAt(authorisation, 'durationMs')
  return millis === undefined ? '' : wholeMs(millis)
}

/** `hold EUR 12.50`, nothing where there is none. */
function withAmount(label: string, value: unknown, member: string): Styled {
  const money = member === '' ? value : memberAt(value, member)
  const currency = textAt(money, 'currency')
  if (currency === '') return ''
  const shown = amount(memberAt(money, 'amount'), currency)
  return label === '' ? shown : joinStyled([`${label} `, shown])
}
