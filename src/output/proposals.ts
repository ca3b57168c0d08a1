import {amount, counted} from '../money/amount.ts'
import {FORMER_VALUES, sentRows} from './changes.ts'
import {detail, labelledText} from './detail.ts'
import {fieldAt, joined, listAt, textAt} from './fields.ts'
import {state, stateMark} from './state.ts'
import {dim} from './styled.ts'
import {type Column, table} from './table.ts'
import {
  arrows,
  blocks,
  glyphsOf,
  type ListView,
  section,
  sentence,
  stack,
  type View,
  type ViewContext,
} from './view.ts'
import {dayTime, timeColumn} from './when.ts'

/** A request that waits for a second person, or waited, with all that it would send. */
export const proposalView: View = async (proposal, context) => {
  const at = (name: string) => dayTime(Date.parse(textAt(proposal, name)), context)
  const decision = fieldAt(proposal, 'decision')
  const rows = listAt(proposal, 'rows')
  const requests = listAt(proposal, 'requests')
  const separator = ` ${glyphsOf(context).separator} `
  const sections =
    rows.length > 0 ? [] : await Promise.all(requests.map(one => requestSection(one, proposal)))
  const shown = sections.map(({title, rows}) =>
    rows.length === 0 ? undefined : section(arrows(title, context), labelledText(rows, context), context),
  )
  return blocks(
    detail(
      {
        title: `Proposal ${textAt(proposal, 'id')}`,
        status: stateMark(textAt(proposal, 'state'), context),
        rows: [
          ['What', arrows(textAt(proposal, 'action'), context)],
          ['Service', textAt(proposal, 'service')],
          ['Proposed by', personOf(fieldAt(proposal, 'by'))],
          ['As', textAt(fieldAt(proposal, 'by'), 'auditUser')],
          ['When', at('at')],
          ['Expires', at('expiresAt')],
          ['Ticket', textAt(proposal, 'ticket')],
          ['Note', textAt(proposal, 'note')],
          ['Sent again', againOf(fieldAt(proposal, 'transfers'), separator)],
          ['Sent from', textAt(proposal, 'sender') || undefined],
          ['Sent as', textAt(proposal, 'sentAs') || undefined],
          ['Decided by', decision === undefined ? undefined : deciderOf(fieldAt(decision, 'by'))],
          ['Decided', decision === undefined ? undefined : momentIn(decision, context)],
          ['Signed by', decision === undefined ? undefined : textAt(decision, 'signedBy') || undefined],
          ['Reason', decision === undefined ? undefined : textAt(decision, 'reason')],
          ['Sent by request', decision === undefined ? undefined : listAt(decision, 'requests').join(', ')],
        ],
      },
      context,
    ),
    ...shown,
    rows.length === 0
      ? undefined
      : section(
          counted(rows.length, 'transfer'),
          await table(
            'transfer',
            transferColumns,
            rows.map((row, index) => ({row, index})),
            context,
          ),
          context,
        ),
    formerValueNote([proposal], context),
  )
}

const momentIn = (decision: unknown, context: ViewContext): string => {
  const at = Date.parse(textAt(decision, 'at'))
  return Number.isNaN(at) ? '' : dayTime(at, context)
}

/** Fields of one request. A batch has its rows instead. */
async function requestSection(request: unknown, proposal: unknown) {
  const sent = fieldAt(request, 'sent')
  // The rows of a batch are shown beside it, or on demand.
  const isEmpty =
    textAt(request, 'operation') === 'a2a.create.v1' ||
    sent === undefined ||
    Object.keys(sent as object).length === 0
  const rows = isEmpty ? [] : await sentRows(textAt(request, 'operation'), sent, fieldAt(request, 'before'))
  const what = textAt(proposal, 'state') === 'approved' ? 'What was approved' : 'What would be sent'
  return {title: listAt(proposal, 'requests').length === 1 ? what : textAt(request, 'action'), rows}
}

interface Row {
  readonly row: unknown
  readonly index: number
}

const transferColumns: readonly Column<Row>[] = [
  {title: 'Row', value: ({index}) => String(index + 1), align: 'right', fit: 'keep'},
  {title: 'From', value: ({row}) => textAt(row, 'fromAccountId'), fit: 'keep'},
  {title: 'To', value: ({row}) => textAt(row, 'toAccountId'), fit: 'keep'},
  {
    title: 'Amount',
    value: ({row}) => amount(fieldAt(row, 'amount'), fieldAt(row, 'currency')),
    align: 'right',
    fit: 'keep',
  },
  {title: 'Text', value: ({row}) => textAt(row, 'text'), fit: 'wrap', optional: true},
]

/** Proposals, newest first. */
export const proposalListView: ListView = async (proposals, context) => {
  const when = timeColumn('When', context)
  const columns: readonly Column<unknown>[] = [
    {title: 'Proposal', value: 'id', fit: 'keep'},
    {
      title: when.title,
      value: each => when.text(Date.parse(textAt(each, 'at'))),
      fit: 'wrap',
      least: when.least,
    },
    {title: 'By', value: each => proposerOf(fieldAt(each, 'by')), fit: 'wrap', least: 6},
    {title: 'What', value: each => arrows(textAt(each, 'action'), context), fit: 'wrap', least: 16},
    {title: 'Ticket', value: 'ticket', optional: true},
    {title: 'Note', value: 'note', fit: 'wrap', least: 10, optional: true, spare: 1},
    {title: 'State', value: each => state(textAt(each, 'state')), fit: 'keep'},
  ]
  return stack(
    await table('proposal', columns, proposals, context, 'No proposals.'),
    formerValueNote(proposals, context),
  )
}

const formerValueNote = (proposals: readonly unknown[], context: ViewContext): string | undefined =>
  proposals.some(each => textAt(each, 'action').includes(' → '))
    ? sentence(dim(` ${FORMER_VALUES}`), context)
    : undefined

/** The audit user, as everywhere, and the user of the system if that is somebody else. */
function proposerOf(person: unknown): string {
  const [named, local] = [textAt(person, 'auditUser'), textAt(person, 'osUser')]
  return joined([named || local, named === '' || named === local ? '' : `(${local})`])
}

/** The user of the system that a file belongs to. */
const personOf = (person: unknown): string =>
  fieldAt(person, 'uid') === -1
    ? `${textAt(person, 'osUser')} (on another machine)`
    : `${textAt(person, 'osUser')} (user id ${textAt(person, 'uid')})`

/** The name by which colleagues know them, and the user of the system that the file belongs to. */
function deciderOf(person: unknown): string {
  const named = textAt(person, 'auditUser')
  const owner = personOf(person)
  return named === '' || named === textAt(person, 'osUser') ? owner : `${named}, as ${owner}`
}

/** What the flags of `a2a create` said about transfers that were sent before. */
function againOf(transfers: unknown, separator: string): string | undefined {
  if (transfers === undefined) return undefined
  const again =
    fieldAt(transfers, 'again') === true ? 'again, even if they were sent before (--again)' : undefined
  const rest = fieldAt(transfers, 'rest') === true ? 'only what is left of them (--rest)' : undefined
  return joined(
    [again, rest].filter(text => text !== undefined),
    separator,
  )
}
