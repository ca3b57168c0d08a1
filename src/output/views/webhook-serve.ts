import {lateWords} from '../../contract/late-words.ts'
import type {AuthEvent, LateEvent, WebhookEvent} from '../../webhook/index.ts'
import {amount, counted} from '../amount.ts'
import {deadlineBar, wholeMs} from '../deadline-bar.ts'
import {cut, type Line, lineWidth, styledWidth} from '../lay-out.ts'
import {bad, dim, ok, type Span, type Styled, strong, warn} from '../styled.ts'
import {glyphsOf, sentence, type View, type ViewContext} from '../view.ts'
import {clockTime, zoneOf} from '../when.ts'

interface Ready {
  readonly type: 'ready'
  readonly url: string
  readonly deadlineMs: number
  readonly ca?: string
  readonly inspect?: string
  readonly decides: readonly string[]
  readonly repeatMemory?: false
}

interface Rules {
  readonly type: 'rules'
  readonly at: number
  readonly ok: boolean
  readonly message: string
  readonly issues: readonly string[]
}

interface Dropped {
  readonly type: 'dropped'
  readonly count: number
}

/** One line for each call that `webhook serve` gets. */
export const webhookServeView: View<Ready | WebhookEvent | Rules | Dropped> = (event, context) => {
  // Log lines stay whole: a terminal wraps them itself.
  const line = (...parts: readonly (string | Span)[]) =>
    sentence(parts as Styled, {...context, width: Number.POSITIVE_INFINITY})
  const time = (at: number) => dim(clockTime(at, context.timeZone))
  /** What is said of a call stands below it where it would not fit. */
  const told = (call: readonly (string | Span)[], notes: readonly Span[]) => {
    const [head, rest] = [line(...call), line(...notes)]
    const fits = styledWidth([...call, ...notes]) <= context.width
    return notes.length === 0 || fits ? head + rest : `${head}\n${BELOW}${rest}`
  }
  switch (event.type) {
    case 'ready':
      return [
        line(
          'listening on ',
          strong(event.url),
          dim(`  deadline ${amount(event.deadlineMs)} ms  decides: ${event.decides.join(', then ')}`),
          ...(event.repeatMemory === false ? [warn('  every call is decided afresh')] : []),
          dim(`  times in ${zoneOf(context.now, context)}`),
          ...(event.ca === undefined ? [] : [dim(`  certificate ${event.ca}`)]),
        ),
        ...(event.inspect === undefined ? [] : [line('inspect at   ', strong(event.inspect))]),
      ].join('\n')
    case 'rules':
      return [
        line(
          time(event.at),
          ' rules ',
          event.ok ? ok(event.message) : bad(event.message),
          event.ok ? '' : dim('  the old ones stay'),
        ),
        ...event.issues.filter(issue => issue !== event.message).map(issue => line(`  ${issue}`)),
      ].join('\n')
    case 'dropped':
      return line(warn(`(${counted(event.count, 'line')} left out: nobody read them in time)`))
    case 'warm-up':
      return line(time(event.at), ' warm-up', dim(`  ${wholeMs(event.durationMs)}`))
    case 'rejected':
      return told(
        [
          time(event.at),
          'merchant' in event ? about(event as Called, context) : ' ',
          bad(`rejected ${event.status}`),
        ],
        [{text: `  ${event.reason}`}, ...reuse(event)],
      )
    case 'late':
      return told(
        [time(event.at), about(event, context), aligned(bad('LATE')), ...budget(event, context)],
        [bad(`  ${lateWords(event.callerGone === true)}`), ...reuse(event), ...unknownOf(event)],
      )
    case 'auth':
      return told(
        [
          time(event.at),
          about(event, context),
          aligned(WORDS[event.outcome](event.code ?? '')),
          ...budget(event, context),
        ],
        [...reuse(event), ...warning(event), ...reasons(event), ...unread(event), ...unknownOf(event)],
      )
  }
}

/** Columns, so that bars stand below each other and a plain line fits 80. */
const MERCHANT = 16
const DECISION = 10

/** As wide as the time, with what parts notes. */
const BELOW = ' '.repeat(7)

/** A call that was read. */
type Called = Pick<AuthEvent, 'merchant' | 'amount' | 'currency'>

function about({merchant, amount: value, currency = ''}: Called, context: ViewContext): string {
  const money = value === undefined ? '' : amount(value, currency).slice(currency.length)
  // A log keeps long names whole.
  const room = Number.isFinite(context.width) ? MERCHANT : Number.POSITIVE_INFINITY
  const name = cut(merchant, room, glyphsOf(context).ellipsis)
  const gap = ' '.repeat(Math.max(0, MERCHANT - lineWidth(name)))
  return ` auth ${textOf(name)}${gap}  ${currency.padEnd(3)} ${money.trim().padStart(9)}  `
}

const aligned = (decision: Span): Span => ({...decision, text: decision.text.padEnd(DECISION)})

const textOf = (line: Line): string => line.map(({text}) => text).join('')

/** Why it was decided so, where the flags don't say it for every call. */
function reasons({outcome, code, part, kind, by, repeated}: AuthEvent): readonly Span[] {
  const said = [
    part ? `approved ${amount(part.amount, part.currency)}` : '',
    outcome === 'broken' ? `status ${code}` : '',
    kind === 'payment' ? '' : kind,
    FIXED.has(by) ? '' : `by ${by}`,
    repeated ? 'repeated' : '',
  ]
  return said.filter(text => text !== '').map(text => dim(`  ${text}`))
}

const WORDS: Readonly<Record<AuthEvent['outcome'], (code: string) => Span>> = {
  approved: () => ok('approve'),
  partial: code => warn(`partial ${code}`),
  declined: code => bad(`decline ${code}`),
  broken: () => bad('broken'),
  none: () => bad('no answer'),
}
/** What the flags say for every call needs no mention in each line. */
const FIXED = new Set(['approve', 'decline'])

const shareOf = ({durationMs, deadlineMs}: AuthEvent | LateEvent): number =>
  Math.min(1, durationMs / deadlineMs)

/** Says what the colour of the bar says. An answer that was withheld on purpose took all of the time. */
function warning(event: AuthEvent): readonly Span[] {
  const share = shareOf(event)
  if (event.outcome === 'none' || share <= 0.5) return []
  return [share > 0.9 ? bad('  over 90 % of the deadline') : warn('  over 50 % of the deadline')]
}

/** The id says that it is an earlier call, and the body that it is not. */
const reuse = ({reusedId}: {readonly reusedId?: string}): readonly Span[] =>
  reusedId === undefined ? [] : [bad(`  ID ALREADY USED by another call (${reusedId}): decided afresh`)]

/** Members of the answer that are mostly slips. */
const unread = (event: AuthEvent): readonly Span[] =>
  (event.unread ?? []).map(words => warn(`  answer: ${words}`))

const MOST_UNKNOWN = 3

/** What the contract doesn't know of a call. */
function unknownOf({unknown = []}: AuthEvent | LateEvent): readonly Span[] {
  if (unknown.length === 0) return []
  const rest = unknown.length > MOST_UNKNOWN ? ' …' : ''
  return [dim(`  unknown: ${unknown.slice(0, MOST_UNKNOWN).join(' ')}${rest}`)]
}

/** How long a caller that had gone had waited is not known, so it has no share of the deadline. */
const budget = (event: AuthEvent | LateEvent, {ascii}: ViewContext) => {
  const {durationMs, deadlineMs} = event
  const gone = event.type === 'late' && event.callerGone === true
  return [
    '  ',
    gone ? bad(`${' '.repeat(BAR)} ${wholeMs(durationMs)}`) : deadlineBar(durationMs, deadlineMs, ascii),
  ]
}

/** As wide as the bar. */
const BAR = 10
