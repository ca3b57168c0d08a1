import {resourceWords} from '../../../contract/resource.ts'
import {amount, count} from '../../../output/amount.ts'
import {FORMER_VALUES, namesFormerValue} from '../../../output/changes.ts'
import {oneOfEach} from '../../../output/exchanges.ts'
import {BASE_STYLE, htmlPage, htmlText} from '../../../output/html-page.ts'
import {localTime, plainDateTime} from '../../../output/when.ts'
import {
  type BatchReport,
  batchFacts,
  doneBy,
  failedEntries,
  failedTransfersOf,
  openEntries,
  type ShiftEntry,
  type ShiftReport,
  shiftFacts,
} from './views.ts'

/** The time and zone that a page is written for. */
export interface PageClock {
  readonly now: number
  readonly timeZone: string | undefined
}

export type Cell = string | {readonly text: string; readonly kind: 'number' | 'ok' | 'warn' | 'bad'}

export interface Table {
  readonly heading: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** Below the table. */
  readonly legend?: string | undefined
}

/** With its date: a page is read later. */
const whole =
  (clock: PageClock) =>
  (millis: number): string =>
    localTime(millis, clock)

/** A shift as one self-contained page. */
export function shiftPage(report: ShiftReport, clock: PageClock): string {
  const at = whole(clock)
  const trouble = (entries: readonly ShiftEntry[]) =>
    entries.map(entry => [
      entry.request ?? '',
      doneBy(entry),
      outcome(entry.state ?? ''),
      entry.evidence ?? entry.said ?? '',
    ])
  const columns = ['Request', 'What', 'Outcome', 'Problem']
  const legend = report.entries.some(namesFormerValue) ? FORMER_VALUES : undefined
  return reportPage('Shift report', shiftFacts(report, at), clock, [
    {heading: 'Open', columns, rows: trouble(openEntries(report))},
    {heading: 'Failed', columns, rows: trouble(failedEntries(report))},
    {
      heading: 'What was done',
      columns: ['When', 'What', 'On', 'By', 'Ticket and note', 'Outcome'],
      rows: oneOfEach(report.entries).map(entry => [
        at(Date.parse(entry.at)),
        doneBy(entry),
        entry.resources.map(resourceWords).join(', '),
        entry.auditUser ?? '',
        [entry.ticket, entry.note].filter(text => text !== undefined).join(': '),
        outcome(entry.state ?? ''),
      ]),
      legend,
    },
  ])
}

/** A batch as one self-contained page. */
export function batchPage(report: BatchReport, clock: PageClock): string {
  const at = whole(clock)
  const money = (text: string, currency: string): Cell => ({text: amount(text, currency), kind: 'number'})
  return reportPage(
    `Batch ${report.batch}: ${report.status}`,
    batchFacts(report, at, time => plainDateTime(time, clock)),
    clock,
    [
      {
        heading: 'Sums',
        columns: ['Status', 'Transfers', 'Sum'],
        rows: report.sums.map(sum => [
          outcome(sum.status),
          {text: count(sum.count), kind: 'number'},
          money(sum.total, sum.currency),
        ]),
      },
      {
        heading: 'Failed',
        columns: ['Id', 'From', 'To', 'Amount', 'What went wrong'],
        rows: failedTransfersOf(report).map(item => [
          item.id,
          item.from,
          item.to,
          money(item.amount, item.currency),
          item.reason,
        ]),
      },
      {
        heading: 'All transfers',
        columns: ['Id', 'From', 'To', 'Amount', 'Status'],
        rows: report.transfers.map(item => [
          item.id,
          item.from,
          item.to,
          money(item.amount, item.currency),
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
<thead><tr>${columns.map(column => `<th scope="col">${htmlText(column)}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(cells => `<tr>${cells.map((cell, at) => cellOf(cell, columns[at] ?? '')).join('')}</tr>`).join('\n')}
</tbody>
</table>
${legend === undefined ? '' : `<p class="legend">${htmlText(legend)}</p>\n`}</section>
`
}

function cellOf(cell: Cell, column: string): string {
  const [text, kind] = typeof cell === 'string' ? [cell] : [cell.text, cell.kind]
  const classed = kind === undefined ? '' : ` class="${kind}"`
  return `<td${classed} data-label="${htmlText(column)}">${htmlText(text)}</td>`
}

const STYLE = `${BASE_STYLE}dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .75rem 1.5rem; margin: 0; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
dt { color: var(--soft); font-size: .8125rem; }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th { border-top: 0; white-space: nowrap; }
td { overflow-wrap: break-word; }
section { overflow-x: auto; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.ok { color: var(--ok); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.legend { color: var(--soft); font-size: .8125rem; }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .8125rem; }
@media (max-width: 40rem) { thead { display: none; } tr { display: block; border-top: 1px solid var(--line); padding: .5rem 0; } td { display: flex; overflow-wrap: anywhere; gap: .75rem; border: 0; padding: .1rem 0; } td::before { content: attr(data-label); flex: 0 0 7rem; color: var(--soft); font-size: .8125rem; } td:empty { display: none; } }
@media print { :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --card: #fff; --ok: #000; --warn: #000; --bad: #000; } body { font-size: 10pt; } main { max-width: none; padding: 0; } tr { break-inside: avoid; } thead { display: table-header-group; } h2 { break-after: avoid; } }
`
