import type {ContractCall, ContractField, WebhookContract} from '../../../contract/webhook-contract.ts'

type Checks = ReadonlyMap<string, readonly string[]>

/** The webhook's contract as a page of Markdown; with `checks`, each rule has those of `webhook certify`. */
export function webhookContractPage({calls, codes}: WebhookContract, checks?: Checks): string {
  return [
    '# Contract of the authorisation webhook',
    '',
    'What the service sends to an endpoint, and what it accepts as an answer. `cardctl webhook contract` prints the same, with',
    '`--format markdown` also the checks of each rule by `cardctl webhook certify`.',
    'An amount has `amount`, a decimal number in units of its currency, and `currency` (ISO 4217, alphabetic), both required.',
    'What is marked *outline* is fixed by the outline of the service, and *known* rests on public facts about such services. All else',
    'was decided by cardctl, and may differ at your service.',
    '',
    ...[...calls].reverse().flatMap(call => callLines(call, checks)),
    '## Response codes',
    '',
    ...table(
      ['code', 'name', 'meaning', 'use'],
      codes.map(({code, name, meaning, use}) => [ticked(code), ticked(name), meaning, use]),
    ),
    'No other code is valid. A code and its name mean the same.',
    '',
  ].join('\n')
}

function callLines(
  {method, path, headers, call, answer, rules}: ContractCall,
  checks: Checks | undefined,
): string[] {
  return [
    `## ${method} ${path}`,
    '',
    ...table(
      ['rule', '', ...(checks ? ['checked by'] : [])],
      rules.map(({id, text, source}) => [
        ticked(id),
        text + sourceOf(source),
        ...(checks ? [(checks.get(id) ?? []).join('<br>')] : []),
      ]),
    ),
    ...(headers.length === 0 ? [] : ['### Headers', '', ...fieldTable(headers)]),
    `### Call of ${path}`,
    '',
    ...examples(call.examples),
    ...fieldTable(call.fields),
    `### Answer of ${path}`,
    '',
    ...(answer.fields.length === 0
      ? ['Status 200. A body is ignored.', '']
      : [...examples(answer.examples), ...fieldTable(answer.fields)]),
    ...[...call.fields, ...answer.fields].flatMap(valueLines),
  ]
}

const examples = (all: ContractCall['call']['examples']): string[] =>
  all.flatMap(({summary, value}) => [
    `${summary}:`,
    '',
    '```json',
    // An object of plain values is one line.
    JSON.stringify(value, null, 2).replace(
      /\{\s+([^{}[\]]{1,90})\s+\}/g,
      (_, fields: string) => `{${fields.trim().replaceAll(/,\s+/g, ', ')}}`,
    ),
    '```',
    '',
  ])

function fieldTable(fields: readonly ContractField[]): string[] {
  const amounts = amountsAmong(fields)
  const isPart = (name: string): boolean => amounts.has(name.replace(/\.(amount|currency)$/, ''))
  return table(
    ['field', 'type', 'meaning'],
    fields
      .filter(({name}) => amounts.has(name) || !isPart(name))
      .map(({name, type, unit, required, meaning, source}) => [
        ticked(name),
        [
          amounts.has(name) ? type.replace('object', 'amount') : type,
          ...(unit === undefined ? [] : [unit]),
          ...(required ? ['required'] : []),
        ].join(', '),
        meaning + sourceOf(source),
      ]),
  )
}

/** The objects that are an amount and its currency, whose two fields are the same everywhere. */
function amountsAmong(fields: readonly ContractField[]): ReadonlySet<string> {
  const names = new Set(fields.map(({name}) => name))
  return new Set([...names].filter(name => names.has(`${name}.amount`) && names.has(`${name}.currency`)))
}

/** The values of a field with what they mean; response codes have a table of their own. */
function valueLines({name, values = []}: ContractField): string[] {
  if (values.every(({meaning}) => meaning === '')) return []
  return [
    `### Values of ${name}`,
    '',
    ...table(
      ['value', 'meaning'],
      values.map(({value, meaning}) => [ticked(value), meaning]),
    ),
  ]
}

/** What most statements rest on is said once, above. */
const sourceOf = (source: string): string => (source === 'decided' ? '' : ` *${source}*`)

const ticked = (text = ''): string => (text === '' ? '' : `\`${text}\``)

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${'---|'.repeat(head.length)}`,
  ...rows.map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`),
  '',
]
