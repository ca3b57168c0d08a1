import {lateAnswerAdvice} from '../../../contract/late-answer.ts'
import {amount} from '../../../money/amount.ts'
import {detail} from '../../../output/detail.ts'
import {formatJson} from '../../../output/formats.ts'
import {PARTIAL_APPROVAL} from '../../../output/state.ts'
import {bad, dim, joinStyled, ok, type Span, type Styled, warn} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {blocks, section, type View, type ViewContext} from '../../../output/view.ts'
import {dayTime, deadlineBar, timeColumn, wholeMs} from '../../../output/when.ts'
import type {AuthEvent, Exchange, LateEvent, WebhookEvent} from '../../../webhook/index.ts'

/** A recorded call as it is printed: its time may be ISO 8601. */
type PrintedExchange = Omit<Exchange, 'event'> & {
  readonly event: Omit<WebhookEvent, 'at'> & {readonly at: number | string}
}

const withMillis = (event: PrintedExchange['event']) =>
  ({...event, at: new Date(event.at).getTime()}) as WebhookEvent

/** Recorded calls. */
export const webhookEventListView = (
  events: readonly unknown[],
  context: ViewContext,
): string | Promise<string> =>
  table(
    'call',
    columns(timeColumn('When', context)),
    (events as readonly PrintedExchange['event'][]).map(withMillis),
    context,
    'No calls are recorded.',
  )

const columns = (when: ReturnType<typeof timeColumn>): readonly Column<WebhookEvent>[] => [
  {title: 'Event', value: ({event}) => event, fit: 'keep'},
  {title: when.title, value: ({at}) => when.text(at), fit: 'keep'},
  {title: 'Merchant', value: event => aboutOf(event)?.merchant, optional: true, ease: 12, least: 5},
  {title: 'Amount', value: moneyOf, align: 'right', fit: 'keep', optional: true},
  {title: 'Kind', value: kindOf, optional: true, spare: 3},
  {title: 'Answer', value: answerOf, fit: 'wrap', ease: 12},
  {title: 'By', value: event => (event.type === 'auth' ? event.by : ''), optional: true, spare: 1},
  {title: 'Took', value: ({durationMs}) => wholeMs(durationMs), align: 'right', fit: 'keep', spare: 2},
]

/** One recorded call with all its details. */
export const webhookEventView: View<PrintedExchange> = ({event: printed, request, reply, steps}, context) => {
  const event = withMillis(printed)
  const about = aboutOf(event)
  return blocks(
    detail(
      {
        title: `Event ${event.event}`,
        status: answerOf(event),
        rows: [
          ['When', dayTime(event.at, context)],
          ['Call', 'id' in event ? event.id : undefined],
          ['Kind', about && [about.kind, about.transactionType].filter(Boolean).join('  ')],
          ['Merchant', about?.merchant],
          ['Amount', moneyOf(event)],
          ['Approved', partOf(event)],
          ['Card', about?.cardId],
          ['Reason', event.type === 'rejected' ? event.reason : undefined],
          ['Late', event.type === 'late' ? bad(lateAnswerAdvice(event.callerGone === true)) : undefined],
          [
            'Way',
            {
              lines: steps.flatMap(({by, said, headers}) => [
                `${by}: ${said}`,
                ...linesOf(headers).map(line => `  ${line}`),
              ]),
            },
          ],
          ['Decided by', event.type === 'auth' ? event.by : undefined],
          ['Because', event.type === 'auth' ? event.because : undefined],
          ['Repeated', event.type === 'auth' && event.repeated ? 'the answer to an earlier call' : undefined],
          [
            'Not read',
            event.type === 'auth' && event.unread
              ? {lines: event.unread.map(words => warn(words))}
              : undefined,
          ],
          ['Id reused', about?.reusedId && bad(`another call had this id: ${about.reusedId}`)],
          ['Took', about ? budget(about, context) : wholeMs(event.durationMs)],
          [
            'Differs',
            {lines: differencesOf(event).map(({pointer, message}) => `${message}  ${pointer}`.trimEnd())},
          ],
          ['Unknown', about?.unknown?.join(', ')],
        ],
      },
      context,
    ),
    section(`${request.method} ${request.path}`, messageOf(request), context),
    section(reply ? `Answer, status ${reply.status}` : 'No answer', messageOf(reply), context),
  )
}

/** The fields of a call that was parsed; all of them or none. */
const aboutOf = (event: WebhookEvent) => ('merchant' in event ? (event as AuthEvent | LateEvent) : undefined)

function moneyOf(event: WebhookEvent): string {
  const {amount: value, currency} = aboutOf(event) ?? {}
  return value === undefined ? '' : amount(value, currency)
}

/** Where the call differs from the contract. */
const differencesOf = (event: WebhookEvent) => ('differs' in event ? (event.differs ?? []) : [])

/** The approved part, for a partial approval. */
function partOf(event: WebhookEvent): string {
  const part = event.type === 'auth' ? event.part : undefined
  return part === undefined ? '' : amount(part.amount, part.currency)
}

/** The kind of a call, unless it is an ordinary payment. */
function kindOf(event: WebhookEvent): string {
  const kind = aboutOf(event)?.kind ?? ''
  return kind === 'payment' ? '' : kind
}

function budget(event: AuthEvent | LateEvent, {ascii}: ViewContext): Styled {
  const {durationMs, deadlineMs} = event
  // If the caller had gone, it is unknown how long it waited.
  if (event.type === 'late' && event.callerGone) return wholeMs(durationMs)
  return [deadlineBar(durationMs, deadlineMs, ascii), dim(` of ${wholeMs(deadlineMs)}`)]
}

function answerOf(event: WebhookEvent): Styled {
  const isRepeated = event.type === 'auth' && event.repeated
  const isReused = aboutOf(event)?.reusedId !== undefined
  return joinStyled([
    plainAnswerOf(event),
    ...(isRepeated ? [dim(' repeated')] : []),
    ...(isReused ? [bad(' id reused')] : []),
  ])
}

function plainAnswerOf(event: WebhookEvent): Styled {
  switch (event.type) {
    case 'warm-up':
      return 'warm-up'
    case 'late':
      return bad(event.callerGone ? 'late, caller gone' : 'late')
    case 'rejected':
      return bad(`rejected ${event.status}`)
    case 'auth':
      return WORDS[event.outcome](event.code ?? '')
  }
}

const WORDS: Readonly<Record<AuthEvent['outcome'], (code: string) => Span>> = {
  approved: () => ok('approved'),
  partial: code => warn(`${PARTIAL_APPROVAL} ${code}`),
  declined: code => bad(`declined ${code}`),
  broken: code => bad(`broken answer ${code}`),
  none: () => bad('no answer'),
}

/** Headers and body, as in HTTP. */
function messageOf({headers, body}: Pick<Exchange['request'], 'headers' | 'body'> = {}): string {
  const text = body === undefined || typeof body === 'string' ? body : formatJson(body).trimEnd()
  return [linesOf(headers).join('\n'), text ?? '']
    .filter(part => part !== '')
    .join('\n\n')
    .split('\n')
    .map(line => (line === '' ? '' : ` ${line}`))
    .join('\n')
}

const linesOf = (headers: Exchange['request']['headers'] = {}): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
