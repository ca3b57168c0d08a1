import {idArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {type Client, openClient} from '../../cli/client/client.ts'
import {confirm} from '../../cli/confirm.ts'
import {confirmFlags, purposeFlags, type SomeFlagValues, serviceCheckFlag} from '../../cli/flags.ts'
import {profileOf} from '../../cli/profile-of.ts'
import type {Hint} from '../../errors/advice.ts'
import type {Journal, RequestRecord} from '../../journal/index.ts'
import {askService, sentMeanwhile} from '../a2a/shared/ask-service.ts'
import {refuseReplaced} from '../a2a/shared/refuse-replaced.ts'
import {sentEarlier} from '../a2a/shared/sent-earlier.ts'
import {alreadySent, wordsOf} from '../a2a/shared/sent-words.ts'
import {transfersIn} from '../a2a/shared/written-batch.ts'
import {requestMissing} from './shared/missing-id.ts'
import {type Repeatable, repeat, repeatable} from './shared/repeat-request.ts'
import {nameNextOfSent, sentView} from './shared/sent-view.ts'
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
  static override args = {id: idArg('the request', {last: 'the newest'})}
  static override flags = {...confirmFlags, ...purposeFlags, ...serviceCheckFlag}

  protected override async usageHint(): Promise<Hint | undefined> {
    return requestMissing(this.contextWith(profileOf(this.argv)), 'retry', this.argv)
  }

  async run() {
    const {args, flags} = await this.parse(RequestsRetry)
    const target = await this.context.service.target()
    using journal = await this.context.stores.journal()
    const record = requestIn(journal, args.id, 'retry')
    const client = await openClient(this.context, target)
    try {
      const again = await repeatable(this.context, client, record)
      this.context.printer.note(`${record.method} ${record.path} goes out again: ${again.why}.`)
      // The command that moves money always asks, so its retry asks too.
      const isTransfer = record.operation === 'a2a.create.v1'
      if (isTransfer) {
        const {check, isAsked, lookAgain} = await this.transferCheck(client, journal, record, again, flags)
        // Who signed has seen the transfers.
        if (typeof again.approved !== 'object')
          await confirm(this.context, {
            place: target,
            action: `send the transfers of request ${record.id} again`,
            consequence: `Money moves unless it has moved already: ${again.why}.`,
            details: isAsked ? await check() : [],
            demands: [{name: record.id, yes: target.kind !== 'live'}],
            confirm: flags.confirm,
          })
        await (isAsked ? lookAgain.afterQuestion() : check())
      }
      const {response, requestId} = await repeat(this.context, client, record, again, {
        confirm: flags.confirm,
        confirmed: isTransfer,
      })
      await this.context.printer.data(response.body, sentView(again.operation))
      this.context.printer.note(
        `request ${requestId}${response.replayed ? ' · the response that the service had stored' : ''}`,
      )
      nameNextOfSent(this.context, again.operation, response.body)
      return response.body
    } finally {
      await client.close()
    }
  }

  /** Whether its transfers were sent since, from here or elsewhere. What its key protects has no second effect. */
  private async transferCheck(
    client: Client,
    journal: Journal,
    record: RequestRecord,
    {input: {body}, approved}: Repeatable,
    flags: SomeFlagValues<typeof serviceCheckFlag & typeof confirmFlags>,
  ) {
    const {context} = this
    const isAsked =
      typeof approved !== 'object' && context.interactive && !context.flags.yes && flags.confirm === undefined
    const batch = {...transfersIn(body), reference: record.reference, body}
    const ways = {isKept: true}
    const check = async (): Promise<readonly string[]> => {
      const {transfers} = batch
      const isUnsent = record.effect === 'none'
      if (isUnsent) await refuseReplaced(context, client, [body])
      const own = isUnsent ? await sentEarlier(context, client, journal, transfers) : []
      if (own.length > 0 && !isAsked) throw alreadySent(context, transfers, own, ways)
      const {listed} = lookAgain
      const ask = {isAsked, serviceCheck: flags['service-check'], known: own, ways, listed}
      const {earlier, words} = await askService(context, client, [batch], ask)
      const sent = [...own, ...earlier]
      return [...(sent.length > 0 ? [`${wordsOf(context, transfers, sent)}.`] : []), ...words]
    }
    const lookAgain = await sentMeanwhile(context, client, [batch], {
      isAsked,
      again: false,
      serviceCheck: flags['service-check'],
      ways,
    })
    return {check, isAsked, lookAgain}
  }
}
