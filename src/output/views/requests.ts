import {detail} from '../detail.ts'
import {memberAt} from '../members.ts'
import {joined, numberAt, textAt} from '../read-member.ts'
import {state, stateMark} from '../state.ts'
import {type Column, table} from '../table.ts'
import {blocks, type ListView, sentence, type View, type ViewContext} from '../view.ts'
import {dateTime, dayTime, duration} from '../when.ts'
import {genericView} from './generic.ts'

/** Requests of the journal. */
export const requestListView: ListView = (requests, context) =>
  table(requestColumns(context), requests, context, 'No requests.')

const requestColumns = (context: ViewContext): readonly Column<unknown>[] => [
  {title: 'Request', value: request => textAt(request, 'id'), fit: 'keep'},
  {title: 'When', value: request => momentOf(request, context)},
  {
    title: 'Operation',
    value: request => textAt(request, 'operation') || textAt(request, 'operationId'),
    fit: 'wrap',
  },
  {title: 'Resource', value: request => textAt(request, 'resource'), optional: true},
  {title: 'Outcome', value: request => state(outcomeOf(request)), fit: 'keep'},
  {title: 'HTTP', value: request => textAt(request, 'status'), align: 'right', fit: 'keep', optional: true},
  {title: 'Took', value: tookOf, align: 'right', fit: 'keep', optional: true},
]

/** One request of the journal. */
export const requestView: View = (request, context) =>
  detail(
    {
      title: `Request ${textAt(request, 'id')}`,
      status: stateMark(outcomeOf(request), context),
      rows: [
        ['Operation', textAt(request, 'operation') || textAt(request, 'operationId')],
        ['Sent', joined([textAt(request, 'method'), textAt(request, 'path') || textAt(request, 'url')])],
        ['Resource', textAt(request, 'resource')],
        ['Profile', textAt(request, 'profile')],
        ['Audit user', textAt(request, 'auditUser')],
        ['Key', textAt(request, 'idempotencyKey') || textAt(request, 'key')],
        ['When', momentOf(request, context)],
        ['HTTP status', textAt(request, 'status')],
        ['Answer', answerOf(request)],
        ['Reply id', textAt(request, 'replyId')],
        ['Took', tookOf(request)],
        ['Job', textAt(request, 'job')],
        ['Reference', textAt(request, 'reference')],
        ['Evidence', textAt(request, 'evidence')],
      ],
    },
    context,
  )

/** Instead of what a command says of a change: a stored answer shows what an earlier request did. */
export const replayedView: View = async (reply, context) =>
  blocks(sentence('Nothing was changed now. The stored answer:', context), await genericView(reply, context))

function answerOf(request: unknown): string {
  switch (memberAt(request, 'replayed')) {
    case true:
      return 'the stored answer to an earlier request with this key; nothing was changed'
    case 'unknown':
      return 'may be the stored answer to an earlier request with this key'
    default:
      return ''
  }
}

const outcomeOf = (request: unknown) => textAt(request, 'outcome') || textAt(request, 'state')

function momentOf(request: unknown, context: ViewContext): string {
  for (const name of ['begunAt', 'startedAt', 'begun', 'createdAt', 'at', 'time']) {
    const member = memberAt(request, name)
    if (typeof member === 'number') return dayTime(member, context)
    if (typeof member === 'string') return dateTime(member, context)
  }
  return ''
}

function tookOf(request: unknown): string {
  const millis = numberAt(request, 'durationMs')
  return millis === undefined ? '' : duration(millis)
}

/** What became of a request: "Had effect: batch 88121 carries this request's reference". */
export const resolvedView: View = (resolved, context) => {
  const verdict = textAt(resolved, 'verdict')
  const replyId = textAt(resolved, 'replyId')
  return sentence(
    [
      `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}: `,
      textAt(resolved, 'evidence'),
      replyId === '' ? '' : ` Its id is ${replyId}.`,
    ],
    context,
  )
}
