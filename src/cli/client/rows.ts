import {honoursKey} from '../../contract/idempotency-key.ts'
import {type AnyInput, leavesRecord, type Operation, withAuditUser} from '../../contract/operation.ts'
import type {FailureDetails} from '../../errors/failure.ts'
import {type SendOptions, type ServiceResponse, settlesEarlierAttempts} from '../../http/index.ts'
import type {Purpose, RequestStart} from '../../journal/index.ts'
import {callerText} from '../caller.ts'
import {checkInput} from '../check-input.ts'
import type {Context} from '../context.ts'
import {asDocumented, asSaid} from '../effect-label.ts'
import {type RequestTrace, startOf} from '../journalled.ts'
import {refuseAlone} from '../second-person.ts'
import {isWholeList, wholeList} from '../whole-row.ts'
import {refuseOtherOperation, refuseOwnNames} from '../wire-gate.ts'
import {asAsked, passGate, passSecondPerson} from './prepare.ts'
import type {ServiceInUse} from './request.ts'
import {send} from './send.ts'
import {sayWaits} from './waits.ts'

export interface RowSender {
  /** With the effect that rows are recorded and repeated by. */
  readonly operation: Operation
  /** With the effect that questions go by. */
  readonly asked: Operation
  /** The note and ticket of all rows. */
  readonly purpose: Purpose
  /** The service honours the key, so a row may be sent again. */
  readonly honoured: boolean
  /** Whether this refusal also proves that no earlier request with the same honoured key had an effect. */
  settlesEarlierAttempts(refusal: Pick<FailureDetails, 'status' | 'isPage'>): boolean
  /** @throws Failure CONTRACT_VIOLATION */
  check(input: AnyInput): Promise<void>
  /** Builds the request of a row, so that what is recorded is what is sent. */
  build(input: AnyInput, key?: string): RowRequest
}

export interface RowRequest {
  /** The journal's entry of the request. */
  start(trace: RequestTrace): RequestStart
  send(admit?: SendOptions['admit']): Promise<ServiceResponse>
}

export interface RowSettings {
  /** Of a list only the page that was asked for, as the service sent it. */
  readonly onePage?: boolean
}

/** See `Client.rows`. */
export async function rowSender(
  context: Context,
  service: ServiceInUse,
  described: Operation,
  earlier: Purpose | undefined,
  {onePage = false}: RowSettings = {},
): Promise<RowSender> {
  const {target, sender} = service
  const operation = asDocumented(asSaid(described, target), target)
  const asked = await asAsked(context, target, operation)
  await passGate(context, target, asked, {trace: earlier})
  await passSecondPerson(target, asked)
  await service.claim.prove(operation)
  const judgeRow = target.secondPersonFor.length === 0 ? undefined : refuseAlone
  const purpose = leavesRecord(operation) ? await context.purposes.given(target, earlier) : {}
  const tenant = leavesRecord(operation) ? await target.tenant?.() : undefined
  await context.stores.announceService()
  const waiting = sayWaits(context, target)
  const caller = callerText(context.caller)
  const whole = (input: AnyInput): AnyInput => {
    refuseOwnNames({operation, input}, target)
    judgeRow?.(target, asked, input)
    return withAuditUser(operation, input, target.auditUser)
  }
  return {
    operation,
    asked,
    purpose,
    honoured: honoursKey(operation, target),
    settlesEarlierAttempts,
    check: async input => {
      const checked = whole(input)
      await checkInput(operation, checked, target.dialect)
      refuseOtherOperation(sender.build({operation, input: checked}), target)
    },
    build: (input, idempotencyKey) => {
      const built = sender.build({operation, input: whole(input), idempotencyKey})
      refuseOtherOperation(built, target)
      return {
        start: trace => startOf({target, request: built, trace: {...trace, ...purpose, caller}}, tenant),
        // Without a signal: wait for what was already sent.
        send: admit => {
          const {timeout: timeoutMs, retries} = context.flags
          const options = {admit, timeoutMs, retries, waiting}
          if (onePage || !isWholeList(operation, built.input))
            return send(context, target, sender, built, options)
          return wholeList(operation, built.input, (query, more) => {
            const page = sender.build({operation, input: {...built.input, query}})
            return send(context, target, sender, page, {...options, ...more})
          })
        },
      }
    },
  }
}
