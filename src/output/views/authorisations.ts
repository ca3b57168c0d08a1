import {amount} from '../amount.ts'
import {memberAt} from '../members.ts'
import {listAt, textAt} from '../read-member.ts'
import {state} from '../state.ts'
import {joinStyled, type Styled} from '../styled.ts'
import {type Column, table} from '../table.ts'
import {type ListView, sentence, type View, type ViewContext} from '../view.ts'
import {dateTime} from '../when.ts'
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
  {title: 'When', value: each => dateTime(textAt(each, 'createdAt'), context)},
  {title: 'Card', value: each => textAt(each, 'cardId')},
  {title: 'Merchant', value: each => textAt(each, 'merchantName'), optional: true},
  {title: 'Amount', value: each => withAmount('', each, ''), align: 'right', fit: 'keep'},
  {title: 'Outcome', value: each => state(textAt(each, 'status')), fit: 'keep'},
  {title: 'Code', value: each => textAt(each, 'responseCode')},
  {title: 'By', value: each => textAt(each, 'decidedBy')},
  {title: 'Took', value: each => `${textAt(each, 'durationMs')} ms`, align: 'right', fit: 'keep'},
  {title: 'Reason', value: each => textAt(each, 'reason'), fit: 'wrap', optional: true},
  {title: 'Hold', value: each => withAmount('', each, 'hold'), align: 'right', optional: true},
  {
    title: 'Cleared',
    value: each => String(listAt(each, 'clearings').length || ''),
    align: 'right',
    optional: true,
  },
]

/** `hold EUR 12.50`, nothing where there is none. */
function withAmount(label: string, value: unknown, member: string): Styled {
  const money = member === '' ? value : memberAt(value, member)
  const currency = textAt(money, 'currency')
  if (currency === '') return ''
  const shown = amount(memberAt(money, 'amount'), currency)
  return label === '' ? shown : joinStyled([`${label} `, shown])
}
