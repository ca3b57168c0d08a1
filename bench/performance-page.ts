import type {Report} from './bench.ts'
import {boundText, figureText} from './report-text.ts'

const HEAD = `This page is the result of \`npm run bench -- --write\`. It compares cardctl with other programs that do the same job, and with the least that any such program must do. All programs of a benchmark take turns, round by round, and a ratio compares two programs within the same round. Only ratios and peak memory have limits, because machines differ. Other programs disturb wall time, so the tables give processor time too. \`npm run bench\` fails if a figure is past its limit.`

/** What no run can tell. Each number is from the machine of its time. */
const TRIED = `## What was tried

Measured on a busy machine with 2 processors, so by processor time or by counts.

- **Bulk runs.** Two thirds of the writes to files were SQLite's notes for undoing a single statement. These stay in memory
  now, and there are fewer checkpoints: 5000 rows take 16,898 writes and 110 syncs, before 49,200 and 131, and 4% less
  processor time. Before that change, a further row took 350 µs, in the bare loop 67. By a profile, 22% of it are SQLite, 13%
  undici, 13% garbage collection, 8% encryption, and the rest some hundred functions with at most 7 µs each. Left out,
  because nothing could be measured over a whole run or it was about 2%: a simpler trigger for requests with one resource,
  transactions of 256 or 500 rows, keys in ascending order. Digests, the types of columns, the progress and the way to the
  service are no longer worked out again for each row, and a group of rows asks once whether the journal was moved: 472 µs
  for each of 10,000 rows, before 501 (8 rounds; 1.04 by pairs). With room for 16 MB of new objects, to which V8 can also
  grow while it runs, it was 475, and 6 MB more memory. Transactions of 32 or 16 rows in place of 96, so that the service
  gets requests more evenly, took 8% more processor time; whether the service waits less could not be seen on a busy machine.
- **A thread for the journal of bulk runs** was built and left out. It recorded rows, with a connection and encryption of its
  own, and the run sent what was on the disk. Of 573 µs for a row (5000 rows, start included), the main thread takes 449 and
  V8's own threads 113. With the thread, the main one takes 348, the new one 147, and all together 616, because rows are
  encoded and decoded once more. The sandbox takes 242 beside it. Two processors then need at least (616 + 242) / 2 = 429 µs for
  a row, and three quarters of the bare loop would be about 330. Nine interleaved rounds on a busy machine gave 0.47 of the
  bare loop with the thread beside 0.46 without (5), and 0.44 beside 0.51 (4). It may help where processors are idle.
- **A write** waits for the disk 14 times in the embedded sandbox, and 10 times over HTTP. None of these can go without a loss:

  | syncs | of | without it, a power loss could |
  |---:|---|---|
  | 4 | the beginning of the logs of the journal and of the audit trail's head, and their folders | damage the database, or lose the log |
  | 1 | the start of the request, before it is sent | leave an effect of which the journal knows nothing |
  | 1 | the line of the audit trail, before the result is printed | leave an effect without a line |
  | 4 | the logs and the files of journal and head, when they are closed | take what was synced before, while the log is copied into its file |
  | 4 | log, folder and file of the sandbox, if it is embedded | damage its state |

  A request without an honoured key has one more, before its first byte leaves. By processor time, a write took 1.28 of a read (15
  rounds) and 1.30 (25 rounds). The global \`crypto\` also loads what only browsers have; without it, it is 1.25 and 1.28. By a
  profile, a quarter of the rest is loading node:crypto, and an eighth closing the databases.
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
