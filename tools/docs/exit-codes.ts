import {errorRegistry} from '../../src/errors/registry.ts'
import {errorData, errorFields} from '../../src/output/error-schema.ts'
import {BANNER, code, table} from './markdown.ts'

/** docs/commands/errors.md: the registry as a table, and the fields of an error. What to do is printed with each error. */
export function errorsPage(): string {
  const entries = Object.entries(errorRegistry).sort(([, a], [, b]) => a.exit - b.exit)
  const rows = entries.map(([name, {exit, summary}]) => [code(name), String(exit), summary])
  return [
    `${BANNER}# Error codes`,
    '',
    'What happened, and [what to do](../when-things-go-wrong.md).',
    '',
    ...table(['code', 'exit', 'meaning'], rows),
    '## The JSON error',
    '',
    'With `-o json` or `ndjson` one line on stderr, `{"error": {…}}`. `code`, `message`, `hint` and `effect` are always present, the',
    'others where they apply. `cardctl schema error` prints this as JSON Schema.',
    '',
    ...fieldTable(errorFields),
    'Fields of `data`, depending on the code. A code may have others too; they are not part of the promise of',
    '[stability](../../CHANGELOG.md#stability).',
    '',
    ...fieldTable(errorData),
  ].join('\n')
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
