import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {openClient} from '../../cli/client/client.ts'
import {confirm} from '../../cli/confirm.ts'
import {confirmFlags, purposeFlags, serviceCheckFlag} from '../../cli/flags.ts'
import {genericView} from '../../output/generic.ts'
import {askOf, batchOf} from '../a2a/shared/send-transfers.ts'
import {repeat, repeatable} from './shared/repeat-request.ts'
import {requestIn} from './shared/shown-request.ts'

export default class RequestsRetry extends BaseCommand {
  static override summary =
    'Send a request of the journal again, with the same key and content, if that has no second effect.'
  static override examples = [
    {
      description: 'A connection that is lost for a moment',
      command:
        '<%= config.bin %> sandbox faults add --operation accounts.patchCredit.v4 --drop after --count 9',
    },
    {
      description: '10: the effect is unknown',
      command: '<%= config.bin %> accounts patch 2001 --type credit --credit-limit 6000',
    },
    '<%= config.bin %> requests retry last',
  ]
  static override args = {id: requiredArg('Id of the request, or last for the newest')}
  static override flags = {...confirmFlags, ...purposeFlags, ...serviceCheckFlag}

  async run() {
    const {args, flags} = await this.parse(RequestsRetry)
    const target = await this.context.service.target()
    using journal = await this.context.stores.journal()
    const record = requestIn(journal, args.id)
    const client = await openClient(this.context, target)
    try {
      const again = await repeatable(this.context, client, record)
      this.context.printer.note(`${record.method} ${record.path} goes out again: ${again.why}.`)
      // The command that moves money always asks, so its retry asks too.
      const isTransfer = record.operation === 'a2a.create.v1'
      if (isTransfer) {
        const ask = askOf(this.context, client, [batchOf(again.input.body, record.reference)], {
          serviceCheck: flags['service-check'],
          anyway: '--no-service-check',
        })
        // Who signed has seen the transfers.
        const isSigned = typeof again.approved === 'object'
        const isAsked =
          !isSigned && this.context.interactive && !this.context.flags.yes && flags.confirm === undefined
        if (!isSigned)
          await confirm(this.context, {
            place: target,
            action: `send the transfers of request ${record.id} again`,
            consequence: `Money moves unless it has moved already: ${again.why}.`,
            details: isAsked ? await ask({isAsked}) : [],
            demands: [{name: record.id, yes: target.kind !== 'live'}],
            confirm: flags.confirm,
          })
        if (!isAsked) await ask({isAsked})
      }
      const {response, requestId} = await repeat(this.context, client, record, again, {
        confirm: flags.confirm,
        confirmed: isTransfer,
      })
      await this.context.printer.data(response.body, genericView)
      this.context.printer.note(
        `request ${requestId}${response.replayed ? ' · the response that the service had stored' : ''}`,
      )
      return response.body
    } finally {
      await client.close()
    }
  }
}
