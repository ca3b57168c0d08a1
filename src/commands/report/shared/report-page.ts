import {resourceWords} from '../../../contract/resource.ts'
import {amount, count} from '../../../money/amount.ts'
import {oneOfEach} from '../../../output/exchanges.ts'
import {BASE_STYLE, htmlPage, htmlText} from '../../../output/html-page.ts'
import {localTime, plainDateTime} from '../../../output/when.ts'
import {type BatchReport, batchFacts, failedTransfersOf} from './batch-view.ts'
import {FAILED_TRANSFERS, failedLines, moreFailed} from './failed-transfers.ts'
import {jobWords, leftWords} from './open-jobs.ts'
import {
  failedEntries,
  openEntries,
  purposeOf,
  runningEntries,
  type ShiftEntry,
  type ShiftLine,
  type ShiftReport,
  whoOf,
} from './shift-types.ts'
import {
  BEGUN,
  CONFLICTING,
  coveredBy,
  doneBy,
  endWords,
  legendOf,
  machinesOf,
  REJECTED,
  RUNNING,
  type ShownRows,
  shiftFacts,
  shownEntries,
  signatureOf,
  stateWord,
  UNVOUCHED,
  verdictOf,
  WAITING,
} from './shift-view.ts'
import {problemOf} from './shift-words.ts'

/** The time and zone that a page is written for. */
export interface PageClock {
  readonly now: number
  readonly timeZone: string | undefined
}

export type Cell = string | {readonly text: string; readonly kind: 'number' | 'whole' | 'ok' | 'warn' | 'bad'}

export interface Table {
  readonly heading: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** Below the table. */
  readonly legend?: string | undefined
}

/** Without a line break in it. */
const whole = (text: string): Cell => ({text, kind: 'whole'})

/** With its date: a page is read later. */
const timeOn =
  (clock: PageClock) =>
  (millis: number): string =>
    localTime(millis, clock)

/** A shift as one self-contained page. */
export function shiftPage(report: ShiftReport & ShownRows, clock: PageClock): string {
  const at = timeOn(clock)
  const {machines = [], unvouched = [], conflicting = []} = report
  const legend = legendOf(report)
  return reportPage('Shift report', [['Result', verdictOf(report).text], ...shiftFacts(report, at)], clock, [
    {
      heading: FAILED_TRANSFERS,
      columns: ['Batch', 'From', 'To', 'Amount', 'Text', 'What went wrong', 'Sent again'],
      rows: failedLines(report).map(one => [
        whole(one.batch),
        one.from,
        one.to,
        {text: amount(one.amount, one.currency), kind: 'number'},
        one.text,
        {text: one.reason, kind: 'bad'},
        one.again,
      ]),
      legend: moreFailed(report),
    },
    {
      heading: 'Machines',
      columns: ['Machine', 'Signed by the key', 'Signature', 'Covers', 'Entries'],
      rows: machines.map(machine => {
        const {text, style} = signatureOf(machine)
        return [
          machine.name,
          machine.key,
          style === 'ok' || style === 'warn' ? {text, kind: style} : text,
          coveredBy(machine, at),
          {text: count(machine.entries), kind: 'number'},
        ]
      }),
    },
    troubleTable('Open', openEntries(report), at),
    {
      heading: RUNNING,
      columns: ['When', 'What', 'By', 'Request', 'Next'],
      rows: runningEntries(report).map(entry => [
        whole(at(Date.parse(entry.at))),
        doneBy(entry),
        whoOf(entry),
        entry.request ?? '',
        entry.next ?? '',
      ]),
    },
    {
      heading: WAITING,
      columns: ['When', 'What', 'Proposed by', 'Ticket and note', 'Expires', 'Proposal'],
      rows: report.waiting.map(each => [
        whole(at(Date.parse(each.at))),
        each.action,
        each.proposedBy,
        [each.ticket, each.note].filter(text => text !== undefined).join(': '),
        whole(at(Date.parse(each.expiresAt))),
        each.proposal,
      ]),
    },
    {
      heading: REJECTED,
      columns: ['When', 'What', 'Proposed by', 'Rejected by', 'Why', 'Ticket', 'Proposal'],
      rows: report.rejected.map(each => [
        whole(at(Date.parse(each.at))),
        each.action,
        each.proposedBy,
        each.rejectedBy,
        each.reason ?? '',
        each.ticket ?? '',
        each.proposal,
      ]),
    },
    {
      heading: BEGUN,
      columns: ['When', 'What', 'By', 'Not sent', 'Next'],
      rows: report.openJobs.map(job => [
        whole(at(Date.parse(job.createdAt))),
        jobWords(job),
        job.auditUser ?? '',
        {text: leftWords(job), kind: 'warn'},
        job.next,
      ]),
    },
    troubleTable('Failed', failedEntries(report), at),
    {...entryTable('What was done', shownEntries(report), at), legend},
    entryTable(CONFLICTING, conflicting, at),
    entryTable(UNVOUCHED, unvouched, at),
  ])
}

type WriteTime = (millis: number) => string

/** The column of the machines, if there are several. */
const machineColumn = (entries: readonly ShiftEntry[]): readonly string[] =>
  entries.some(({machines}) => machines !== undefined) ? ['Machine'] : []

function troubleTable(heading: string, entries: readonly ShiftEntry[], at: WriteTime): Table {
  const machine = machineColumn(entries)
  return {
    heading,
    columns: ['When', 'What', 'By', ...machine, 'Outcome', 'Problem', 'Request'],
    rows: entries.map(entry => [
      whole(at(Date.parse(entry.at))),
      doneBy(entry),
      whoOf(entry),
      ...machine.map(() => machinesOf(entry)),
      endOf(entry),
      problemOf(entry),
      entry.request ?? '',
    ]),
  }
}

function entryTable(heading: string, entries: readonly ShiftEntry[], at: WriteTime): Table {
  const machine = machineColumn(entries)
  return {
    heading,
    columns: ['When', 'What', 'On', 'By', ...machine, 'Ticket and note', 'Outcome'],
    rows: oneOfEach(entries).map(entry => [
      whole(at(Date.parse(entry.at))),
      doneBy(entry),
      touchedBy(entry),
      whoOf(entry),
      ...machine.map(() => machinesOf(entry)),
      purposeOf(entry),
      endOf(entry),
    ]),
  }
}

/** Resources that a line names. */
const MOST_NAMED = 10

function touchedBy({resources}: ShiftEntry): string {
  const words = resources.map(resourceWords)
  const more = words.length - MOST_NAMED
  return `${words.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`
}

/** A batch as one self-contained page. */
export function batchPage(report: BatchReport, clock: PageClock): string {
  const at = timeOn(clock)
  const money = (text: string, currency: string): Cell => ({text: amount(text, currency), kind: 'number'})
  return reportPage(
    `Batch ${report.batch}: ${stateWord(report.status)}`,
    batchFacts(report, at, time => plainDateTime(time, clock)),
    clock,
    [
      {
        heading: 'Sums',
        columns: ['State', 'Transfers', 'Sum'],
        rows: report.sums.map(sum => [
          outcome(sum.status),
          {text: count(sum.count), kind: 'number'},
          money(sum.total, sum.currency),
        ]),
      },
      {
        heading: 'Failed',
        columns: ['Id', 'From', 'To', 'Amount', 'Text', 'What went wrong'],
        rows: failedTransfersOf(report).map(item => [
          whole(item.id),
          item.from,
          item.to,
          money(item.amount, item.currency),
          item.text,
          item.reason,
        ]),
      },
      {
        heading: 'All transfers',
        columns: ['Id', 'From', 'To', 'Amount', 'Text', 'State'],
        rows: report.transfers.map(item => [
          whole(item.id),
          item.from,
          item.to,
          money(item.amount, item.currency),
          item.text,
          outcome(item.status),
        ]),
      },
    ],
  )
}

const KINDS: Readonly<Record<string, 'ok' | 'warn' | 'bad'>> = {
  done: 'ok',
  COMPLETED: 'ok',
  refused: 'bad',
  failed: 'bad',
  FAILED: 'bad',
  none: 'bad',
  unknown: 'warn',
  unfinished: 'warn',
  running: 'warn',
}

function endOf(entry: ShiftLine): Cell {
  const {text} = endWords(entry)
  if (entry.ends !== undefined) return {text, kind: jobKind(entry)}
  return text === entry.state || entry.state === undefined
    ? outcome(text)
    : {text, kind: entry.state === 'refused' || text.endsWith('failed') ? 'bad' : 'warn'}
}

function jobKind({state, neverSent}: ShiftLine): 'ok' | 'warn' | 'bad' {
  const kind = KINDS[state ?? ''] ?? 'warn'
  return kind === 'ok' && neverSent !== undefined ? 'warn' : kind
}

function outcome(state: string): Cell {
  const kind = Object.hasOwn(KINDS, state) ? KINDS[state] : undefined
  return kind === undefined ? state : {text: state, kind}
}

/** Facts, then tables. `more` is HTML and CSS as written by the caller, below the tables. */
export const reportPage = (
  title: string,
  facts: readonly (readonly [string, string])[],
  clock: PageClock,
  tables: readonly Table[],
  more: {readonly html: string; readonly style: string} = {html: '', style: ''},
): string =>
  htmlPage({
    title,
    style: STYLE + more.style,
    body: `<main>
<h1>${htmlText(title)}</h1>
<dl>
${facts
  .filter(([, value]) => value !== '')
  .map(([label, value]) => `<div><dt>${htmlText(label)}</dt><dd>${htmlText(value)}</dd></div>`)
  .join('\n')}
</dl>
${tables.map(section).join('')}${more.html}<footer>Made by cardctl on ${htmlText(localTime(clock.now, clock))}.</footer>
</main>`,
  })

function section({heading, columns, rows, legend}: Table): string {
  if (rows.length === 0) return ''
  return `<section>
<h2>${htmlText(heading)}</h2>
<table>
<thead><tr>${columns.map((column, at) => `${headOf(column, rows[0]?.[at])}`).join('')}</tr></thead>
<tbody>
${rows.map(cells => `<tr>${cells.map((cell, at) => cellOf(cell, columns[at] ?? '')).join('')}</tr>`).join('\n')}
</tbody>
</table>
${legend === undefined ? '' : `<p class="legend">${htmlText(legend)}</p>\n`}</section>
`
}

/** Above what it names: to the right for numbers. */
const headOf = (column: string, first: Cell | undefined): string =>
  `<th scope="col"${typeof first === 'object' && first.kind === 'number' ? ' class="number"' : ''}>${htmlText(column)}</th>`

function cellOf(cell: Cell, column: string): string {
  const [text, kind] = typeof cell === 'string' ? [cell] : [cell.text, cell.kind]
  const classed = kind === undefined ? '' : ` class="${kind}"`
  return `<td${classed} data-label="${htmlText(column)}">${breakable(htmlText(text))}</td>`
}

/** Long words, such as addresses and ids, may break, so that no column is wider than a sheet of paper lets it be. */
const breakable = (html: string): string =>
  html.replaceAll(/(?:&[a-z\d#]+;|[^\s&-]){20,}/g, word =>
    word.replaceAll(/(?:&[a-z\d#]+;|[^&]){12}/g, '$&<wbr>'),
  )

const STYLE = `${BASE_STYLE}dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .75rem 1.5rem; margin: 0; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
dt { color: var(--soft); font-size: .8125rem; }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th { border-top: 0; white-space: nowrap; overflow-wrap: normal; }
td { overflow-wrap: break-word; }
section { overflow-x: auto; }
.number { font-variant-numeric: tabular-nums; text-align: right; }
.number, .whole { white-space: nowrap; overflow-wrap: normal; }
.number wbr, .whole wbr { display: none; }
.ok { color: var(--ok); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.legend { color: var(--soft); font-size: .8125rem; }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .8125rem; }
@media screen and (max-width: 54rem) { thead { display: none; } tr { display: block; border-top: 1px solid var(--line); padding: .5rem 0; } td, td.number, td.whole { display: flex; overflow-wrap: anywhere; white-space: normal; text-align: left; gap: .75rem; border: 0; padding: .1rem 0; } td::before { content: attr(data-label); flex: 0 0 7rem; color: var(--soft); font-size: .8125rem; } td:empty { display: none; } }
@page { size: A4; margin: 15mm 12mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; } }
@media print { :root { color-scheme: light; font-size: 9.5pt; --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --card: #fff; --ok: #000; --warn: #000; --bad: #000; } body { font-size: 1rem; } main { max-width: none; padding: 0; } section { overflow: visible; } th, td.whole:not(:first-child) { white-space: normal; } tr { break-inside: avoid; } thead { display: table-header-group; } h2 { break-after: avoid; } }
`
