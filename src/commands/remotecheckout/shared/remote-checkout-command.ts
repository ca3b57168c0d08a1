import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../../cli/arguments.ts'
import {type CommandCall, type RequestOptions, toCall} from '../../../cli/client/options.ts'
import {bodyFlags, changeFlag, durationFlag, type FlagValues, typedDuration} from '../../../cli/flags.ts'
import {operationCommand, type StepFlags} from '../../../cli/operation-command.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {isPathId} from '../../../contract/resource.ts'
import type {OperationId} from '../../../contract/types.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {exitOf} from '../../../errors/registry.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {textAt} from '../../../output/fields.ts'
import {checkBeforeSending, type Enrolled, enrolmentOf} from './enrolment.ts'
import {FOLLOW_WITHIN, followTrace} from './traces.ts'
import {changedTraceView, enrolledCustomerView, traceStartedView, traceView} from './views.ts'

export const READS_FIRST =
  'Reads the enrolment first, and sends nothing that the card network would refuse later, such as a card of a customer who is not enrolled. --no-check-input sends it anyway.'

export const bidFlag = {bid: idFlag({summary: 'CustomerBID of the issuer. Overrides the profile.'})}

/** One word with one @, and a domain with a dot. */
const EMAIL = /^[^\s@<>|"'`(),:;[\]\\]+@[^\s@<>|"'`(),:;[\]\\.]+(?:\.[^\s@<>|"'`(),:;[\]\\.]+)+$/u

const emailFlag = Flags.custom<string>({
  parse: async (text, _, {name}) => {
    if (EMAIL.test(text.trim())) return text.trim()
    throw new Failure('USAGE', {
      message: `--${name} takes an e-mail address, for example aino@example.com.`,
      effect: 'none',
    })
  },
})

/** Contact details of the customer. */
export const contactFlags = {
  email: emailFlag({summary: 'E-mail address of the customer.'}),
  phone: Flags.string({summary: 'Phone number of the customer, digits only.'}),
}

export const CONTACT_FIELDS = {email: 'overrides.emails[0]', phone: 'overrides.phones[0]'}

/** Flags of writes, which end later: a trace leads to their outcome. */
export const traceFlags = {
  ...bodyFlags,
  ...changeFlag,
  ...bidFlag,
  wait: Flags.boolean({
    summary: `Follow the operation to its outcome. Exit ${exitOf('PARTLY_DONE')} if the network refused it.`,
  }),
  'wait-timeout': durationFlag({
    summary: `How long to follow the operation (default ${typedDuration(FOLLOW_WITHIN)}).`,
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
          hint: advice`Add --bid, or store it: ${cardctl('profiles', 'edit', {value: name}, '--bid', {value: 'VALUE'})}`,
        })
      }
      return found
    }

    /** Sends an operation whose response is a trace; with --wait, follows it. */
    protected async executeTraced(call: CommandCall<Ids[number] & Traced>, flags: TraceCommandFlags) {
      if (await this.isPreview([call], flags)) return undefined
      const showsChange = flags['show-change'] === true
      // A person is asked about what is there. Without one, a missing confirmation is the first thing to say.
      const isChecked = !flags['no-check-input']
      const destroys = operations[call.operation].effect === 'destroy'
      const isFirst = showsChange || (this.context.interactive && (isChecked || destroys))
      const before = isFirst ? await this.before(call, flags) : undefined
      const options = !isFirst && isChecked ? {check: () => this.before(call, flags)} : {}
      if (before !== undefined && destroys && (showsChange || this.asksBefore(flags))) {
        await this.context.printer.noteView(before, enrolledCustomerView)
      }
      if (!flags.wait && !showsChange) return this.start(call, flags, options)
      const sent = await this.request(call, flags, options)
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
      const after = (await enrolmentOf(await this.client(), toCall(call).input))?.enrolled
      const changed = {
        ...trace,
        change: {before: before ?? null, after: after ?? null},
      }
      await this.context.printer.data(changed, changedTraceView)
      return changed
    }

    private async start(
      call: CommandCall<Ids[number] & Traced>,
      flags: TraceCommandFlags,
      options: RequestOptions,
    ) {
      const started = await this.execute(call, flags, traceStartedView, options)
      const requestTraceId = textAt(started, 'requestTraceId')
      if (isPathId(requestTraceId)) {
        const {commandLine, printer} = this.context
        printer.note(`Its outcome: ${commandLine('remotecheckout', 'status', {value: requestTraceId})}`)
      }
      return started
    }

    /** Whether a person is asked before a deletion. */
    private asksBefore(flags: TraceCommandFlags): boolean {
      return this.context.interactive && [flags.confirm ?? []].flat().length === 0
    }

    /**
     * The enrolment before the change; undefined if there is none.
     *
     * @throws Failure NOT_FOUND, INPUT_INVALID rather than send what the card network would refuse later
     */
    private async before(
      call: CommandCall<Ids[number] & Traced>,
      flags: TraceCommandFlags,
    ): Promise<Enrolled | undefined> {
      const client = await this.client()
      await client.gate(call.operation)
      return checkBeforeSending(this.context, client, toCall(call), {
        isRefused: !flags['no-check-input'],
        bid: flags.bid,
      })
    }
  }
  return RemoteCheckoutCommand
}
