import type {Context} from '../../../cli/context.ts'
import {advice, type Hint, joinAdvice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {isBetweenSame} from './corrected.ts'
import {nameOf} from './parts.ts'
import type {Transfer} from './read-transfers.ts'
import {transferWords} from './same-rows.ts'
import type {SentEarlier} from './sent-earlier.ts'

/** Rows that are named. */
const MOST_ROWS = 5

type Words = Pick<Context, 'when' | 'commandLine'>

/** Whether it was perhaps sent between other accounts. */
function isElse({row, instead}: SentEarlier, transfers: readonly Transfer[]): boolean {
  const transfer = transfers[row - 1]
  return (
    transfer !== undefined &&
    instead !== undefined &&
    instead !== 'replaced' &&
    !isBetweenSame(transfer, instead)
  )
}

/** What is known of rows that were sent before, and how it is said of one row and of several. */
const KINDS: readonly (readonly [
  is: (one: SentEarlier, transfers: readonly Transfer[]) => boolean,
  was: string,
  were: string,
  more: string,
])[] = [
  [
    ({isOther, elsewhere}) => !isOther && elsewhere === undefined,
    'was sent already',
    'were sent already',
    '',
  ],
  [
    ({isOther, elsewhere}) => !isOther && elsewhere?.sameTexts === true,
    'was sent from elsewhere',
    'were sent from elsewhere',
    '',
  ],
  [
    ({isOther, elsewhere}) => !isOther && elsewhere?.sameTexts === 'unknown',
    'looks sent from elsewhere',
    'look sent from elsewhere',
    ' (same accounts, amount and currency; texts are not known)',
  ],
  [
    (one, transfers) => one.isOther === true && one.instead !== 'replaced' && !isElse(one, transfers),
    'may have been sent already with another amount or text, between the same accounts',
    'may have been sent already with another amount or text, between the same accounts',
    '',
  ],
  [
    (one, transfers) => one.isChanged === true && isElse(one, transfers),
    'may have been sent already with another account',
    'may have been sent already with another account',
    '',
  ],
  [
    (one, transfers) => !one.isChanged && isElse(one, transfers),
    'failed before, and may have been sent since with another account',
    'failed before, and may have been sent since with another account',
    '',
  ],
  [
    ({instead}) => instead === 'replaced',
    'failed before, and was sent since from a file of the failed ones, as it was or corrected',
    'failed before, and were sent since from a file of the failed ones, as they were or corrected',
    '',
  ],
]

/**
 * What was sent before, exactly or perhaps corrected. "2 of these 5 transfers were sent already: rows 1 and 3 in batch 88001 (request r_01) at
 * 2026-11-21 14:02 UTC".
 */
export function wordsOf(
  words: Words,
  transfers: readonly Transfer[],
  earlier: readonly SentEarlier[],
  whole?: readonly Transfer[],
): string {
  const named = namedRows(transfers, whole)
  return KINDS.flatMap(([is, was, were, more]) => {
    const some = earlier.filter(one => is(one, transfers))
    if (some.length === 0) return []
    const verb = some.length === 1 ? was : were
    return `${some.length} of these ${transfers.length} transfers ${verb}: ${placesOf(words, some, named)}${readingsOf(transfers, some, named)}${more}`
  }).join('. ')
}

/** The row of the file that a transfer is, by its row in what is left to send, from 1. */
type NamedRow = (row: number) => number

function namedRows(transfers: readonly Transfer[], whole: readonly Transfer[] | undefined): NamedRow {
  if (whole === undefined || whole.length === transfers.length) return row => row
  const rows = new Map(whole.map((transfer, at) => [transfer, at + 1]))
  return row => {
    const transfer = transfers[row - 1]
    return (transfer && rows.get(transfer)) ?? row
  }
}

/** Rows of which both readings are shown. */
const MOST_READINGS = 3

/** " (row 1: from 2006 to 9999, EUR 5.00; sent: from 2006 to 2007, EUR 5.00)" */
function readingsOf(transfers: readonly Transfer[], some: readonly SentEarlier[], named: NamedRow): string {
  const both = some.flatMap(({row, instead}) => {
    const transfer = transfers[row - 1]
    return transfer === undefined || instead === undefined || instead === 'replaced'
      ? []
      : `row ${named(row)}: ${transferWords(transfer)}; sent: ${transferWords(instead)}`
  })
  const more = both.length - MOST_READINGS
  const shown = [...both.slice(0, MOST_READINGS), ...(more > 0 ? [`${more} more`] : [])]
  return both.length === 0 ? '' : ` (${shown.join('; ')})`
}

function placesOf({when}: Words, earlier: readonly SentEarlier[], named: NamedRow): string {
  const byRequest = Map.groupBy(earlier.slice(0, MOST_ROWS), ({request}) => request)
  const places = [...byRequest].map(([request, some]) => {
    const {id, replyId, state, begunAt} = request
    const unknown = state === 'done' ? '' : ', effect unknown'
    const name = id === undefined ? `batch ${replyId}` : nameOf({id, replyId})
    return `${rows(some, named)} in ${name}${begunAt === undefined ? '' : ` at ${when(begunAt)}`}${unknown}`
  })
  const more = earlier.length - MOST_ROWS
  return (more > 0 ? [...places, `${more} more`] : places).join('; ')
}

function rows(some: readonly SentEarlier[], named: NamedRow): string {
  const numbers = some.map(({row}) => String(named(row)))
  const last = numbers.pop() ?? ''
  return numbers.length === 0 ? `row ${last}` : `rows ${numbers.join(', ')} and ${last}`
}

/** How the command that was refused can send what is new, or all. */
export interface WaysOut {
  /** The command has `--only-new`. */
  readonly onlyNew?: boolean | undefined
  /** The batch whose failed transfers they are. */
  readonly retried?: string | undefined
  /** Of what is new, whether they were corrected and sent is in doubt. */
  readonly isDoubt?: boolean | undefined
  /** They are the rest of a set. */
  readonly isRest?: boolean | undefined
  /** They were written before, and can't be changed: in a plan, a proposal or a request of the journal. */
  readonly isKept?: boolean | undefined
  /** The whole set of which they are what is left: its rows are named. */
  readonly whole?: readonly Transfer[] | undefined
}

/** What was sent, and meanwhile also from elsewhere. */
export function sentTwice(
  context: Words,
  transfers: readonly Transfer[],
  found: readonly SentEarlier[],
  {own, whole}: {readonly own: readonly string[]; readonly whole?: readonly Transfer[] | undefined},
): Failure {
  const others = [...new Set(found.flatMap(({request}) => request.replyId ?? []))]
  const [first = ''] = others
  const mine = own.length === 1 ? `batch ${own[0]}` : `batches ${own.join(', ')}`
  return new Failure('SENT_TWICE', {
    message: `This command sent ${mine}, and meanwhile the same was sent from elsewhere: ${wordsOf(context, transfers, found, whole)}. So these transfers may have been made twice.`,
    hint: advice`Send nothing again before you have compared them: ${context.commandLine('a2a', 'get', {value: first}, '--all')}. What was made twice is taken back by a transfer in the other direction.`,
    effect: 'done',
    data: {batches: own, elsewhere: others, transfers: found.length},
  })
}

export function alreadySent(
  context: Words,
  transfers: readonly Transfer[],
  earlier: readonly SentEarlier[],
  ways: WaysOut,
): Failure {
  const bySending = Map.groupBy(earlier, ({request}) => request)
  const named = namedRows(transfers, ways.whole)
  return new Failure('ALREADY_SENT', {
    message: `${wordsOf(context, transfers, earlier, ways.whole)}.`,
    hint: hintOf(context, transfers.length, earlier, {...ways, named}),
    effect: 'none',
    data: {
      left: transfers.length - earlier.length,
      earlier: [...bySending].map(([{id, replyId, state}, some]) => {
        const {elsewhere} = some[0] ?? {}
        const numbers = some.map(({row}) => named(row))
        if (elsewhere === undefined) return {request: id, batch: replyId, state, rows: numbers}
        const {status, sameTexts} = elsewhere
        return {batch: replyId, status, elsewhere: true, transfers: some.length, rows: numbers, sameTexts}
      }),
    },
  })
}

function hintOf(
  {commandLine}: Words,
  count: number,
  earlier: readonly SentEarlier[],
  ways: WaysOut & {readonly named: NamedRow},
): Hint {
  if (ways.isDoubt)
    return `Nothing was sent. If that is the corrected payment, leave ${rows(earlier.slice(0, MOST_ROWS), ways.named)} out of the file; if not, send ${earlier.length === 1 ? 'it' : 'them'} as a file of its own with --again.`
  const open = earlier.find(({request}) => request.state !== 'done')?.request.id
  const other = earlier.find(({elsewhere}) => elsewhere !== undefined)?.request.replyId
  const all = ways.isKept
    ? advice`send the file again: ${commandLine('a2a', 'create', '--from', {value: 'FILE'}, '--again')}`
    : ways.isRest
      ? 'send them as a file of their own with --again'
      : 'add --again'
  const parts: readonly Hint[] = [
    ...(open === undefined
      ? []
      : [advice`Find out what became of it: ${commandLine('requests', 'resolve', {value: open})}.`]),
    ...(other === undefined ? [] : [advice`See: ${commandLine('a2a', 'get', {value: other}, '--all')}.`]),
    ...(earlier.length === count
      ? []
      : [advice`To send only the others, ${othersOf(commandLine, earlier, open !== undefined, ways)}.`]),
    advice`To send all of them, these a second time, ${all}.`,
  ]
  return joinAdvice(parts, ' ')
}

/** How to send only the others. */
function othersOf(
  commandLine: Words['commandLine'],
  earlier: readonly SentEarlier[],
  isOpen: boolean,
  {onlyNew = false, retried, isRest = false, isKept = false, named}: WaysOut & {readonly named: NamedRow},
): Hint {
  const out =
    earlier.length > MOST_ROWS ? 'these rows out (-o json lists all)' : `${rows(earlier, named)} out`
  if (retried !== undefined) {
    const file = `failed-${retried}.csv`
    const write = commandLine('a2a', 'get', {value: retried}, '--failed-to', {value: file})
    // What was perhaps corrected is new to --only-new.
    return isOpen || earlier.some(({isOther}) => isOther)
      ? advice`write all to a file, leave ${out} and send it: ${write}`
      : advice`write all to a file and send what is new of it: ${write}, then ${commandLine('a2a', 'create', '--from', {value: file}, '--only-new')}`
  }
  if (isOpen || !(onlyNew || isKept)) return `leave ${out} and run the command again`
  if (isKept)
    return advice`send the file again: ${commandLine('a2a', 'create', '--from', {value: 'FILE'}, '--only-new')}`
  return isRest ? 'pass --only-new in place of --rest' : 'add --only-new'
}
