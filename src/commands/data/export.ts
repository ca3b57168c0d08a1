import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {confirm} from '../../cli/confirm.ts'
import {genericView} from '../../output/generic.ts'
import {readLock} from './shared/encrypted-file.ts'
import {exportData} from './shared/export-data.ts'

export default class DataExport extends BaseCommand {
  static override summary =
    'Write the journals, bulk jobs and audit trail of this machine to an encrypted file, as a backup or to move them.'
  static override description =
    'The file is encrypted with age: for the public keys of --recipient, or with a passphrase of at least 12 characters, asked for twice or read from stdin. age -d decrypts it to a tar archive. It is signed with a key of this machine, and signedBy of the output names it for data import --trust. A backup can be read on another machine, but sends nothing there. With --move, this machine sends nothing to these services any more, and the next data import of the file continues: unfinished requests and bulk jobs can be continued there only. To take it back, import the file here.'
  static override examples = [
    '<%= config.bin %> accounts patch 2001 --type credit --credit-limit 6000',
    {
      description: 'A backup for a public key of age',
      command:
        '<%= config.bin %> data export backup.age --recipient age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
    },
    {
      description: 'Move to another machine',
      command: '<%= config.bin %> data export move.age --move',
    },
  ]
  static override args = {file: requiredArg('New file to write')}
  static override secretInput = 'the passphrase, without --recipient'
  static override flags = {
    recipient: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'KEY',
      summary: 'Encrypt for this public key of age (age1…), instead of a passphrase. Repeatable.',
    }),
    move: Flags.boolean({summary: 'Send nothing from this machine any more.'}),
    'without-audit': Flags.boolean({summary: 'Leave out the audit trail.'}),
  }

  async run() {
    const {args, flags} = await this.parse(DataExport)
    const {move = false} = flags
    // The audit entry names it: a wrong profile is found before anything is moved.
    await this.context.service.chosen()
    if (move) {
      await confirm(this.context, {
        place: {at: `Journals of this machine (${this.context.folders.data})`},
        action: 'move the requests and bulk jobs of all services to another machine',
        consequence: 'This machine then sends nothing to these services until the file is imported here.',
      })
    }
    const exported = await exportData(this.context, {
      file: args.file,
      lock: () => readLock(this.context, flags.recipient ?? []),
      move,
      audit: !flags['without-audit'],
    })
    await this.context.printer.data(exported, genericView)
    return exported
  }
}
