import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../../cli/arguments.ts'
import {bodyFlags, changeFlag, durationFlag, type FlagValues} from '../../../cli/flags.ts'
import {operationCommand, type StepFlags} from '../../../cli/operation-command.ts'
import {type CommandCall, toCall} from '../../../cli/request.ts'
import {enrolmentOf} from '../../../cli/show-change.ts'
import {operations} from '../../../contract/operations.gen.ts'
import type {OperationId} from '../../../contract/types.ts'
import {Failure} from '../../../errors/failure.ts'
import {textAt} from '../../../output/fields.ts'
import {
  changedTraceView,
  enrolledCustomerView,
  traceStartedView,
  traceView,
} from '../../../output/views/remotecheckout.ts'
import {followTrace} from './traces.ts'

export const bidFlag = {bid: idFlag({summary: 'CustomerBID of the issuer. Overrides the profile.'})}

/** Contact details of the customer. */
export const contactFlags = {
  email: Flags.string({summary: 'E-mail address of the customer.'}),
  phone: Flags.string({summary: 'Phone number of the customer, digits only.'}),
}

export const CONTACT_FIELDS = {email: 'overrides.emails[0]', phone: 'overrides.phones[0]'}

/** Flags of writes, which end later: a trace leads to their outcome. */
export const traceFlags = {
  ...bodyFlags,
  ...changeFlag,
  ...bidFlag,
  wait: Flags.boolean({summary: 'Follow the operation to its outcome. Exit 11 if the network refused it.'}),
  'wait-timeout': durationFlag({
    summary: 'How long to follow the operation (default 2m).',
    dependsOn: ['wait'],
  }),
}

type TraceCommandFlags = StepFlags & FlagValues<typeof traceFlags>

type Traced = Extract<OperationId, `remotecheckout.${'enroll' | 'update' | 'delete'}${string}`>

/** Base of the remote checkout commands: the issuer's customerBID, and operations that end later. */
export function remoteCheckoutCommand<const Ids extends readonly OperationId[]>(...ids: Ids) {
  abstract class RemoteCheckoutCommand extends operationCommand(...ids) {
    // The manifest contains a static of a command's direct base class, not of the classes above it.
    static override readonly claims: readonly OperationId[] = ids

    /** The value of `--bid`, or that of the profile. */
    protected async bid(flag: string | undefined): Promise<string> {
      const {bid, name} = await this.target()
      const found = flag ?? bid
      if (found === undefined) {
        throw new Failure('PROFILE_INVALID', {
          message: `Profile ${name} has no customerBID, which every remote checkout operation needs.`,
          hint: `Add --bid, or store it: cardctl profiles edit ${name} --bid VALUE`,
        })
      }
      return found
    }

    /** Sends an operation whose response is a trace; with --wait, follows it. */
    protected async executeTraced(call: CommandCall<Ids[number] & Traced>, flags: TraceCommandFlags) {
      const showsChange = flags['show-change'] === true
      if (this.asksBefore(call, flags) && !showsChange) await this.showWhatGoes(call)
      if (!flags.wait && !showsChange) return this.start(call, flags)
      if (await this.isPreview([call], flags)) return undefined
      const before = showsChange ? await this.before(call) : undefined
      const sent = await this.request(call, flags)
      this.reportRequest(call, sent)
      const requestTraceId = textAt(sent.response.body, 'requestTraceId')
      this.context.printer.note(`trace ${requestTraceId}`)
      const trace = await followTrace(
        this.context,
        await this.client(),
        requestTraceId,
        flags['wait-timeout'],
      )
      if (!showsChange) {
        await this.context.printer.data(trace, traceView)
        return trace
      }
      const after = await enrolmentOf(await this.client(), toCall(call).input)
      const changed = {
        ...trace,
        change: {before: before ?? null, after: after ?? null},
      }
      await this.context.printer.data(changed, changedTraceView)
      return changed
    }

    private async start(call: CommandCall<Ids[number] & Traced>, flags: TraceCommandFlags) {
      const started = await this.execute(call, flags, traceStartedView)
      const requestTraceId = textAt(started, 'requestTraceId')
      if (requestTraceId !== '') {
        const {commandLine, printer} = this.context
        printer.note(`Its outcome: ${commandLine('remotecheckout', 'status', requestTraceId)}`)
      }
      return started
    }

    /** Whether a person is asked before a deletion. */
    private asksBefore({operation}: CommandCall<Ids[number] & Traced>, flags: TraceCommandFlags): boolean {
      const isAnswered = [flags.confirm ?? []].flat().length > 0 || flags['dry-run'] || flags.curl
      return operations[operation].effect === 'destroy' && this.context.interactive && !isAnswered
    }

    /** @throws Failure NOT_FOUND rather than ask about what doesn't exist */
    private async showWhatGoes(call: CommandCall<Ids[number] & Traced>): Promise<void> {
      if ((await this.before(call)) !== undefined) return
      throw new Failure('NOT_FOUND', {
        message: 'There is no such enrolment.',
        hint: 'Check the id and the customerBID (--bid).',
        effect: 'none',
      })
    }

    /** The enrolment before the change. A deletion shows it before it asks. */
    private async before(call: CommandCall<Ids[number] & Traced>) {
      const client = await this.client()
      await client.gate(call.operation)
      const found = await enrolmentOf(client, toCall(call).input)
      if (found !== undefined && operations[call.operation].effect === 'destroy') {
        await this.context.printer.noteView(found, enrolledCustomerView)
      }
      return found
    }
  }
  return RemoteCheckoutCommand
}
