import {idFlag} from '../../cli/arguments.ts'
import {confirmFlags} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {READS_FIRST, remoteCheckoutCommand, traceFlags} from './shared/remote-checkout-command.ts'

export default class RemotecheckoutDelete extends remoteCheckoutCommand(
  'remotecheckout.deleteCard.v1',
  'remotecheckout.deleteCustomer.v1',
) {
  static override summary = 'Delete the enrolment of a card, or of a customer with all its cards.'
  static override description = READS_FIRST
  static override examples = [
    '<%= config.bin %> remotecheckout enroll --customer 1001 --card 3001 --email aino@example.com --wait',
    '<%= config.bin %> remotecheckout delete --card 3001 --confirm 3001 --wait',
    '<%= config.bin %> remotecheckout delete --customer 1001',
  ]
  static override flags = {
    card: idFlag({of: 'a card', summary: 'Id of the card.', exclusive: ['customer']}),
    customer: idFlag({of: 'a customer', summary: 'Id of the customer.'}),
    ...traceFlags,
    ...confirmFlags,
  }

  static override guide: Guide = {
    needs: [{anyOf: ['--card', '--customer'], only: true}],
    sets: {'--bid': 'customerBID'},
  }

  async run() {
    const {flags} = await this.parse(RemotecheckoutDelete)
    const isCard = flags.card !== undefined
    const operation = isCard ? 'remotecheckout.deleteCard.v1' : 'remotecheckout.deleteCustomer.v1'
    if (flags.skeleton) return this.printSkeleton(operation)
    const body = await this.body(operation, flags, {customerBID: await this.bid(flags.bid)})
    return isCard
      ? this.executeTraced(
          {operation: 'remotecheckout.deleteCard.v1', path: {cardId: flags.card ?? ''}, body},
          flags,
        )
      : this.executeTraced(
          {operation: 'remotecheckout.deleteCustomer.v1', path: {customerId: flags.customer ?? ''}, body},
          flags,
        )
  }
}
