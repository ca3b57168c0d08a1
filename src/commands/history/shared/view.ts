import {reasonsOf} from '../../../output/both-reasons.ts'
import {sentRows} from '../../../output/changes.ts'
import {type DetailRow, labelledText} from '../../../output/detail.ts'
import {oneOfEach} from '../../../output/exchanges.ts'
import {fieldAt, joined, listAt, textAt} from '../../../output/fields.ts'
import {requestState} from '../../../output/outcome.ts'
import {resourceList} from '../../../output/requests.ts'
import {strong} from '../../../output/styled.ts'
import {entryTitle} from '../../../output/table.ts'
import {arrows, blocks, type ListView, sentence, stack, type View} from '../../../output/view.ts'
import {localTime} from '../../../output/when.ts'
import {MASK} from '../../../sensitive/secret.ts'
import {againWords} from '../../a2a/shared/sent-again.ts'

/** What was done to a resource, newest first, one block for each entry. */
export const historyView: ListView = async (entries, context) => {
  if (entries.length === 0) return sentence('This machine has no record of a change or disclosure.', context)
  const parts: string[] = []
  for (const [at, entry] of entries.entries()) {
    const number = context.accessible === true ? entryTitle('entry', at, entries.length, context) : undefined
    parts.push(stack(number, await entryView(entry, context)))
  }
  return blocks(...parts)
}

/** The same with one block for each PIN exchange. */
export const shortHistoryView: ListView = (entries, context) => historyView(oneOfEach(entries), context)

const entryView: View = async (entry, context) => {
  const at = Date.parse(textAt(entry, 'at'))
  const when = Number.isNaN(at) ? '' : localTime(at, context)
  const head = [strong(when), `  ${arrows(textAt(entry, 'did'), context)}  `, requestState(entry)]
  const sent = fieldAt(entry, 'sent')
  // A disclosure changes nothing.
  const changes = ['write', 'destroy'].includes(textAt(entry, 'kind'))
  const all =
    sent === undefined || !changes
      ? []
      : await sentRows(textAt(entry, 'operation'), sent, fieldAt(entry, 'before'))
  const fields = all.filter(([, value]) => value !== MASK)
  const rows: DetailRow[] = [
    ...fields,
    ['Sent', listAt(entry, 'fields').map(String).join(', ')],
    ['On', resourceList(listAt(entry, 'resources'))],
    ['By', joined([whoOf(entry), textAt(entry, 'profile') && `on ${textAt(entry, 'profile')}`], ' ')],
    ['Proposed by', textAt(entry, 'proposedBy')],
    ['Sent again', againWords(entry)],
    ['Response', textAt(entry, 'said')],
    ['Evidence', textAt(entry, 'evidence')],
    ['Ticket', textAt(entry, 'ticket')],
    ['Note', reasonsOf(entry)],
    ['Request', textAt(entry, 'request')],
    ['Steps', stepsOf(fieldAt(entry, 'steps'))],
    ['Undoes', textAt(entry, 'undoOf')],
    ['Undone by', textAt(entry, 'undoneBy')],
    ['Repeats', textAt(entry, 'retryOf')],
    ['Job', textAt(entry, 'job')],
  ]
  return stack(sentence(head, context), labelledText(rows, context))
}

/** The audit user, the local user if it is someone else, and an agent. */
function whoOf(entry: unknown): string {
  const [named, local] = [textAt(entry, 'auditUser'), textAt(entry, 'osUser')]
  const caller = textAt(entry, 'caller')
  const by = [named === local ? '' : local, caller.startsWith('agent') ? caller : '']
  return [named, ...by.flatMap(text => (text === '' ? [] : `(${text})`))].join(' ')
}

const stepsOf = (steps: unknown): string =>
  typeof steps === 'number' ? `${steps} requests; --steps shows each` : ''
