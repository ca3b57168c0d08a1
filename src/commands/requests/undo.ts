import * as Flags from '@oclif/core/flags'
import {optionalIdArg} from '../../cli/arguments.ts'
import {confirm} from '../../cli/confirm.ts'
import {confirmFlags, proposeFlags} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {refuseOtherTenant} from '../../cli/other-tenant.ts'
import {RequestWords} from '../../cli/request-words.ts'
import {readlessWords} from '../../cli/show-change.ts'
import {requestIn} from './shared/shown-request.ts'
import {newestWrite, planUndo, refuseOtherPlan, type UndoPlan} from './shared/undo-request.ts'
import {undoneView, undoPlanView} from './shared/undo-views.ts'

/** It claims no operation: it sends the one of the request that it undoes. */
export default class RequestsUndo extends operationCommand() {
  static override summary =
    'Undo a change: send the values that cardctl last sent for the same fields before it.'
  static override description =
    'Works for changes of accounts, price lists and periods whose former values the journal has. Without an id, undoes your newest write on the profile that was not undone. Shows field by field what it will send, and asks. The service offers no read of these things, so check first whether somebody else has changed them. Sensitive values are never kept, so they cannot be undone.'
  static override examples = [
    '<%= config.bin %> accounts patch 2001 --type credit --credit-limit 6000',
    '<%= config.bin %> accounts patch 2001 --type credit --credit-limit 9000',
    '<%= config.bin %> requests undo --dry-run',
    '<%= config.bin %> requests undo',
    '<%= config.bin %> accounts patch 2001 --type credit --credit-limit 7000 --name Holidays',
    {
      description: 'Only a part of what was changed',
      command: '<%= config.bin %> requests undo last --only creditLimit',
    },
  ]
  static override args = {
    id: optionalIdArg('the request', {last: 'the newest', more: ' (default: your newest write)'}),
  }
  static override flags = {
    only: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'FIELD',
      summary: 'Undo only this field. Repeatable.',
    }),
    ...proposeFlags,
    ...confirmFlags,
  }

  async run() {
    const {args, flags} = await this.parse(RequestsUndo)
    const client = await this.client()
    using journal = await this.context.stores.journal()
    const record =
      args.id === undefined ? await newestWrite(this.context, journal) : requestIn(journal, args.id, 'undo')
    // Without the id, the same line would undo the write before.
    if (args.id === undefined) this.answered(record.id)
    await refuseOtherTenant(
      journal,
      `Request ${record.id}`,
      journal.requests.tenantMark(record.id),
      client.target,
    )
    const words = await RequestWords.open(journal)
    const plan = planUndo(this.context, {journal, words}, record, flags.only)
    const call = {operation: plan.operation, input: plan.input}
    if (await this.isPreviewOf([call], flags)) return undefined
    this.tell(plan)
    await this.context.printer.noteView(this.shown(plan), undoPlanView)
    // On a live profile, the request itself asks for the id of the resource.
    if (client.target.kind !== 'live') {
      await confirm(this.context, {
        place: client.target,
        action: plan.did,
        consequence: 'The former values are sent again.',
      })
    }
    const guard = refuseOtherPlan(this.context, words, plan, flags.only ?? [])
    const {response, requestId} = await this.requestOf(call, flags, {
      trace: {undoOf: record.id, guard},
      // Asked above.
      careful: false,
    })
    const undone = {...this.shown(plan), request: requestId, response: response.body}
    await this.context.printer.data(undone, undoneView)
    return undone
  }

  /** What a person must know before sending an old value again. */
  private tell({record, operation, fields}: UndoPlan): void {
    const {printer, when} = this.context
    for (const {field, changedBy} of fields) {
      if (changedBy !== undefined)
        printer.warn(`Request ${changedBy} has changed ${field} since. Undoing ${record.id} overrides that.`)
    }
    printer.note(
      `Others may have changed ${fields.length === 1 ? 'it' : 'them'} since ${when(record.begunAt)}: the service offers no read of ${readlessWords(operation)}.`,
    )
  }

  private shown({record, operation, owner, fields, did}: UndoPlan) {
    return {undone: record.id, did, operation: operation.id, resource: owner, fields}
  }
}
