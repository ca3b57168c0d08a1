import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {genericView} from '../../output/generic.ts'
import {replaceTrail} from './shared/replace-trail.ts'

export default class AuditBegin extends BaseCommand {
  static override summary = 'Begin a new audit trail with a new key, and move the old one to a file.'
  static override description =
    'For a trail that is broken, or a key that is lost or known to others. Writes the old entries to the file as they are (mode 0600). The first entry of the new trail says who began it, and the old key signs it if the old trail is intact. From then on, audit verify does not expect entries for earlier requests, and says when the trail was begun.'
  static override examples = [
    '<%= config.bin %> accounts patch 2001 --type credit -F creditLimit=6000',
    '<%= config.bin %> audit begin --export old-trail.ndjson --yes',
  ]
  static override flags = {
    export: Flags.string({required: true, helpValue: 'FILE', summary: 'New file for the old entries.'}),
  }

  async run() {
    const {flags} = await this.parse(AuditBegin)
    const begun = await replaceTrail(this.context, flags.export)
    await this.context.printer.data(begun, genericView)
    return begun
  }
}
