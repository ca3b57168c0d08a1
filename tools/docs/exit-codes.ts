import {errorRegistry} from '../../src/errors/registry.ts'
import {errorData, errorFields} from '../../src/output/error-schema.ts'
import {BANNER, code, table} from './markdown.ts'

/** docs/exit-codes.md: the registry as a table. */
export function exitCodesPage(): string {
  const entries = Object.entries(errorRegistry).sort(([, a], [, b]) => a.exit - b.exit)
  const rows = entries.map(([name, {exit, summary, hint}]) => [
    String(exit),
    code(name),
    summary,
    String(hint),
  ])
  return `${BANNER}${[
    '# Exit codes',
    '',
    'Every failure has an exit code and a stable error code. cardctl prints it on stderr as `Error CODE: message`, or as one',
    'JSON object with `-o json` or `ndjson` ([its fields](#the-json-error)).',
    '',
    'After exit 9 it is safe to send the request again: it had no effect. After exit 10 it may have had one, so find out',
    'before you repeat it.',
    '',
    ...table(['exit', 'code', 'meaning', 'what to do'], [['0', '', 'Done', ''], ...rows]),
    '## The JSON error',
    '',
    'One line on stderr: `{"error": {…}}`. `code`, `message`, `hint` and `effect` are always present, the others where they',
    'apply. `cardctl schema error` prints this as JSON Schema.',
    '',
    ...fieldTable(errorFields),
    'Fields of `data`, depending on the code. A code may have others too; they are not part of the promise of',
    '[stability](stability.md).',
    '',
    ...fieldTable(errorData),
  ].join('\n')}`
}

/** A page of docs in which each error code that has its exit code beside it, as `JOB_DIFFERS`, exit 2, has the true one. */
export const withExitCodes = (text: string): string =>
  text.replaceAll(/`([A-Z_]+)`, exit \d+/g, (words, name: string) => {
    const found = Object.entries(errorRegistry).find(([known]) => known === name)
    return found === undefined ? words : `${code(name)}, exit ${found[1].exit}`
  })

const fieldTable = (fields: Readonly<Record<string, {readonly description: string}>>) =>
  table(
    ['field', 'meaning'],
    Object.entries(fields).map(([name, {description}]) => [code(name), description]),
  )
