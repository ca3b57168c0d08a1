import {amount} from '../../../money/amount.ts'
import {fieldAt, textAt} from '../../../output/fields.ts'
import {dim, type Styled, strong} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import type {ListView} from '../../../output/view.ts'
import {timeColumn} from '../../../output/when.ts'
import type {Preview} from '../../../webhook/rules/index.ts'

/** The scenarios by name. */
export const webhookScenariosView: ListView = (scenarios, context) =>
  table('scenario', columns, scenarios, context, 'No scenarios.')

const columns: readonly Column<unknown>[] = [
  {title: 'Name', value: 'name', fit: 'keep'},
  {title: 'What', value: 'summary', fit: 'wrap', ease: 50},
  {title: 'Amount', value: exampleOf, align: 'right', fit: 'keep'},
  {title: 'Type', value: each => textAt(fieldAt(each, 'transactionData'), 'transactionType'), spare: 2},
  {
    title: 'Entry',
    value: each => textAt(fieldAt(each, 'transactionData'), 'cardEntryMode'),
    optional: true,
    spare: 1,
  },
]

function exampleOf(scenario: unknown): string {
  const example = fieldAt(scenario, 'example')
  return amount(fieldAt(example, 'amount'), textAt(example, 'currency'))
}

interface OfScenario extends Preview {
  readonly scenario: string
}

interface OfRecording extends Preview {
  readonly event: string
  readonly at: string
  readonly merchant: string
  readonly amount?: number
  readonly currency?: string
  readonly was: string
}

/** What the rules would answer to each scenario. */
export const ruleScenariosView: ListView = (rows, context) =>
  table('scenario', [scenarioColumn, ...previewColumns], rows as readonly OfScenario[], context)

/** What the rules would answer to recorded calls, next to what was answered. */
export const ruleRecordingView: ListView = (rows, context) =>
  table(
    'call',
    [...recordedColumns(timeColumn('When', context)), ...previewColumns],
    rows as readonly OfRecording[],
    context,
    'No calls are recorded.',
  )

const scenarioColumn: Column<OfScenario> = {title: 'Scenario', value: ({scenario}) => scenario, fit: 'keep'}

const previewColumns: readonly Column<Preview>[] = [
  {title: 'Decision', value: decisionOf, fit: 'wrap', least: 10},
  {title: 'Rule', value: ({rule}) => rule ?? dim('none'), least: 8},
  {title: 'Delay', value: delayOf, align: 'right', fit: 'keep', optional: true},
  {title: 'Why', value: ({because}) => because ?? '', fit: 'wrap', optional: true},
]

const recordedColumns = (when: ReturnType<typeof timeColumn>): readonly Column<OfRecording>[] => [
  {title: 'Event', value: ({event}) => event, fit: 'keep'},
  {title: when.title, value: ({at}) => when.text(Date.parse(at))},
  {title: 'Merchant', value: ({merchant}) => merchant, least: 8},
  {
    title: 'Amount',
    value: ({amount: value, currency}) => (value === undefined ? '' : amount(value, currency)),
    align: 'right',
    fit: 'keep',
  },
  {title: 'Was', value: ({was}) => was, fit: 'keep'},
]

function decisionOf({
  rule,
  decision,
  probability,
  otherwise,
  was,
}: Preview & {readonly was?: string}): Styled {
  if (rule === undefined) return dim(LEFT)
  const words = decision ?? LEFT
  const isOther = was !== undefined && decision !== undefined && decision !== was
  return [
    isOther ? strong(words) : words,
    probability === undefined ? '' : dim(` in ${amount(Number((probability * 100).toFixed(6)))}%`),
    otherwise === undefined ? '' : `, else ${otherwise.decision ?? LEFT}`,
  ]
}

const LEFT = 'left to the next'

function delayOf({delay}: Preview): string {
  if (!delay) return ''
  const {min, max} = delay
  return min === max ? `${amount(min)} ms` : `${amount(min)} to ${amount(max)} ms`
}
