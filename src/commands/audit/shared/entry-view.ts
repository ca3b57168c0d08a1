import {joined, listAt, numberAt, textAt} from '../../../output/fields.ts'
import {resourceList} from '../../../output/requests.ts'
import {state} from '../../../output/state.ts'
import {table} from '../../../output/table.ts'
import type {ListView} from '../../../output/view.ts'
import {timeColumn} from '../../../output/when.ts'

/** Entries of the audit trail; `-o json` has all fields. */
export const auditListView: ListView = (lines, context) => {
  const when = timeColumn('When', context)
  return table(
    'entry',
    [
      {title: 'No', value: 'seq', align: 'right', fit: 'keep'},
      {
        title: when.title,
        value: line => whenOf(line, when.text),
        fit: 'wrap',
        least: when.least,
      },
      {title: 'What', value: 'kind', fit: 'keep'},
      {
        title: 'Operation',
        value: line => textAt(line, 'operation') || textAt(line, 'note'),
        fit: 'wrap',
        least: 12,
        ease: 15,
      },
      {title: 'On', value: touched, fit: 'wrap', least: 12, optional: true},
      {title: 'Who', value: whoOf, fit: 'wrap', least: 6},
      {title: 'Ticket', value: 'ticket', optional: true},
      {title: 'Profile', value: 'profile'},
      {title: 'Outcome', value: line => state(textAt(line, 'outcome')), fit: 'keep'},
      {
        title: 'HTTP',
        value: line => numberAt(line, 'status')?.toString(),
        align: 'right',
        fit: 'keep',
        spare: 1,
      },
    ],
    lines,
    context,
    'No entries.',
  )
}

/** What an entry of these kinds says of the records of this machine. */
const OWN_RECORDS = ['erase', 'export', 'import']

/** Only the first ones are shown, because a batch touches hundreds of accounts. */
const touched = (line: unknown): string =>
  resourceList(listAt(line, 'resources')) ||
  (OWN_RECORDS.includes(textAt(line, 'kind')) ? textAt(line, 'note') : '')

function whenOf(line: unknown, text: (millis: number) => string): string {
  const at = Date.parse(textAt(line, 'at'))
  return Number.isNaN(at) ? '' : text(at)
}

/** The audit user, who is responsible if that is a machine, the local user if it is someone else, and an agent. */
function whoOf(line: unknown): string {
  const [named, local] = [textAt(line, 'auditUser'), textAt(line, 'osUser')]
  const responsible = textAt(line, 'responsible')
  const who = responsible === '' ? named : `${named} for ${responsible}`
  const caller = textAt(line, 'caller')
  const by = [named === local ? '' : local, caller.startsWith('agent') ? caller : '']
  return joined([who, ...by.map(text => (text === '' ? '' : `(${text})`))])
}
