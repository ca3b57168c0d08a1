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
export function shiftPage(report: ShiftReport, clock: PageClock): string {
  const at = timeOn(clock)
  const trouble = (entries: readonly ShiftEntry[]) =>
    entries.map(entry => [
      whole(at(Date.parse(entry.at))),
      doneBy(entry),
      entry.auditUser ?? '',
      outcome(entry.state ?? ''),
      entry.evidence ?? entry.said ?? '',
      entry.request ?? '',
    ])
  const columns = ['When', 'What', 'By', 'Outcome', 'Problem', 'Request']
  const legend = report.entries.some(namesFormerValue) ? FORMER_VALUES : undefined
  return reportPage('Shift report', shiftFacts(report, at), clock, [
    {heading: 'Open', columns, rows: trouble(openEntries(report))},
    {heading: 'Failed', columns, rows: trouble(failedEntries(report))},
    {
      heading: 'What was done',
      columns: ['When', 'What', 'On', 'By', 'Ticket and note', 'Outcome'],
      rows: oneOfEach(report.entries).map(entry => [
        whole(at(Date.parse(entry.at))),
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
  const at = timeOn(clock)
  const money = (text: string, currency: string): Cell => ({text: amount(text, currency), kind: 'number'})
  return reportPage(
    `Batch ${report.batch}: ${report.status}`,
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
  return `<td${classed} data-label="${htmlText(column)}">${htmlText(text)}</td>`
}

const STYLE = `${BASE_STYLE}dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .75rem 1.5rem; margin: 0; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
dt { color: var(--soft); font-size: .8125rem; }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th { border-top: 0; white-space: nowrap; }
td { overflow-wrap: break-word; }
section { overflow-x: auto; }
.number { font-variant-numeric: tabular-nums; text-align: right; }
.number, .whole { white-space: nowrap; overflow-wrap: normal; }
.ok { color: var(--ok); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.legend { color: var(--soft); font-size: .8125rem; }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .8125rem; }
@media (max-width: 40rem) { thead { display: none; } tr { display: block; border-top: 1px solid var(--line); padding: .5rem 0; } td { display: flex; overflow-wrap: anywhere; white-space: normal; text-align: left; gap: .75rem; border: 0; padding: .1rem 0; } td::before { content: attr(data-label); flex: 0 0 7rem; color: var(--soft); font-size: .8125rem; } td:empty { display: none; } }
@page { size: A4; margin: 15mm 12mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; } }
@media print { :root { color-scheme: light; font-size: 9.5pt; --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --card: #fff; --ok: #000; --warn: #000; --bad: #000; } body { font-size: 1rem; } main { max-width: none; padding: 0; } tr { break-inside: avoid; } thead { display: table-header-group; } h2 { break-after: avoid; } }
`
