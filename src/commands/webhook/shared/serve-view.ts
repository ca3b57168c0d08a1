import type {DroppedEvent} from '../../../cli/serving/run-server.ts'
import {lateAnswerAdvice} from '../../../contract/late-answer.ts'
import {amount, counted} from '../../../money/amount.ts'
import {bad, dim, ok, type Span, type Styled, strong, warn} from '../../../output/styled.ts'
import {cut, type Line, lineWidth, styledWidth} from '../../../output/text-layout.ts'
import {glyphsOf, sentence, type View, type ViewContext} from '../../../output/view.ts'
import {clockTime, deadlineBar, wholeMs, zoneOf} from '../../../output/when.ts'
import type {AuthEvent, LateEvent, WebhookEvent} from '../../../webhook/index.ts'
import type {RuleHits, RulesReload} from '../../../webhook/rules/index.ts'

/** The first event: the listener's URL and its deadline. */
export interface ReadyEvent {
  readonly type: 'ready'
  readonly url: string
  readonly deadlineMs: number
  /** The file with the certificate of this run, which callers must trust. It exists while the listener runs. */
  readonly ca?: string
  /** Who decides, in this order. */
  readonly decides: readonly string[]
  /** A repeated call is decided again. */
  readonly repeatMemory?: false
  /** A call that differs from the contract is refused. */
  readonly strict?: true
  /** What every call must have: a type of credential, `signature`, `client certificate`. */
  readonly callersNeed?: readonly string[]
  /** The link to the inspector page. */
  readonly inspect?: string
}

/** A rule file was saved while it is in use. */
export interface RulesEvent extends RulesReload {
  readonly type: 'rules'
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The last event: which rules have decided since their file was loaded, and which never did. */
export interface RulesUsedEvent {
  readonly type: 'rules-used'
  /** Milliseconds since 1970. */
  readonly at: number
  readonly rules: readonly RuleHits[]
}

/** One line per call that `webhook serve` receives. */
export const webhookServeView: View<
  ReadyEvent | WebhookEvent | RulesEvent | RulesUsedEvent | DroppedEvent
> = (event, context) => {
  // Log lines aren't cut: the terminal wraps them.
  const line = (...parts: readonly (string | Span)[]) =>
    sentence(parts as Styled, {...context, width: Number.POSITIVE_INFINITY})
  const time = (at: number) => dim(clockTime(at, context.timeZone))
  /** Notes on a call go on a second line if they don't fit on the first. */
  const callLines = (call: readonly (string | Span)[], notes: readonly Span[]) => {
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
          ...(event.repeatMemory === false ? [warn('  every call is decided again')] : []),
          ...(event.strict ? [dim('  refuses what differs from the contract')] : []),
          ...(event.callersNeed ? [dim(`  callers need: ${event.callersNeed.join(', ')}`)] : []),
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
    case 'rules-used': {
      const used = event.rules.filter(({hits}) => hits > 0)
      const unused = event.rules.filter(({hits}) => hits === 0)
      return [
        line(
          time(event.at),
          ' rules used: ',
          used.length === 0 ? 'none' : used.map(({name, hits}) => `${name} ${amount(hits)}`).join(', '),
        ),
        ...(unused.length === 0
          ? []
          : [line(`${BELOW}  never used: `, unused.map(({name}) => name).join(', '))]),
      ].join('\n')
    }
    case 'dropped':
      return line(warn(`(${counted(event.count, 'line')} omitted: the reader was too slow)`))
    case 'warm-up':
      return line(time(event.at), ' warm-up', dim(`  ${wholeMs(event.durationMs)}`), ...difference(event))
    case 'rejected':
      return callLines(
        [
          time(event.at),
          'merchant' in event ? about(event as Called, context) : ' ',
          bad(`rejected ${event.status}`),
        ],
        [{text: `  ${event.reason}`}, ...reuse(event), ...difference(event)],
      )
    case 'late':
      return callLines(
        [time(event.at), about(event, context), aligned(bad('LATE')), ...budget(event, context)],
        [
          bad(`  ${lateAnswerAdvice(event.callerGone === true)}`),
          ...reuse(event),
          ...difference(event),
          ...unknownOf(event),
        ],
      )
    case 'auth':
      return callLines(
        [
          time(event.at),
          about(event, context),
          aligned(WORDS[event.outcome](event.code ?? '')),
          ...budget(event, context),
        ],
        [
          ...reuse(event),
          ...warning(event),
          ...reasons(event),
          ...unread(event),
          ...difference(event),
          ...unknownOf(event),
        ],
      )
  }
}

/** Column widths that align the bars and keep a plain line within 80 columns. */
const MERCHANT = 16
const DECISION = 10

/** The indent of a line of notes: the width of the time and the space after it. */
const BELOW = ' '.repeat(7)

/** A call that was parsed. */
type Called = Pick<AuthEvent, 'merchant' | 'amount' | 'currency'>

function about({merchant, amount: value, currency = ''}: Called, context: ViewContext): string {
  const money = value === undefined ? '' : amount(value, currency).slice(currency.length)
  // In a log, long names aren't cut.
  const room = Number.isFinite(context.width) ? MERCHANT : Number.POSITIVE_INFINITY
  const name = cut(merchant, room, glyphsOf(context).ellipsis)
  const gap = ' '.repeat(Math.max(0, MERCHANT - lineWidth(name)))
  return ` auth ${textOf(name)}${gap}  ${currency.padEnd(3)} ${money.trim().padStart(9)}  `
}

const aligned = (decision: Span): Span => ({...decision, text: decision.text.padEnd(DECISION)})

const textOf = (line: Line): string => line.map(({text}) => text).join('')

/** The reason for the decision, unless the flags give it for every call. */
function reasons({outcome, code, part, kind, by, because, repeated}: AuthEvent): readonly Span[] {
  const said = [
    part ? `approved ${amount(part.amount, part.currency)}` : '',
    outcome === 'broken' ? `status ${code}` : '',
    kind === 'payment' ? '' : kind,
    FIXED.has(by) ? '' : `by ${by}`,
    repeated ? 'repeated' : '',
  ]
  const why = because === undefined ? [] : [warn(`  ${because}`)]
  return [...said.filter(text => text !== '').map(text => dim(`  ${text}`)), ...why]
}

const WORDS: Readonly<Record<AuthEvent['outcome'], (code: string) => Span>> = {
  approved: () => ok('approve'),
  partial: code => warn(`partial ${code}`),
  declined: code => bad(`decline ${code}`),
  broken: () => bad('broken'),
  none: () => bad('no answer'),
}
/** What the flags decide for every call isn't repeated on each line. */
const FIXED = new Set(['approve', 'decline'])

const shareOf = ({durationMs, deadlineMs}: AuthEvent | LateEvent): number =>
  Math.min(1, durationMs / deadlineMs)

/**
 * Says in words what the colour of the bar says. Not for an answer that was withheld on purpose: it always takes the
 * whole time.
 */
function warning(event: AuthEvent): readonly Span[] {
  const share = shareOf(event)
  if (event.outcome === 'none' || share <= 0.5) return []
  return [share > 0.9 ? bad('  over 90% of the deadline') : warn('  over 50% of the deadline')]
}

/** A new call that reuses the id of an earlier one: their bodies differ. */
function reuse({type, reusedId}: {readonly type: string; readonly reusedId?: string}): readonly Span[] {
  if (reusedId === undefined) return []
  const what = type === 'auth' ? ': decided by its content' : ''
  return [bad(`  ID ALREADY USED by another call (${reusedId})${what}`)]
}

/** Unknown fields of the answer, mostly typing mistakes. */
const unread = (event: AuthEvent): readonly Span[] =>
  (event.unread ?? []).map(words => warn(`  answer: ${words}`))

const MOST_POINTERS = 3

/** Fields and values of a call that the contract doesn't know. */
const unknownOf = ({unknown = []}: AuthEvent | LateEvent): readonly Span[] => pointers('unknown', unknown)

/** Where a call differs from the contract. */
const difference = ({differs = []}: Pick<AuthEvent, 'differs'>): readonly Span[] =>
  pointers(
    'differs',
    differs.map(({pointer}) => pointer || '/'),
  )

function pointers(what: string, all: readonly string[]): readonly Span[] {
  if (all.length === 0) return []
  const rest = all.length > MOST_POINTERS ? ' …' : ''
  return [dim(`  ${what}: ${all.slice(0, MOST_POINTERS).join(' ')}${rest}`)]
}

/** If the caller had gone, it is unknown how long it waited, so there is no share of the deadline. */
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
