import {detail} from '../detail.ts'
import {memberAt} from '../members.ts'
import {isPlainObject} from '../plain.ts'
import {textAt} from '../read-member.ts'
import {ok} from '../styled.ts'
import {blocks, type ListView, sentence, type View} from '../view.ts'
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
  account: ['id', 'type', 'customerId', 'status', 'creditLimit', 'effects', 'balances'],
  card: ['id', 'customerId', 'accountId', 'status', 'maskedCardNumber', 'referenceNumber', 'pinStatus'],
}

/** What the sandbox holds of one kind. */
export const sandboxStateListView = (kind: string): ListView => {
  const columns = stateColumns[kind]
  return columns === undefined ? genericListView : chosenView(columns)
}

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

export const sandboxResetView: View = async (reply, context) =>
  blocks(
    sentence(['The demo data is ', ok('back')], context),
    isPlainObject(reply) && Object.keys(reply).length > 0 ? await genericView(reply, context) : '',
  )
