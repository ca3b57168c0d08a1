import {isPlainObject} from '../plain.ts'
import {textAt} from '../read-member.ts'
import {ok} from '../styled.ts'
import {blocks, sentence, type View} from '../view.ts'
import {genericView} from './generic.ts'

/** What the sandbox is, and what it simulates. */
export const sandboxInfoView: View = genericView

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
