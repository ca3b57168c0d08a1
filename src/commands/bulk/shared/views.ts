import {count} from '../../../money/amount.ts'
import {detail} from '../../../output/detail.ts'
import {fieldAt, numberAt, textAt} from '../../../output/fields.ts'
import {reasonLines} from '../../../output/reasons.ts'
import {state, stateMark} from '../../../output/state.ts'
import {bad, type Span} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import type {ListView, View, ViewContext} from '../../../output/view.ts'
import {dayTime, timeColumn} from '../../../output/when.ts'

/** The progress of a bulk job. */
export const bulkJobView: View = (job, context) =>
  detail(
    {
      title: `Bulk job ${textAt(job, 'job')}`,
      status: stateMark(stateOf(job), context),
      rows: [
        ['Job key', textAt(job, 'jobKey')],
        ['Operation', textAt(job, 'operation')],
        ['File', textAt(job, 'source')],
        ['Created', dayTime(Date.parse(textAt(job, 'createdAt')), context)],
        ['User', textAt(job, 'user')],
        ['Workers', numberAt(job, 'workers') === undefined ? '' : number(job, 'workers')],
        ['Rows', number(job, 'rows')],
        ['Done', number(job, 'done')],
        [
          'Odd responses',
          (numberAt(job, 'odd') ?? 0) > 0
            ? `${number(job, 'odd')} (done, but the response differs from the contract)`
            : '',
        ],
        ['Failed', number(job, 'failed')],
        ['Unknown', (numberAt(job, 'open') ?? 0) > 0 ? `${number(job, 'open')} (sent, effect unknown)` : '0'],
        ['Held back', number(job, 'held')],
        ['On the way', textAt(job, 'state') === 'running' ? number(job, 'sent') : ''],
        ['Left', number(job, 'left')],
        ['Reasons', {lines: reasonLines(fieldAt(job, 'reasons'))}],
        ['Paused', pausedText(job, context)],
        ['Next', nextText(job)],
      ],
    },
    context,
  )

function nextText(job: unknown): string {
  const [next, when] = [String(fieldAt(job, 'next') ?? ''), textAt(job, 'nextWhen')]
  return when === '' ? next : `${when}: ${next}`
}

/** Before its first row, a job is `unread` to programs. One that has ended is done only if its rows are. */
function stateOf(job: unknown): Span {
  const word = textAt(job, 'state')
  if (word === 'unread') return {text: 'not begun'}
  const undone = ['failed', 'open', 'held', 'left'].some(name => (numberAt(job, name) ?? 0) > 0)
  return word === 'done' && undone ? bad('ended, not all done') : state(word)
}

function pausedText(job: unknown, context: ViewContext): string {
  const until = textAt(job, 'paused.until')
  return until === '' ? '' : `until ${dayTime(Date.parse(until), context)}: ${textAt(job, 'paused.why')}`
}

/** Bulk jobs, newest first. */
export const bulkListView: ListView = (jobs, context) =>
  table('bulk job', jobColumns(timeColumn('Created', context)), jobs, context, 'No bulk jobs.')

/** How many rows ended in which state. */
export const bulkResultsView: ListView = (rows, context) =>
  table('result', rowColumns, rows, context, 'No rows.')

const jobColumns = (created: ReturnType<typeof timeColumn>): readonly Column<unknown>[] => [
  {title: 'Job', value: 'job', fit: 'keep'},
  {title: 'State', value: stateOf, fit: 'keep'},
  {
    title: created.title,
    value: job => created.text(Date.parse(textAt(job, 'createdAt'))),
    fit: 'wrap',
    least: created.least,
    spare: 2,
  },
  {title: 'Operation', value: 'operation', fit: 'wrap'},
  {title: 'File', value: job => fileName(textAt(job, 'source')), fit: 'wrap', optional: true, spare: 3},
  {title: 'User', value: 'user', fit: 'wrap', optional: true, spare: 1},
  {title: 'Rows', value: job => number(job, 'rows'), align: 'right', fit: 'keep'},
  {title: 'Done', value: job => number(job, 'done'), align: 'right', fit: 'keep'},
  {title: 'Failed', value: job => number(job, 'failed'), align: 'right', fit: 'keep'},
  {title: 'Unknown', value: job => number(job, 'open'), align: 'right', fit: 'keep', spare: 4},
  {
    title: 'Held back',
    value: job => ((numberAt(job, 'held') ?? 0) > 0 ? number(job, 'held') : ''),
    align: 'right',
    fit: 'keep',
    optional: true,
  },
  {title: 'Left', value: job => number(job, 'left'), align: 'right', fit: 'keep'},
  {
    title: 'Reason',
    value: job => textAt(fieldAt(job, 'reasons.0'), 'code'),
    fit: 'wrap',
    optional: true,
    spare: 5,
  },
]

const rowColumns: readonly Column<unknown>[] = [
  {title: 'Row', value: row => number(row, 'row'), align: 'right', fit: 'keep'},
  {title: 'State', value: row => state(fieldAt(row, 'state')), fit: 'keep'},
  {title: 'HTTP', value: 'status', align: 'right', fit: 'keep', optional: true},
  {title: 'Request', value: 'request', fit: 'keep', optional: true},
  {title: 'Message', value: 'message', fit: 'wrap', optional: true},
]

function number(value: unknown, name: string): string {
  return count(numberAt(value, name) ?? 0)
}

/** The last part of a path. */
const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path
