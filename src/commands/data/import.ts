import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {confirm} from '../../cli/confirm.ts'
import {genericView} from '../../output/generic.ts'
import {readUnlock} from './shared/encrypted-file.ts'
import {importData} from './shared/import-data.ts'
import {refuseAgentTrust} from './shared/machine-key.ts'

export default class DataImport extends BaseCommand {
  static override summary = 'Import the journals, bulk jobs and audit trail that data export wrote.'
  static override description =
    'Checks the whole file and its signature first, then imports all of it. For a machine that is not known here it asks whether to trust its key; without a terminal pass --trust. What was erased here with data erase does not come back. If the process is killed meanwhile, run the same command again. Nothing here is overwritten: a journal that is in use gets the finished requests that it lacks, one that was moved away is continued, and an audit trail is continued if the file has all of its entries. Import a moved file on one machine only: cardctl can not know of another one.'
  static override examples = [
    {description: 'With a passphrase', command: '<%= config.bin %> data import move.age'},
    {
      description: 'With the key that age-keygen wrote',
      command: '<%= config.bin %> data import backup.age --identity key.txt',
    },
  ]
  static override args = {file: requiredArg('File that data export wrote')}
  static override secretInput = 'the passphrase, without --identity'
  static override flags = {
    identity: Flags.string({
      helpValue: 'FILE',
      summary: 'File with a private key of age, instead of a passphrase.',
    }),
    'take-over': Flags.boolean({
      summary: 'Also send from a backup: the machine that it came from sends nothing any more.',
    }),
    trust: Flags.string({
      helpValue: 'KEY',
      summary:
        'Trust the machine with this key, which data keys shows there, and data export printed as signedBy.',
    }),
    'without-audit': Flags.boolean({summary: 'Leave out the audit trail.'}),
  }

  async run() {
    const {args, flags} = await this.parse(DataImport)
    const takeOver = flags['take-over'] ?? false
    // The audit entry names it: a wrong profile is found before anything is placed.
    await this.context.service.chosen()
    if (flags.trust !== undefined) refuseAgentTrust(this.context, 'trusts no machine')
    if (takeOver) {
      refuseAgentTrust(this.context, 'takes no journal over')
      await confirm(this.context, {
        place: {at: `Journals of this machine (${this.context.folders.data})`},
        action: 'send from this machine what the backup has',
        consequence: 'If the machine that it came from still sends, requests may have a second effect.',
      })
    }
    const imported = await importData(this.context, {
      file: args.file,
      unlock: await readUnlock(this.context, flags.identity),
      takeOver,
      audit: !flags['without-audit'],
      trust: flags.trust,
    })
    await this.context.printer.data(imported, genericView)
    return imported
  }
}
