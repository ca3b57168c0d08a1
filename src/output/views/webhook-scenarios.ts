import {amount} from '../amount.ts'
import {memberAt} from '../members.ts'
import {textAt} from '../read-member.ts'
import {type Column, table} from '../table.ts'
import type {ListView} from '../view.ts'

/** What can be tried, by name. */
export const webhookScenariosView: ListView = (scenarios, context) =>
  table(columns, scenarios, context, 'No scenarios.')

const columns: readonly Column<unknown>[] = [
  {title: 'Name', value: each => textAt(each, 'name'), fit: 'keep'},
  {title: 'What', value: each => textAt(each, 'summary'), fit: 'wrap', ease: 50},
  {title: 'Amount', value: exampleOf, align: 'right', fit: 'keep'},
  {title: 'Type', value: each => textAt(memberAt(each, 'transactionData'), 'transactionType'), spare: 2},
  {
    title: 'Entry',
    value: each => textAt(memberAt(each, 'transactionData'), 'cardEntryMode'),
    optional: true,
    spare: 1,
  },
]

function exampleOf(scenario: unknown): string {
  const example = memberAt(scenario, 'example')
  return amount(memberAt(example, 'amount'), textAt(example, 'currency'))
}
