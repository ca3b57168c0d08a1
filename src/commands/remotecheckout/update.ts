import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../cli/arguments.ts'
import {flagFields, withFields} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {BODY} from '../../cli/needs.ts'
import {Failure} from '../../errors/failure.ts'
import {
  CONTACT_FIELDS,
  contactFlags,
  READS_FIRST,
  remoteCheckoutCommand,
  traceFlags,
} from './shared/remote-checkout-command.ts'

export default class RemotecheckoutUpdate extends remoteCheckoutCommand(
  'remotecheckout.updateCard.v1',
  'remotecheckout.updateCustomer.v1',
  'remotecheckout.updateCustomerStatus.v1',
) {
  static override summary = 'Change an enrolled card or customer, or activate or deactivate a customer.'
  static override description = READS_FIRST
  static override examples = [
    '<%= config.bin %> remotecheckout enroll --customer 1001 --card 3001 --email aino@example.com --wait',
    '<%= config.bin %> remotecheckout update --card 3001 -F cardOverrides.city=Oslo --wait',
    '<%= config.bin %> remotecheckout update --customer 1001 --phone 358401234567',
    '<%= config.bin %> remotecheckout update --customer 1001 --no-active',
  ]
  static override flags = {
    card: idFlag({of: 'a card', summary: 'Id of the card.', exclusive: ['customer', 'active']}),
    customer: idFlag({of: 'a customer', summary: 'Id of the customer.'}),
    active: Flags.boolean({allowNo: true, summary: 'Activate or deactivate the customer.'}),
    ...contactFlags,
    ...traceFlags,
  }

  static override guide: Guide = {
    needs: [
      {anyOf: ['--card', '--customer'], only: true},
      {
        anyOf: ['--active'],
        or: ['--email', '--phone', ...BODY],
        several: true,
        when: given => given.has('--customer'),
      },
    ],
    fields: flagFields(CONTACT_FIELDS),
    sets: {'--bid': 'customerBID'},
    operation: given => {
      if (given.has('--card')) return 'remotecheckout.updateCard.v1'
      return given.has('--active')
        ? 'remotecheckout.updateCustomerStatus.v1'
        : 'remotecheckout.updateCustomer.v1'
    },
  }

  async run() {
    const parsed = await this.parse(RemotecheckoutUpdate)
    const flags = withFields(parsed.flags, CONTACT_FIELDS)
    const customerBID = await this.bid(flags.bid)
    if (flags.card !== undefined) {
      const operation = 'remotecheckout.updateCard.v1'
      if (flags.skeleton) return this.printSkeleton(operation)
      const body = await this.body(operation, flags, {customerBID})
      return this.executeTraced({operation, path: {cardId: flags.card ?? ''}, body}, flags)
    }
    const path = {customerId: flags.customer ?? ''}
    if (flags.active === undefined) {
      const operation = 'remotecheckout.updateCustomer.v1'
      if (flags.skeleton) return this.printSkeleton(operation)
      const body = await this.body(operation, flags, {customerBID})
      return this.executeTraced({operation, path, body}, flags)
    }
    const operation = 'remotecheckout.updateCustomerStatus.v1'
    if (flags.skeleton) return this.printSkeleton(operation)
    if (flags.field || flags['raw-field'] || flags.data !== undefined) {
      throw new Failure('USAGE', {
        message:
          '--active and --no-active change the status alone: leave out --email, --phone, -F, -f and --data.',
      })
    }
    const body = {customerBID, active: flags.active}
    return this.executeTraced({operation, path, body}, flags)
  }
}
