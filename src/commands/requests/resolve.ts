import * as Flags from '@oclif/core/flags'
import {idArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {openClient} from '../../cli/client/client.ts'
import {clockFlag, confirmFlags} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {profileOf} from '../../cli/profile-of.ts'
import {RequestWords} from '../../cli/request-words.ts'
import type {Hint} from '../../errors/advice.ts'
import {Failure} from '../../errors/failure.ts'
import {exitOf} from '../../errors/registry.ts'
import type {RequestRecord} from '../../journal/index.ts'
import {resolvedView} from '../../output/requests.ts'
import {nameNextOfBatch} from '../a2a/shared/next-step.ts'
import {resolveOrAsk} from './shared/ask-finding.ts'
import {requestMissing} from './shared/missing-id.ts'
import {type Resolved, resolveByPerson} from './shared/resolve-request.ts'
import {onlyOpenRequest, openSuggestions, toldOutcome, unresolvedIn} from './shared/shown-request.ts'

export default class RequestsResolve extends BaseCommand {
  static override summary =
    `Find out whether a request had an effect; exit ${exitOf('EFFECT_UNKNOWN')} if that stays unknown. If the service honours its key, the request is sent again.`
  static override description =
    'Checks the journal, looks for the reference of a batch, or sends the request again with a key that the service honours, unless a newer request has changed the same fields. If the effect stays unknown, check at the service and record the result with --found. Only then can cardctl send the request again, or the requests that wait for it.'
  static override examples = [
    {
      description: 'A response that is lost on the way',
      command: '<%= config.bin %> sandbox faults add --operation a2a.create.v1 --drop after --count 1',
    },
    {
      description: '10: the effect is unknown',
      command: '<%= config.bin %> a2a create --transfer 2006:2007:12.50:EUR:Rent',
    },
    '<%= config.bin %> requests resolve last',
    {
      description:
        '5: it is resolved. Record what you found at the service, where cardctl could not find it out',
      command:
        '<%= config.bin %> requests resolve last --found effect --because "Batch 88001 is in the list"',
    },
  ]
  static override args = {id: idArg('the request', {last: 'the newest with an unknown effect'})}
  static override flags = {
    ...clockFlag,
    ...confirmFlags,
    found: Flags.option({
      options: ['effect', 'no-effect'] as const,
      dependsOn: ['because'],
      summary: 'Record the effect that you found at the service.',
    })(),
    'exit-code': Flags.boolean({
      summary: `Exit ${exitOf('NO_EFFECT')} if the request had no effect, and 0 only if it had one.`,
    }),
    because: Flags.string({
      dependsOn: ['found'],
      helpValue: 'TEXT',
      summary: 'What you checked. Kept as evidence, with the name of the audit user.',
    }),
  }

  static override guide: Guide = {
    suggests: {id: openSuggestions},
    known: async (context, given) => {
      const id = given.has('id') ? undefined : await onlyOpenRequest(context)
      return id === undefined
        ? undefined
        : {words: [id], from: `${id} is the only request whose effect is unknown.`}
    },
  }

  protected override async usageHint(): Promise<Hint | undefined> {
    return requestMissing(this.contextWith(profileOf(this.argv)), 'resolve', this.argv)
  }

  async run() {
    const {args, flags} = await this.parse(RequestsResolve)
    const target = await this.context.service.target()
    using journal = await this.context.stores.journal()
    const record = unresolvedIn(journal, args.id)
    const {found, because} = flags
    if (found !== undefined && because !== undefined) {
      const verdict = found === 'effect' ? 'had effect' : 'had no effect'
      const resolved = await resolveByPerson(this.context, target, record, {verdict, because})
      return this.ended(resolved, record, flags)
    }
    const client = await openClient(this.context, target)
    try {
      const resolved = await resolveOrAsk(this.context, client, record, {
        confirm: flags.confirm,
        onFound: ({verdict, because}) => {
          this.answered('--found', verdict === 'had effect' ? 'effect' : 'no-effect')
          this.answered('--because', because)
        },
      })
      return await this.ended(resolved, record, flags)
    } finally {
      await client.close()
    }
  }

  private async told(id: string) {
    using journal = await this.context.stores.journal()
    return toldOutcome(await RequestWords.open(journal), journal, id)
  }

  /** @throws Failure EFFECT_UNKNOWN, and NO_EFFECT with `--exit-code` */
  private async ended(
    resolved: Resolved,
    {id: requestId}: RequestRecord,
    flags: {'exit-code': boolean},
  ): Promise<Resolved> {
    await this.context.printer.data(resolved, resolvedView(await this.told(requestId)))
    const {replyId: id, batchEnd: end} = resolved
    if (end !== undefined)
      nameNextOfBatch(this.context, {id, status: end.state, failedTransferItems: end.failed})
    if (resolved.verdict === 'cannot tell') {
      throw new Failure('EFFECT_UNKNOWN', {
        message: `The effect of request ${requestId} is still unknown.`,
        hint: resolved.check,
        requestId,
        effect: 'unknown',
      })
    }
    if (flags['exit-code'] && resolved.verdict === 'had no effect') {
      const message = `Request ${requestId} had no effect.`
      throw new Failure('NO_EFFECT', {message, requestId, effect: 'none'})
    }
    return resolved
  }
}
