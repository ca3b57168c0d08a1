import {errorRegistry} from '../../src/errors/registry.ts'
import {BANNER, code, table} from './markdown.ts'

/** What the JSON form of an error may hold. */
const members = [
  ['code', 'The stable code, as in the table above.'],
  ['message', 'What is wrong, in one sentence. The wording may change.'],
  ['hint', 'What to do about it.'],
  ['status', 'HTTP status of the answer, if one came.'],
  ['requestId', "The journal's id of the request, for `requests show` and `requests resolve`."],
  ['idempotencyKey', 'The key that the request carried.'],
  ['effect', '`none`, `done` or `unknown`: what became of the effect of the request.'],
  ['repeatable', '`true` where the same request may safely be sent again with the same key.'],
  ['problem', "The service's problem document or other JSON that explains the refusal, secrets masked."],
  [
    'data',
    'More facts, which depend on the code: `problems` (bad rows), `violations` (places that do not fit), `attempts`.',
  ],
] as const

/** docs/exit-codes.md: the registry as a table. */
export function exitCodesPage(): string {
  const entries = Object.entries(errorRegistry).sort(([, a], [, b]) => a.exit - b.exit)
  const rows = entries.map(([name, {exit, summary, hint}]) => [String(exit), code(name), summary, hint])
  return `${BANNER}${[
    '# Exit codes',
    '',
    'Every failure has an exit code and a stable code of its own. The code stands on stderr, as `Error CODE: message`, or in',
    'one JSON object with `-o json` or `ndjson` ([its members](#the-json-error)).',
    '',
    'After 9 the request certainly had no effect and may be sent again. After 10 it may have had one: look before you',
    'repeat it.',
    '',
    ...table(['exit', 'code', 'meaning', 'what to do'], [['0', '', 'Done', ''], ...rows]),
    '## The JSON error',
    '',
    'One line on stderr: `{"error": {…}}`. `code`, `message` and `hint` are always there, the others where they apply.',
    '',
    ...table(
      ['member', 'meaning'],
      members.map(([name, meaning]) => [code(name), meaning]),
    ),
  ].join('\n')}`
}
