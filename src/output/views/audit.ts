import {joined, numberAt, textAt} from '../read-member.ts'
import {state} from '../state.ts'
import {table} from '../table.ts'
import type {ListView, ViewContext} from '../view.ts'
import {dayTime} from '../when.ts'

/** Lines of the audit trail; `-o json` has all of each. */
export const auditListView: ListView = (lines, context) =>
  table(
    [
      {title: 'No', value: line => textAt(line, 'seq'), align: 'right', fit: 'keep'},
      {
        title: 'When',
        value: line => whenOf(line, context),
        fit: 'wrap',
        least: 10,
      },
      {title: 'What', value: line => textAt(line, 'kind'), fit: 'keep'},
      {title: 'Operation', value: line => textAt(line, 'operation') || textAt(line, 'note'), fit: 'wrap'},
      {title: 'On', value: line => textAt(line, 'resource'), optional: true},
      {title: 'Who', value: whoOf, fit: 'wrap', least: 6},
      {title: 'Profile', value: line => textAt(line, 'profile')},
      {title: 'Outcome', value: line => state(textAt(line, 'outcome')), fit: 'keep'},
      {title: 'HTTP', value: line => numberAt(line, 'status')?.toString(), align: 'right', fit: 'keep'},
    ],
    lines,
    context,
    'No lines.',
  )

function whenOf(line: unknown, context: ViewContext): string {
  const at = Date.parse(textAt(line, 'at'))
  return Number.isNaN(at) ? '' : dayTime(at, context)
}

/** Who is named to the service, and who was logged in here where that is somebody else. */
function whoOf(line: unknown): string {
  const [named, local] = [textAt(line, 'auditUser'), textAt(line, 'osUser')]
  return named === local ? named : joined([named, local === '' ? '' : `(${local})`])
}
