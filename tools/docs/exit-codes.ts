import {errorRegistry} from '../../src/errors/registry.ts'
import {BANNER, code, table} from './markdown.ts'

/** The fields of an error in JSON. */
const fields = [
  ['code', 'The stable code, as in the table above.'],
  ['message', 'What happened, in one sentence. The wording may change.'],
  ['hint', 'What to do.'],
  ['status', 'HTTP status of the response, if there was one.'],
  ['requestId', 'Id of the request in the journal, for `requests show` and `requests resolve`.'],
  ['idempotencyKey', 'Idempotency key of the request.'],
  ['effect', 'Whether the request had an effect: `none`, `done` or `unknown`.'],
  ['repeatable', '`true` if it is safe to send the same request again with the same key.'],
  ['problem', "The service's problem document or other JSON that explains the error, with secrets masked."],
  [
    'data',
    'More facts, depending on the code: `problems` (bad rows), `violations` (mismatches with the contract), `attempts`.',
  ],
] as const

/** docs/exit-codes.md: the registry as a table. */
export function exitCodesPage(): string {
  const entries = Object.entries(errorRegistry).sort(([, a], [, b]) => a.exit - b.exit)
  const rows = entries.map(([name, {exit, summary, hint}]) => [String(exit), code(name), summary, hint])
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
    'One line on stderr: `{"error": {…}}`. `code`, `message` and `hint` are always present, the others where they apply.',
    '',
    ...table(
      ['field', 'meaning'],
      fields.map(([name, meaning]) => [code(name), meaning]),
    ),
  ].join('\n')}`
}
