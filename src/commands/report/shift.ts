import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {parseMoment, periodFlags, periodOf} from '../../cli/moment.ts'
import {readFingerprint} from '../data/shared/known-machines.ts'
import {pageFlags, printReport, provePage} from './shared/print-report.ts'
import {shiftPage} from './shared/report-page.ts'
import {shiftReport} from './shared/shift-report.ts'
import {shiftRows} from './shared/shift-rows.ts'
import {shiftReportView} from './shared/shift-view.ts'
import {writeSignedReport} from './shared/signed-report.ts'

export default class ReportShift extends BaseCommand {
  static override summary =
    'Report what was done with a service: writes, disclosures, reveals, failures and open ends.'
  static override description =
    'Reads the journal of the service of the profile, and the reveals of the audit trail, on this machine. What became of transfers is read from the service, for the first 100 batches. As CSV it has a row for each entry. It holds no secrets. For one report of several machines, write a file on each with --signed, and pass the files to --with: a request that several machines report is in it once, and each line names its machine. A file that was changed by one byte is refused. A signature proves which key signed: what a key signed that is not known here is listed apart and counted nowhere. See data keys.'
  static override examples = [
    '<%= config.bin %> report shift',
    '<%= config.bin %> report shift --since "yesterday 22:00" --until 06:00',
    '<%= config.bin %> report shift --since today --html shift.html',
    '<%= config.bin %> report shift --ticket SUP-12 --since 7d -o csv',
    {
      description: 'One report of two machines: on the first one, then on the other',
      command: '<%= config.bin %> report shift --signed desk-2.report',
    },
    '<%= config.bin %> report shift --with desk-2.report',
  ]
  static override flags = {
    ...periodFlags,
    by: Flags.string({helpValue: 'NAME', summary: 'Only what this audit user did.'}),
    ticket: Flags.string({helpValue: 'ID', summary: 'Only what was done for this ticket.'}),
    signed: Flags.string({
      helpValue: 'FILE',
      summary: 'Also write the report to a new file, signed by this machine, for --with on another one.',
      exclusive: ['with'],
    }),
    with: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'FILE',
      summary: 'Add the signed report of another machine. Repeatable.',
    }),
    trust: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'KEY',
      summary: 'Trust the machine with this key for this report. To keep it, see data keys. Repeatable.',
      dependsOn: ['with'],
    }),
    rows: Flags.boolean({
      summary: 'Show each row of a bulk job. Otherwise a job is one line; JSON and CSV always have each row.',
    }),
    local: Flags.boolean({summary: 'Read only the records of this machine. Send no request.'}),
    ...pageFlags,
  }

  async run() {
    const {flags} = await this.parse(ReportShift)
    const {context} = this
    await provePage(flags.html)
    await provePage(flags.signed)
    const since = flags.since ?? parseMoment('8h', '--since')
    const period = periodOf(context, {...flags, since})
    const trust = (flags.trust ?? []).map(readFingerprint)
    const filter = {...period, auditUser: flags.by, ticket: flags.ticket}
    const {report, own} = await shiftReport(context, filter, {local: flags.local, files: flags.with, trust})
    await printReport(context, report, flags.html, {
      view: (shown, view) => shiftReportView({...shown, showsRows: flags.rows}, view),
      rows: shiftRows(report),
      page: async clock => shiftPage({...report, showsRows: flags.rows}, clock),
    })
    if (flags.signed !== undefined) await writeSignedReport(context, flags.signed, own)
    return report
  }
}
