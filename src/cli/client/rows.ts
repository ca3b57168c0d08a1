import {
  type AnyInput,
  honoursKey,
  leavesRecord,
  type Operation,
  withAuditUser,
} from '../../contract/operation.ts'
import type {FailureDetails} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {type SendOptions, type ServiceResponse, settlesEarlierAttempts} from '../../http/index.ts'
import type {Purpose, RequestStart} from '../../journal/index.ts'
import {checkInput} from '../check-input.ts'
import type {Context} from '../context.ts'
import {type RequestTrace, runBy, startOf} from '../journalled.ts'
import {pagedItems} from '../pages.ts'
import {refuseAlone} from '../second-person.ts'
import {refuseOtherOperation, refuseOwnNames} from '../wire-gate.ts'
import {asAsked, asDocumented, asSaid, passGate, passSecondPerson} from './prepare.ts'
import {type ServiceInUse, sayWaits, send} from './request.ts'

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
  /** Builds the request of a row, so that what is recorded is what is sent. */
  build(input: AnyInput, key?: string): RowRequest
  /** The same, compared with the contract. @throws Failure CONTRACT_VIOLATION */
  checked(input: AnyInput, key?: string): Promise<RowRequest>
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
  const by = runBy(context)
  const whole = (input: AnyInput): AnyInput => {
    refuseOwnNames({operation, input}, target)
    judgeRow?.(target, asked, input)
    return withAuditUser(operation, input, target.auditUser)
  }
  const built = (checked: AnyInput, idempotencyKey: string | undefined): RowRequest => {
    const request = sender.build({operation, input: checked, idempotencyKey})
    refuseOtherOperation(request, target)
    return {
      start: trace => startOf({target, request, trace: {...trace, ...purpose, ...by}}, tenant),
      // Without a signal: wait for what was already sent.
      send: admit => {
        const {timeout: timeoutMs, retries} = context.flags
        const options = {admit, timeoutMs, retries, waiting}
        if (onePage || !isWholeList(operation, request.input))
          return send(context, target, sender, request, options)
        return wholeList(operation, request.input, (query, more) => {
          const page = sender.build({operation, input: {...request.input, query}})
          return send(context, target, sender, page, {...options, ...more})
        })
      },
    }
  }
  return {
    operation,
    asked,
    purpose,
    honoured: honoursKey(operation, target),
    settlesEarlierAttempts,
    build: (input, key) => built(whole(input), key),
    checked: async (input, key) => {
      const checked = whole(input)
      await checkInput(operation, checked, target.dialect)
      return built(checked, key)
    },
  }
}

type SendPage = (
  query: Readonly<Record<string, unknown>>,
  options: Pick<SendOptions, 'unmasked'>,
) => Promise<ServiceResponse>

/** Whether a request of this operation brings a list whole: one that names its page brings that page. */
const isWholeList = ({paging}: Operation, {query}: AnyInput): boolean =>
  paging !== undefined && Object.keys(query).every(name => name === 'auditUser' || name === 'size')

/**
 * All pages of a list as the response of one row. The pages are paced like rows.
 *
 * @throws Failure LIST_INCOMPLETE, or that of a page
 */
async function wholeList(
  operation: Operation,
  {query}: AnyInput,
  sendPage: SendPage,
): Promise<ServiceResponse> {
  let response: ServiceResponse | undefined
  const size = query.size === undefined ? {} : {'page-size': Number(query.size)}
  const pages = pagedItems(operation, {all: true, ...size}, async (page, {unmasked}) => {
    response = await sendPage({...query, ...page}, {unmasked})
    return response.body
  })
  const items: unknown[] = []
  for await (const item of pages.items) items.push(item)
  if (response === undefined) throw new Error('no page was asked for')
  const {body} = response
  if (!isObject(body)) return {...response, body: items}
  const {lastEvaluatedKey: _, ...rest} = body
  return {...response, body: {...rest, size: items.length, items}}
}
