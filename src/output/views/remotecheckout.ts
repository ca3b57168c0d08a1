import {detail} from '../detail.ts'
import {joined, listAt, memberAt, textAt} from '../fields.ts'
import {state, stateMark} from '../state.ts'
import {ok} from '../styled.ts'
import {table} from '../table.ts'
import {blocks, section, sentence, type View} from '../view.ts'
import {changeText} from './changes.ts'

/** The network accepted the request. The outcome follows later; a note on stderr says how to get it. */
export const traceStartedView: View = (reply, context) => {
  const trace = textAt(reply, 'requestTraceId')
  return sentence([ok('Accepted'), `, trace ${trace}`], context)
}

/** The outcome of an operation. COMPLETED says only that it ended; the details have the outcome. */
export const traceView: View = async (reply, context) => {
  const outcome = memberAt(reply, 'details.status')
  const errors = listAt(reply, 'details.errorDetails')
  const head = detail(
    {
      title: 'Remote checkout operation',
      status: stateMark(outcome ?? memberAt(reply, 'status'), context),
      rows: [
        ['Progress', [state(memberAt(reply, 'status'))]],
        ['Outcome', outcome === undefined ? '' : [state(outcome)]],
      ],
    },
    context,
  )
  if (errors.length === 0) return head
  return blocks(
    head,
    await table(
      [
        {title: 'Field', value: error => textAt(error, 'field')},
        {title: 'Reason', value: error => textAt(error, 'reason')},
        {title: 'Message', value: error => textAt(error, 'message'), fit: 'wrap'},
      ],
      errors,
      context,
    ),
  )
}

/** The outcome of an operation, and the enrolment before and after. */
export const changedTraceView: View = async (result, context) =>
  blocks(
    await traceView(result, context),
    await changeText(memberAt(result, 'change.before'), memberAt(result, 'change.after'), context),
  )

/** An enrolled customer and the cards. */
export const enrolledCustomerView: View = async (reply, context) => {
  const at = (name: string) => textAt(reply, `customerInformation.${name}`)
  const instruments = listAt(reply, 'paymentInstruments')
  const head = detail(
    {
      title: joined([at('firstName'), at('middleName'), at('lastName')]) || 'Enrolled customer',
      status: stateMark(memberAt(reply, 'customerInformation.status'), context),
      rows: [
        ['E-mail', {lines: listAt(reply, 'customerInformation.email').map(String)}],
        ['Phone', {lines: listAt(reply, 'customerInformation.phone').map(String)}],
        ['Locale', at('locale')],
        ['Country', at('countryCode')],
      ],
    },
    context,
  )
  const cards = await table(
    [
      {title: 'Card', value: card => textAt(card, 'cardId'), fit: 'keep'},
      {title: 'Status', value: card => state(memberAt(card, 'status')), fit: 'keep'},
      {title: 'Name on card', value: card => textAt(card, 'nameOnCard')},
      {
        title: 'Token reference',
        value: card => textAt(card, 'tokenDetails.tokenReferenceID'),
        optional: true,
      },
      {title: 'Requestor', value: card => textAt(card, 'tokenDetails.tokenRequestorID'), optional: true},
      {title: 'Country', value: card => textAt(card, 'billingAddress.country'), optional: true},
    ],
    instruments,
    context,
    'No cards.',
  )
  return blocks(head, section('Cards', cards, context))
}
