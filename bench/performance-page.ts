import type {Report} from './bench.ts'
import {boundText, figureText} from './report-text.ts'

const HEAD = `# Performance

\`npm run bench -- --write\` measures this page: cardctl beside other programs that do the same job (peers), and beside what no
program of its kind can do without (floors). A benchmark runs all of them in turns, round by round, and compares what was
measured in the same round. Machines differ and are noisy, so only ratios and peak memory have limits, and processor time
stands beside time on the clock. \`npm run bench\` fails past a limit.
`

/** docs/performance.md, from one run of all benchmarks. */
export function pageText({date, machine, suites, verdicts}: Report): string {
  const versions = suites.flatMap(suite => Object.entries(suite.versions))
  const facts = [
    ['Date', date],
    ['Processors', `${machine.processors} × ${machine.model}`],
    ['Memory', machine.memory],
    ['System', machine.system],
    ['Node.js', machine.node],
    ['Load before the run', String(machine.load)],
    ...new Map(versions),
  ]
  const parts = [
    HEAD,
    table([['', ''], ...facts]),
    ...suites.map(({name, about, columns, rows, skipped}) =>
      [
        `## ${name}\n\n${about}\n`,
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
