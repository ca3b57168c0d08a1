import {idFlag} from '../../cli/arguments.ts'
import {bidFlag, remoteCheckoutCommand} from './shared/remote-checkout-command.ts'
import {enrolledCustomerView} from './shared/views.ts'

export default class RemotecheckoutGet extends remoteCheckoutCommand('remotecheckout.getCustomer.v1') {
  static override summary = 'Show an enrolled customer and its enrolled cards.'
  static override examples = [
    '<%= config.bin %> remotecheckout enroll --customer 1001 --card 3001 --email aino@example.com --wait',
    '<%= config.bin %> remotecheckout get --customer 1001',
  ]
  static override flags = {
    customer: idFlag({of: 'a customer', required: true, summary: 'Id of the customer.'}),
    ...bidFlag,
  }

  async run() {
    const {flags} = await this.parse(RemotecheckoutGet)
    const body = {customerBID: await this.bid(flags.bid)}
    const path = {customerId: flags.customer}
    return this.execute({operation: 'remotecheckout.getCustomer.v1', path, body}, flags, enrolledCustomerView)
  }
}
