import {amount, counted} from './amount.ts'
import {sentRows} from './changes.ts'
import {detail, labelledText} from './detail.ts'
import {fieldAt, joined, listAt, textAt} from './fields.ts'
import {state, stateMark} from './state.ts'
import {table} from './table.ts'
import {blocks, type ListView, section, type View} from './view.ts'
import {dayTime, timeColumn} from './when.ts'

/** A request that waits for a second person, or waited, with all that it would send. */
export const proposalView: View = async (proposal, context) => {
  const at = (name: string) => dayTime(Date.parse(textAt(proposal, name)), context)
  const decision = fieldAt(proposal, 'decision')
  const requests = listAt(proposal, 'requests').map(async request => {
    const rows = await sentRows(textAt(request, 'operation'), fieldAt(request, 'sent'), undefined)
    return section(textAt(request, 'action'), labelledText(rows, context), context)
  })
  return blocks(
    detail(
      {
        title: `Proposal ${textAt(proposal, 'id')}`,
        status: stateMark(textAt(proposal, 'state'), context),
        rows: [
          ['Service', textAt(proposal, 'service')],
          ['Proposed by', personOf(fieldAt(proposal, 'by'))],
          ['As', textAt(fieldAt(proposal, 'by'), 'auditUser')],
          ['When', at('at')],
          ['Expires', at('expiresAt')],
          ['Ticket', textAt(proposal, 'ticket')],
          ['Note', textAt(proposal, 'note')],
          ['Transfers', transfersOf(fieldAt(proposal, 'transfers'))],
          ['Sent as', textAt(proposal, 'sentAs') || undefined],
          ['Decided by', decision === undefined ? undefined : personOf(fieldAt(decision, 'by'))],
          ['Reason', decision === undefined ? undefined : textAt(decision, 'reason')],
        ],
      },
      context,
    ),
    ...(await Promise.all(requests)),
  )
}

/** Proposals, newest first. */
export const proposalListView: ListView = (proposals, context) => {
  const when = timeColumn('When', context)
  return table(
    [
      {title: 'Proposal', value: 'id', fit: 'keep'},
      {
        title: when.title,
        value: each => when.text(Date.parse(textAt(each, 'at'))),
        fit: 'wrap',
        least: when.least,
      },
      {title: 'By', value: each => textAt(fieldAt(each, 'by'), 'osUser'), fit: 'wrap', least: 6},
      {
        title: 'What',
        value: each =>
          joined(
            listAt(each, 'requests').map(one => textAt(one, 'action')),
            '; ',
          ),
        fit: 'wrap',
        least: 16,
      },
      {title: 'Ticket', value: 'ticket', optional: true},
      {title: 'State', value: each => state(textAt(each, 'state')), fit: 'keep'},
    ],
    proposals,
    context,
    'No proposals.',
  )
}

/** The user of the system that a file belongs to. */
const personOf = (person: unknown): string => `${textAt(person, 'osUser')} (user id ${textAt(person, 'uid')})`

/** "2 transfers: EUR 100.01 · again, although sent before (--again)". */
function transfersOf(transfers: unknown): string | undefined {
  if (transfers === undefined) return undefined
  const sums = listAt(transfers, 'totals').map(sum => amount(textAt(sum, 'amount'), textAt(sum, 'currency')))
  const all = `${counted(Number(textAt(transfers, 'count')), 'transfer')}${sums.length === 0 ? '' : `: ${joined(sums, ', ')}`}`
  const again =
    fieldAt(transfers, 'again') === true ? 'again, even if they were sent before (--again)' : undefined
  const rest = fieldAt(transfers, 'rest') === true ? 'only what is left of them (--rest)' : undefined
  return joined(
    [all, again, rest].filter(text => text !== undefined),
    ' · ',
  )
}
