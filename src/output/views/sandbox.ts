import {amount} from '../amount.ts'
import {detail} from '../detail.ts'
import {memberAt} from '../members.ts'
import {joined, listAt, numberAt, textAt} from '../read-member.ts'
import {state} from '../state.ts'
import {ok} from '../styled.ts'
import {type Column, table} from '../table.ts'
import {type ListView, sentence, type View} from '../view.ts'
import {chosenView, genericListView, genericView} from './generic.ts'

/** What the sandbox is, and what it simulates. */
export const sandboxInfoView: View = (info, context) =>
  detail(
    {
      title: `${textAt(info, 'name')} ${textAt(info, 'version')}`,
      rows: [
        ['Now', textAt(info, 'now')],
        ['Simulated', {lines: textsAt(info, 'simulated')}],
        ['Not simulated', {lines: textsAt(info, 'notSimulated')}],
      ],
    },
    context,
  )

const textsAt = (value: unknown, name: string): readonly string[] => {
  const texts = memberAt(value, name)
  return Array.isArray(texts) ? texts.map(String) : []
}

/** What people look for in the state of each kind; `-o json` has all of it. */
const stateColumns: Readonly<Record<string, readonly string[]>> = {
  card: ['id', 'customerId', 'accountId', 'status', 'maskedCardNumber', 'referenceNumber', 'pinStatus'],
  plastic: ['id', 'cardId', 'sequenceNumber', 'status', 'productionType', 'productionDate'],
}

/** What the sandbox holds of one kind. */
export const sandboxStateListView = (kind: string): ListView => {
  if (kind === 'account') return accountStatesView
  if (kind === 'pricelist') return priceListStatesView
  const columns = stateColumns[kind]
  return columns === undefined ? genericListView : chosenView(columns)
}

/** A line for each currency of an account; what belongs to the account stands on its first. */
const accountStatesView: ListView = (accounts, context) => {
  const lines = accounts.flatMap(account => {
    const [first, ...others] = listAt(account, 'balances')
    return [
      {account, own: account, balance: first},
      ...others.map(balance => ({account, own: undefined, balance})),
    ]
  })
  type Row = (typeof lines)[number]
  const money = (title: string, name: string): Column<Row> => ({
    title,
    value: ({balance}) => amount(memberAt(balance, name)),
    align: 'right',
    fit: 'keep',
  })
  const held = {
    ...money('Held', 'held'),
    value: ({balance}: Row) => (numberAt(balance, 'held') === 0 ? '' : amount(memberAt(balance, 'held'))),
    optional: true,
  }
  return table<Row>(
    [
      {title: 'Id', value: ({account}) => textAt(account, 'id'), fit: 'keep'},
      {title: 'Type', value: ({own}) => textAt(own, 'type'), fit: 'wrap', least: 9},
      {title: 'Customer', value: ({own}) => textAt(own, 'customerId'), fit: 'keep'},
      {title: 'Status', value: ({own}) => state(memberAt(own, 'status')), fit: 'wrap', least: 8},
      {...money('Limit', 'creditLimit'), value: ({own}) => amount(memberAt(own, 'creditLimit'))},
      {title: '', value: ({balance}) => textAt(balance, 'currency'), fit: 'keep'},
      money('Booked', 'booked'),
      held,
      money('Available', 'available'),
      {title: 'Updates', value: ({own}) => textAt(own, 'effects'), align: 'right', fit: 'keep'},
    ],
    lines,
    context,
  )
}

const priceListStatesView: ListView = (lists, context) =>
  table(
    [
      {title: 'Id', value: list => textAt(list, 'id'), fit: 'keep'},
      {title: 'Code', value: list => textAt(list, 'code')},
      {
        title: 'Periods',
        value: list =>
          listAt(list, 'periods')
            .map(period => joined([textAt(period, 'id'), textAt(period, 'state')]))
            .join(', '),
        fit: 'wrap',
      },
    ],
    lists,
    context,
  )

/** The sandbox's clock. */
export const sandboxClockView: View = genericView

/** The faults that wait for their requests, or the one just added. */
export const sandboxFaultsView: View = (faults, context) =>
  Array.isArray(faults) && faults.length === 0
    ? sentence('No faults.', context)
    : genericView(faults, context)

export const sandboxFaultsClearedView: View = (reply, context) => {
  const removed = textAt(reply, 'removed') || textAt(reply, 'cleared')
  return sentence([removed === '' ? 'Faults' : `${removed} faults`, ' ', ok('removed')], context)
}

export const sandboxResetView: View = (_, context) => sentence(['The demo data is ', ok('back')], context)
