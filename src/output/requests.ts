import {resourceWords} from '../contract/resource.ts'
import {duration} from '../errors/duration.ts'
import {reasonsOf} from './both-reasons.ts'
import {FORMER_VALUES, namesFormerValue, sentRows} from './changes.ts'
import {detail, labelledText} from './detail.ts'
import {fieldAt, joined, listAt, numberAt, textAt} from './fields.ts'
import {genericView} from './generic.ts'
import {ACCEPTED, outcome, outcomeMark} from './outcome.ts'
import {dim} from './styled.ts'
import {type Column, table} from './table.ts'
import {arrows, blocks, type ListView, section, sentence, stack, type View, type ViewContext} from './view.ts'
import {dayTime, timeColumn} from './when.ts'

const MOST = 4

/** "card 3004, plastic 7004"; of many, the first ones and the number of the others. */
export function resourceList(resources: readonly unknown[]): string {
  const words = resources.filter(one => typeof one === 'string').map(resourceWords)
  if (words.length <= MOST) return words.join(', ')
  return `${words.slice(0, MOST - 1).join(', ')} and ${words.length - MOST + 1} more`
}

/** Requests of the journal. */
export const requestListView: ListView = async (requests, context) =>
  stack(
    await table(
      'request',
      requestColumns(timeColumn('When', context), context),
      requests,
      context,
      'No requests.',
    ),
    requests.some(namesFormerValue) ? sentence(dim(` ${FORMER_VALUES}`), context) : undefined,
  )

const requestColumns = (
  when: ReturnType<typeof timeColumn>,
  context: ViewContext,
): readonly Column<unknown>[] => [
  {title: 'Request', value: 'id', fit: 'keep'},
  {
    title: when.title,
    value: request => momentOf(request, 'begunAt', when.text),
    fit: 'wrap',
    least: when.least,
  },
  {title: 'What', value: request => arrows(whatOf(request), context), fit: 'wrap', least: 24},
  {title: 'Operation', value: 'operation', fit: 'wrap', least: 24, spare: 3},
  {title: 'Ticket', value: 'ticket', optional: true},
  {title: 'Note', value: 'note', fit: 'wrap', least: 10, optional: true, spare: 4},
  {title: 'Outcome', value: outcome, fit: 'keep'},
  {title: 'HTTP', value: 'status', align: 'right', fit: 'keep', spare: 2},
  {title: 'Took', value: tookOf, align: 'right', fit: 'keep', spare: 1},
]

/** What was done, and to what else: "send transfers: account 2006, account 2007, batch 88001". */
function whatOf(request: unknown): string {
  const did = textAt(request, 'did') || textAt(request, 'operation')
  const ids = new Set(did.split(/[^\w-]+/))
  const others = listAt(request, 'resources').filter(one => !ids.has(String(one).replace(/^\w+:/, '')))
  return joined([did, resourceList(others)], ': ')
}

/** One request of the journal, with the fields that it sent. */
export const requestView: View = async (request, context) => {
  const operation = textAt(request, 'operation')
  const at = (name: string) => momentOf(request, name, millis => dayTime(millis, context))
  const sent = fieldAt(request, 'sent')
  const rows = sent === undefined ? [] : await sentRows(operation, sent, fieldAt(request, 'before'))
  return blocks(
    detail(
      {
        title: `Request ${textAt(request, 'id')}`,
        status: outcomeMark(request, context),
        rows: [
          ['What', arrows(textAt(request, 'did'), context)],
          ['Operation', operation],
          ['HTTP', joined([textAt(request, 'method'), textAt(request, 'path')])],
          ['On', resourceList(listAt(request, 'resources'))],
          ['Profile', textAt(request, 'profile')],
          ['Dialect', textAt(request, 'dialect')],
          ['Audit user', textAt(request, 'auditUser')],
          ['Responsible', textAt(request, 'responsible')],
          ['Run by', textAt(request, 'caller')],
          ['Trace', textAt(request, 'trace')],
          ['Ticket', textAt(request, 'ticket')],
          ['Note', reasonsOf(request)],
          ['Proposed by', textAt(request, 'proposedBy')],
          ['Proposal', textAt(request, 'proposal')],
          ['Key', textAt(request, 'key')],
          ['When', at('begunAt')],
          ['HTTP status', textAt(request, 'status')],
          ['Response', joined([answerOf(request), textAt(request, 'said')])],
          ['Differs', joined(listAt(request, 'differences').map(String), '; ')],
          ['Response id', textAt(request, 'replyId')],
          ['Took', tookOf(request)],
          ['Job', textAt(request, 'job')],
          ['Reference', textAt(request, 'reference')],
          ['Repeats', textAt(request, 'retryOf')],
          ['Undoes', textAt(request, 'undoOf')],
          ['Undone by', textAt(request, 'undoneBy')],
          ['Resolved', at('resolvedAt')],
          ['Evidence', textAt(request, 'evidence')],
        ],
      },
      context,
    ),
    rows.length === 0 ? undefined : section('What was sent', labelledText(rows, context), context),
  )
}

/** Shown in place of a confirmation: a stored response describes what an earlier request did. */
export const replayedView: View = async (response, context) =>
  blocks(
    sentence('Nothing was changed now. The stored response:', context),
    await genericView(response, context),
  )

function answerOf(request: unknown): string {
  switch (fieldAt(request, 'replayed')) {
    case true:
      return 'the stored response to an earlier request with this key; nothing was changed'
    case 'unknown':
      return 'may be the stored response to an earlier request with this key'
    default:
      return ''
  }
}

function momentOf(request: unknown, name: string, text: (millis: number) => string): string {
  const at = Date.parse(textAt(request, name))
  return Number.isNaN(at) ? '' : text(at)
}

function tookOf(request: unknown): string {
  const millis = numberAt(request, 'durationMs')
  return millis === undefined ? '' : duration(millis)
}

/** What a request asked for, and when that took effect if it did: ms since 1970. */
interface ResolvedRequest {
  readonly did: string
  readonly at?: number | undefined
  /** It was sent again, with the same key. */
  readonly isRepeated: boolean
  /** How the batch that it made ended, in a word or two, unless each of its transfers was booked. */
  readonly batch?: string | undefined
  /** What was not sent of the set that it belongs to, in words. */
  readonly left?: string | undefined
}

/** The outcome of a request: "Yes, done: block debit account 2006 (today 14:54 UTC). Nothing was done twice." */
export const resolvedView =
  ({did, at, isRepeated, batch, left}: ResolvedRequest): View =>
  (resolved, context) => {
    const evidence = textAt(resolved, 'evidence')
    const replyId = textAt(resolved, 'replyId')
    const id = replyId === '' || evidence.split(/[^\w-]/).includes(replyId) ? '' : ` Its id is ${replyId}.`
    const when = at === undefined ? '' : ` (${dayTime(at, context)})`
    const what = arrows(did, context)
    const yes =
      batch === undefined
        ? `Yes, done: ${what}${when}.`
        : `Yes, the service accepted it: ${what}${when}. Of its transfers, ${batch === ACCEPTED ? 'the end is not known here' : batch}.`
    const lines: Readonly<Record<string, string>> = {
      'had effect': `${yes}${isRepeated ? ' Nothing was done twice.' : ''}`,
      'had no effect': `No, it had no effect: ${what}.`,
    }
    const line = lines[textAt(resolved, 'verdict')] ?? `Cannot tell yet whether it was done: ${what}.`
    const rest =
      left === undefined
        ? ''
        : ` ${left[0]?.toUpperCase()}${left.slice(1)}: a2a create with the same file, the same --batch-size and --rest sends what is left.`
    return stack(sentence(`${line}${rest}`, context), sentence(dim(`${evidence}${id}`), context))
  }
