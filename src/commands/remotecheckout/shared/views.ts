import {changeText} from '../../../output/changes.ts'
import {detail} from '../../../output/detail.ts'
import {fieldAt, joined, listAt, textAt} from '../../../output/fields.ts'
import {resourceList} from '../../../output/requests.ts'
import {state, stateMark} from '../../../output/state.ts'
import {ok} from '../../../output/styled.ts'
import {table} from '../../../output/table.ts'
import {blocks, type ListView, section, sentence, type View} from '../../../output/view.ts'
import {timeColumn} from '../../../output/when.ts'

/** The network accepted the request. The outcome follows later; a note on stderr says how to get it. */
export const traceStartedView: View = (response, context) => {
  const trace = textAt(response, 'requestTraceId')
  return sentence([ok('Accepted'), `, trace ${trace}`], context)
}

/** The outcome of an operation. COMPLETED says only that it ended; the details have the outcome. */
export const traceView: View = async (response, context) => {
  const outcome = fieldAt(response, 'details.status')
  const errors = listAt(response, 'details.errorDetails')
  const head = detail(
    {
      title: 'Remote checkout operation',
      status: stateMark(outcome ?? fieldAt(response, 'status'), context),
      rows: [
        ['Progress', [state(fieldAt(response, 'status'))]],
        ['Outcome', outcome === undefined ? '' : [state(outcome)]],
      ],
    },
    context,
  )
  if (errors.length === 0) return head
  return blocks(
    head,
    await table(
      'problem',
      [
        {title: 'Field', value: 'field'},
        {title: 'Reason', value: 'reason'},
        {title: 'Message', value: 'message', fit: 'wrap'},
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
    await changeText(fieldAt(result, 'change.before'), fieldAt(result, 'change.after'), context),
  )

/** An enrolled customer and the cards. */
export const enrolledCustomerView: View = async (response, context) => {
  const at = (name: string) => textAt(response, `customerInformation.${name}`)
  const instruments = listAt(response, 'paymentInstruments')
  const head = detail(
    {
      title: joined([at('firstName'), at('middleName'), at('lastName')]) || 'Enrolled customer',
      status: stateMark(fieldAt(response, 'customerInformation.status'), context),
      rows: [
        ['E-mail', {lines: listAt(response, 'customerInformation.email').map(String)}],
        ['Phone', {lines: listAt(response, 'customerInformation.phone').map(String)}],
        ['Locale', at('locale')],
        ['Country', at('countryCode')],
      ],
    },
    context,
  )
  const cards = await table(
    'card',
    [
      {title: 'Card', value: 'cardId', fit: 'keep'},
      {title: 'Status', value: card => state(fieldAt(card, 'status')), fit: 'keep'},
      {title: 'Name on card', value: 'nameOnCard'},
      {title: 'Token reference', value: 'tokenDetails.tokenReferenceID', optional: true},
      {title: 'Requestor', value: 'tokenDetails.tokenRequestorID', optional: true},
      {title: 'Country', value: 'billingAddress.country', optional: true},
    ],
    instruments,
    context,
    'No cards.',
  )
  return blocks(head, section('Cards', cards, context))
}

/** Operations that were started here, with the status that the service has now. */
/** The trace has its own column. */
const withoutTraces = (trace: unknown): readonly unknown[] =>
  listAt(trace, 'resources').filter(one => !String(one).startsWith('trace:'))

export const traceListView: ListView = (traces, context) => {
  const when = timeColumn('Started', context)
  return table(
    'trace',
    [
      {title: 'Trace', value: 'traceId', fit: 'keep'},
      {
        title: when.title,
        value: trace => when.text(Date.parse(textAt(trace, 'startedAt')) || 0),
        fit: 'wrap',
      },
      {title: 'Operation', value: 'operation', fit: 'wrap', least: 12},
      {title: 'On', value: trace => resourceList(withoutTraces(trace)), fit: 'wrap', least: 12},
      {title: 'Status', value: trace => state(textAt(trace, 'status')), fit: 'wrap', least: 11},
      {title: 'Outcome', value: trace => state(textAt(trace, 'outcome')), optional: true},
      {title: 'Ticket', value: 'ticket', optional: true, spare: 1},
    ],
    traces,
    context,
    'No operation that was started here is open.',
  )
}
