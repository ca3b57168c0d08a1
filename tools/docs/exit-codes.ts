import {errorRegistry} from '../../src/errors/registry.ts'
import {errorData, errorFields} from '../../src/output/error-schema.ts'
import {code, table} from './markdown.ts'

const PAGE = 'docs/when-things-go-wrong.md'
const [BEGIN, END] = ['<!-- error codes -->\n', '<!-- /error codes -->\n']

/** docs/when-things-go-wrong.md with a new table of error codes; the rest of the page is written by hand. */
export function errorCodesPage(page: string): string {
  const [before, rest = ''] = page.split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`${PAGE} lacks the marks of the table of error codes.`)
  return `${before}${BEGIN}${errorCodes()}\n${END}${after}`
}

/** The registry as a table, and the fields of an error. What to do is printed with each error. */
function errorCodes(): string {
  const entries = Object.entries(errorRegistry).sort(([, a], [, b]) => a.exit - b.exit)
  const rows = entries.map(([name, {exit, summary}]) => [code(name), String(exit), summary])
  return [
    ...table(['code', 'exit', 'meaning'], rows),
    '## The JSON error',
    '',
    'One line on stderr: `{"error": {…}}`. `code`, `message`, `hint` and `effect` are always present, the others where they',
    'apply. `cardctl schema error` prints this as JSON Schema.',
    '',
    ...fieldTable(errorFields),
    'Fields of `data`, depending on the code. A code may have others too; they are not part of the promise of',
    '[stability](../CHANGELOG.md#stability).',
    '',
    ...fieldTable(errorData),
  ]
    .join('\n')
    .trimEnd()
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
