import type {Report} from './bench.ts'
import {boundText, figureText} from './report-text.ts'

const HEAD = `This page is the result of \`npm run bench -- --write\`. It compares cardctl with other programs that do the same job, and with the least that any such program must do. All programs of a benchmark take turns, round by round, and a ratio compares two programs within the same round. Only ratios and peak memory have limits, because machines differ. Other programs disturb wall time, so the tables give processor time too. \`npm run bench\` fails if a figure is past its limit.`

/** bench/RESULTS.md, from one run of all benchmarks. */
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
