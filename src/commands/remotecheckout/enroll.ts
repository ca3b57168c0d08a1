import {idFlag} from '../../cli/arguments.ts'
import {flagFields, withFields} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {
  CONTACT_FIELDS,
  contactFlags,
  READS_FIRST,
  remoteCheckoutCommand,
  traceFlags,
} from './shared/remote-checkout-command.ts'

export default class RemotecheckoutEnroll extends remoteCheckoutCommand(
  'remotecheckout.enrollCustomer.v1',
  'remotecheckout.enrollCard.v1',
) {
  static override summary = 'Enrol a card, and its customer with --customer.'
  static override description = READS_FIRST
  static override examples = [
    '<%= config.bin %> remotecheckout enroll --customer 1001 --card 3001 --email aino@example.com --wait',
    {
      description: 'Another card of an enrolled customer',
      command: '<%= config.bin %> remotecheckout enroll --card 3004',
    },
  ]
  static override flags = {
    customer: idFlag({of: 'a customer', summary: 'Id of the customer, if not enrolled yet.'}),
    card: idFlag({of: 'a card', required: true, summary: 'Id of the card.'}),
    ...contactFlags,
    ...traceFlags,
  }

  static override guide: Guide = {
    fields: {...flagFields(CONTACT_FIELDS), '--card': 'cardId', '--bid': 'customerBID'},
    operation: given =>
      given.has('--customer') ? 'remotecheckout.enrollCustomer.v1' : 'remotecheckout.enrollCard.v1',
  }

  async run() {
    const parsed = await this.parse(RemotecheckoutEnroll)
    const flags = withFields(parsed.flags, CONTACT_FIELDS)
    const operation =
      flags.customer === undefined ? 'remotecheckout.enrollCard.v1' : 'remotecheckout.enrollCustomer.v1'
    if (flags.skeleton) return this.printSkeleton(operation)
    const customerBID = await this.bid(flags.bid)
    if (flags.customer === undefined) {
      const body = await this.body('remotecheckout.enrollCard.v1', flags, {customerBID})
      return this.executeTraced(
        {operation: 'remotecheckout.enrollCard.v1', path: {cardId: flags.card}, body},
        flags,
      )
    }
    const body = await this.body('remotecheckout.enrollCustomer.v1', flags, {
      customerBID,
      cardId: [flags.card],
    })
    const path = {customerId: flags.customer}
    return this.executeTraced({operation: 'remotecheckout.enrollCustomer.v1', path, body}, flags)
  }
}
