import {resolve} from 'node:path'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {confirm} from '../../cli/confirm.ts'
import {durationFlag} from '../../cli/flags.ts'
import {genericView} from '../../output/views/generic.ts'

export default class AuditPrune extends BaseCommand {
  static override summary = 'Write old lines of the audit trail to a file and remove them.'
  static override description =
    'The file gets the lines byte for byte, for you alone (0600), before anything is removed. In their place stays a sealed mark with the number, time and hash of the last one, so that the rest can still be verified. The result counts entries as removed; the mark of an earlier prune goes to the file as well and is not counted, so the file may have a line more. Lines of the last 400 days stay unless --older-than says otherwise. The trail is never pruned by itself.'
  static override examples = [
    '<%= config.bin %> audit prune --export audit-2026.ndjson',
    '<%= config.bin %> audit prune --older-than 90d --export old.ndjson --yes',
  ]
  static override flags = {
    'older-than': durationFlag({summary: 'Lines older than this (default 400d).'}),
    export: Flags.string({
      required: true,
      helpValue: 'FILE',
      summary: 'A new file for the lines that are removed.',
    }),
  }

  async run() {
    const {flags} = await this.parse(AuditPrune)
    using audit = await this.context.audit()
    const age = flags['older-than'] ?? (await this.context.auditRetentionMs())
    const {now, osUser} = this.context.surroundings
    const before = now() - age
    await confirm(this.context, {
      place: {at: `Audit trail of this machine (${this.context.folders.data})`},
      action: `remove all lines before ${this.context.when(before)}, of every profile`,
      consequence: "This can't be undone; a sealed mark stays in their place.",
    })
    const {auditUser} = await this.context.chosen()
    const pruned = audit.prune({before, exportTo: resolve(flags.export), osUser, auditUser})
    await this.context.printer.data(pruned, genericView)
    return pruned
  }
}
