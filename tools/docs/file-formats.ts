import {readFileSync} from 'node:fs'
import {BANNER, code, table} from './markdown.ts'

interface Described {
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly $ref?: string
}

interface Schema extends Described {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly $defs?: Readonly<Record<string, Schema>>
}

const read = (path: string): Schema => JSON.parse(readFileSync(path, 'utf8')) as Schema

/** docs/commands/file-formats.md: the fields of suites and dialects, with what their schemas say of them. */
export function fileFormatsPage(): string {
  const suite = read('docs/webhook-suite.schema.json')
  const dialect = read('docs/dialect.schema.json')
  const auth = dialect.properties?.webhook?.properties?.auth?.properties
  return [
    `${BANNER}# Fields of suites and dialects`,
    '',
    'What the JSON schemas of these files say, for those who read rather than complete.',
    '',
    '## Suites',
    '',
    'Of [`webhook test`](../webhook-tests.md#suites).',
    '',
    ...fields('the whole suite', suite),
    ...fields('a step', suite.properties?.steps?.items),
    ...fields('`expect`', suite.$defs?.expectation),
    ...fields('`load`', suite.$defs?.load),
    '## Dialects',
    '',
    'Of a [profile](../dialects.md).',
    '',
    ...fields('an operation', dialect.$defs?.variant),
    ...fields('a member', dialect.$defs?.rule),
    ...fields('`call` of the webhook', auth?.call, dialect.$defs),
    ...fields('`answer` of the webhook', auth?.answer, dialect.$defs),
  ].join('\n')
}

function fields(of: string, schema: Schema = {}, defs: Readonly<Record<string, Schema>> = {}): string[] {
  const rows = Object.entries(schema.properties ?? {}).filter(([name]) => !name.startsWith('$'))
  if (rows.length === 0) throw new Error(`The schema has no fields of ${of}.`)
  return table(
    [of, 'meaning'],
    rows.map(([name, field]) => [code(name), meaningOf(field, defs)]),
  )
}

function meaningOf(
  {description, enum: values, $ref}: Described,
  defs: Readonly<Record<string, Schema>>,
): string {
  const text = description ?? defs[$ref?.split('/').at(-1) ?? '']?.description ?? ''
  const listed = values?.filter(value => !text.includes(String(value))) ?? []
  return [text, listed.length === 0 ? '' : `One of ${values?.map(value => code(String(value))).join(', ')}.`]
    .filter(Boolean)
    .join(' ')
}
