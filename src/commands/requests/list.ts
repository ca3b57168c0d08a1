import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../cli/arguments.ts'
import {lengthFlag} from '../../cli/list-length.ts'
import {LocalListCommand} from '../../cli/local-list.ts'
import {periodFlags, periodOf} from '../../cli/moment.ts'
import {nameNext} from '../../cli/next-step.ts'
import {recordFilterFlags} from '../../cli/record-filters.ts'
import {RequestWords} from '../../cli/request-words.ts'
import {requestListView} from '../../output/requests.ts'
import {isOpen, nameResolve, openRequests, runningTrace, shownInList} from './shared/shown-request.ts'
import {traceOf} from './shared/trace-filter.ts'

const STATES = ['done', 'refused', 'none', 'unknown', 'failed', 'running', 'unfinished'] as const

export default class RequestsList extends LocalListCommand {
  static override summary = 'List requests and their outcomes, newest first.'
  static override examples = [
    '<%= config.bin %> requests list',
    '<%= config.bin %> requests list --open',
    '<%= config.bin %> requests list --since 24h --operation a2a.create.v1 -o ndjson',
  ]
  static override flags = {
    state: Flags.option({
      options: STATES,
      summary: 'Only requests with this outcome, or that are running or unfinished.',
    })(),
    open: Flags.boolean({
      exclusive: ['state'],
      summary: 'Only requests whose effect is unknown, or that are unfinished: what requests resolve is for.',
    }),
    ...recordFilterFlags,
    job: idFlag({of: 'a bulk job', summary: 'Only requests of this bulk job or set of transfers.'}),
    trace: idFlag({summary: 'Only requests sent under this trace: the 32 hex digits of TRACEPARENT.'}),
    ...periodFlags,
    ...lengthFlag,
  }

  async run() {
    const {flags} = await this.parse(RequestsList)
    using journal = await this.context.stores.journal()
    const {state, operation: operations, resource, job, ticket} = flags
    const trace = traceOf(flags.trace)
    const filter = {state, operations, resource, job, ticket, trace, ...periodOf(this.context, flags)}
    const words = await RequestWords.open(journal)
    let open: string | undefined
    let running: string | undefined
    function* read() {
      const found = flags.open ? openRequests(journal, filter) : journal.requests.iterate(filter)
      for (const record of found) {
        if (isOpen(record)) open ??= record.id
        running ??= runningTrace(record)
        yield shownInList(journal, words, record)
      }
    }
    const printed = await this.list('requests', read, requestListView, flags)
    if (open !== undefined) nameResolve(this.context, open)
    else if (running !== undefined)
      nameNext(this.context, 'shows how it ends', 'remotecheckout', 'status', {value: running})
    return printed
  }
}
