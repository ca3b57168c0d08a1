import {errorRegistry} from '../../src/errors/registry.ts'
import {BANNER, code, table} from './markdown.ts'

/** docs/exit-codes.md: the registry as a table. */
export function exitCodesPage(): string {
  const entries = Object.entries(errorRegistry).sort(([, a], [, b]) => a.exit - b.exit)
  const rows = entries.map(([name, {exit, summary, hint}]) => [String(exit), code(name), summary, hint])
  return `${BANNER}${[
    '# Exit codes',
    '',
    'Every failure has an exit code and a stable code of its own. The code stands on stderr, as `Error CODE: message`, or in',
    'one JSON object with `-o json` or `ndjson` ([its members](output.md#errors)).',
    '',
    'After 9 the request certainly had no effect and may be sent again. After 10 it may have had one: look before you',
    'repeat it.',
    '',
    ...table(['exit', 'code', 'meaning', 'what to do'], [['0', '', 'Done', ''], ...rows]),
  ].join('\n')}`
}
