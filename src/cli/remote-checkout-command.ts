import * as Flags from '@oclif/core/flags'
import type {OperationId, Reply} from '../contract/types.ts'
import {Failure} from '../errors/failure.ts'
import {traceStartedView, traceView} from '../output/views/remotecheckout.ts'
import {bodyFlags, durationFlag} from './flags.ts'
import {operationCommand, type StepFlags} from './operation-command.ts'
import type {CommandCall} from './request.ts'
import {followTrace} from './traces.ts'

export const bidFlag = {bid: Flags.string({summary: "The issuer's customerBID; else the profile's."})}

/** On remote checkout writes: they end later, under a trace. */
/** How the customer is reached, where an operation takes it. */
export const contactFlags = {
  email: Flags.string({summary: 'E-mail address of the customer.'}),
  phone: Flags.string({summary: 'Phone number of the customer, digits only.'}),
}

export const CONTACT_MEMBERS = {email: 'overrides.emails[0]', phone: 'overrides.phones[0]'}

export const traceFlags = {
  ...bodyFlags,
  ...bidFlag,
  wait: Flags.boolean({summary: 'Follow the operation to its outcome; exit 11 if the network refused it.'}),
  'wait-timeout': durationFlag({summary: 'How long to follow it (default 2m).', dependsOn: ['wait']}),
}

type TraceCommandFlags = StepFlags & {wait?: boolean; 'wait-timeout'?: number | undefined}

type Traced = Extract<OperationId, `remotecheckout.${'enroll' | 'update' | 'delete'}${string}`>

/** What the commands of remote checkout share: the customerBID of the issuer, and operations that end later. */
export function remoteCheckoutCommand<const Ids extends readonly OperationId[]>(...ids: Ids) {
  abstract class RemoteCheckoutCommand extends operationCommand(...ids) {
    /** `--bid`, else the profile's. */
    protected async bid(flag: string | undefined): Promise<string> {
      const {bid, name, embedded} = await this.target()
      const found = flag ?? bid
      if (found === undefined) {
        throw new Failure('PROFILE_INVALID', {
          message: `Profile ${name} has no customerBID, which every remote checkout operation needs.`,
          hint: embedded
            ? 'Add --bid; the embedded sandbox takes any.'
            : `Add --bid, or keep it: cardctl profiles edit ${name} --bid VALUE`,
        })
      }
      return found
    }

    /** Sends an operation that answers with a trace, and with --wait follows it. */
    protected async executeTraced(
      call: CommandCall<Ids[number] & Traced>,
      flags: TraceCommandFlags,
    ): Promise<unknown> {
      if (!flags.wait) return this.execute(call, flags, traceStartedView)
      if (await this.isPreview([call], flags)) return undefined
      const sent = await this.request(call, flags)
      this.tellRequest(call, sent)
      const {requestTraceId} = sent.answer.body as Reply<'remotecheckout.enrollCard.v1'>
      this.context.printer.note(`trace ${requestTraceId}`)
      const trace = await followTrace(
        this.context,
        await this.client(),
        requestTraceId,
        flags['wait-timeout'],
      )
      await this.context.printer.data(trace, traceView)
      return trace
    }
  }
  return RemoteCheckoutCommand
}
