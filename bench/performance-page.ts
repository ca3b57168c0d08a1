import type {Report} from './bench.ts'
import {boundText, figureText} from './report-text.ts'

const HEAD = `This page is the result of \`npm run bench -- --write\`. It compares cardctl with other programs that do the same job, and with the least that any such program must do. All programs of a benchmark take turns, round by round, and a ratio compares two programs within the same round. Only ratios and peak memory have limits, because machines differ. Other programs disturb wall time, so the tables give processor time too. \`npm run bench\` fails if a figure is past its limit.`

/** What no run can tell. Each number is from the machine of its time. */
const TRIED = `## What was tried

Measured on a busy machine with 2 processors, so by processor time or by counts.

- **Bulk runs.** Two thirds of the writes to files were SQLite's notes for undoing a single statement. These stay in memory
  now, and there are fewer checkpoints: 5000 rows take 16,898 writes and 110 syncs, before 49,200 and 131, and 4% less
  processor time. Before that change, a further row took 350 µs, in the bare loop 67. By a profile, 22% of it are SQLite, 13%
  undici, 13% garbage collection, 8% encryption, and the rest some hundred functions with at most 7 µs each. Left out, because
  nothing could be measured over a whole run or it was about 2%: columns and connections looked up once for all rows, a
  simpler trigger for requests with one resource, transactions of 256 or 500 rows, keys in ascending order. Room for 8 MB of
  new objects gains 4 to 14%, but V8 takes that size only when Node.js starts. A second thread for the journal was not tried.
- **GET from the sandbox.** The bare route takes 20 µs of processor time and the sandbox 37. Its own work, from the check of
  the request to the JSON, takes 10. The rest is shared by the printed line for each request, promises and garbage collection,
  and no function takes more than 3. A faster search for the operation gained 0.15 µs and was left out.
- **Embedded \`cards get\`.** It takes 0.9 of the processor time of one over HTTP. On the clock it also waits for SQLite,
  which creates and removes two files each time. Loading the demo data only into a new state gained nothing.
- **Peak memory.** A sum over the compiled code in a JavaScript loop makes V8 optimise the loop, which takes 5 MB. CRC-32 of
  node:zlib takes 1 MB, and 2 ms to load. A digest of node:crypto takes more time.
`

/** docs/performance.md, from one run of all benchmarks. */
export function pageText({date, machine, runs, suites, verdicts}: Report): string {
  const versions = suites.flatMap(suite => Object.entries(suite.versions))
  const facts = [
    ['Date', date],
    ['Processors', `${machine.processors} × ${machine.model}`],
    ['Memory', machine.memory],
    ['System', machine.system],
    ['Node.js', machine.node],
    ['Rounds', String(runs)],
    ['Load before the run', String(machine.load)],
    ...new Map(versions),
  ]
  const parts = [
    `# Performance\n\n${wrapped(HEAD)}\n`,
    table([['', ''], ...facts]),
    ...suites.map(({title, about, columns, rows, skipped}) =>
      [
        `## ${title}\n\n${wrapped(about)}\n`,
        table([columns, ...rows]),
        ...skipped.map(text => `\nSkipped: ${text}\n`),
      ].join('\n'),
    ),
    `## Limits\n`,
    table([
      ['', 'measured', 'limit', 'wanted'],
      ...verdicts.map(({suite, figure, value, limit}) => [
        `${suite}: ${figure}`,
        figureText(value),
        boundText(limit),
        String(limit.wanted),
      ]),
    ]),
    TRIED,
  ]
  return parts.join('\n')
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const rule = `|${head.map((_, at) => (at === 0 ? '---|' : '---:|')).join('')}\n`
  return line(head) + rule + rows.map(line).join('')
}

const WIDTH = 120

function wrapped(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}
