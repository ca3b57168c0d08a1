import type {ContractCall, ContractField, WebhookContract} from '../../../contract/webhook-contract.ts'
import {SOURCE_LEGEND} from './contract-view.ts'

/** The webhook's contract as a page of Markdown. */
export function webhookContractPage(
  {calls, codes}: WebhookContract,
  checks: ReadonlyMap<string, readonly string[]>,
): string {
  return [
    '# Contract of the authorisation webhook',
    '',
    'What the service sends to an endpoint, and what it accepts as an answer. `cardctl webhook contract` prints the same.',
    'What a statement rests on, says the last column of fields. Of rules, the last one has the checks of `cardctl webhook certify`.',
    '',
    ...SOURCE_LEGEND.split(/(?<=\.) /).map(line => `- ${line}`),
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
  checks: ReadonlyMap<string, readonly string[]>,
): string[] {
  return [
    `## ${method} ${path}`,
    '',
    ...table(
      ['rule', '', 'rests on', 'checked by'],
      rules.map(({id, about, text, source}) => [
        ticked(id),
        `**${about}**: ${text}`,
        source,
        (checks.get(id) ?? []).join('<br>'),
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
    JSON.stringify(value, null, 2).replace(
      /\{\s+("amount": [\d.]+),\s+("currency": "\w+")\s+\}/g,
      '{$1, $2}',
    ),
    '```',
    '',
  ])

const fieldTable = (fields: readonly ContractField[]): string[] =>
  table(
    ['field', 'type', 'required', 'meaning', 'rests on'],
    fields.map(({name, type, unit, required, meaning, source}) => [
      ticked(name),
      unit === undefined ? type : `${type}, ${unit}`,
      required ? 'yes' : '',
      meaning,
      source,
    ]),
  )

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

const ticked = (text = ''): string => (text === '' ? '' : `\`${text}\``)

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${' --- |'.repeat(head.length)}`,
  ...rows.map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`),
  '',
]
