import {detail, labelledText} from '../detail.ts'
import {fieldAt, joined, listAt, textAt} from '../fields.ts'
import {state, stateMark} from '../state.ts'
import {table} from '../table.ts'
import {blocks, type ListView, section, type View} from '../view.ts'
import {dayTime, timeColumn} from '../when.ts'
import {sentRows} from './changes.ts'

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
          ['When', at('at')],
          ['Expires', at('expiresAt')],
          ['Ticket', textAt(proposal, 'ticket')],
          ['Note', textAt(proposal, 'note')],
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
      {title: 'By', value: each => textAt(fieldAt(each, 'by'), 'auditUser'), fit: 'wrap', least: 6},
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

/** The audit user, and the user of the system if it is named otherwise. */
function personOf(person: unknown): string {
  const [named, local] = [textAt(person, 'auditUser'), textAt(person, 'osUser')]
  return named === local ? named : `${named} (${local})`
}
