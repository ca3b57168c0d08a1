import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {parseMoment, periodFlags, periodOf} from '../../cli/moment.ts'
import {pageFlags, printReport, provePage} from './shared/print-report.ts'
import {shiftPage} from './shared/report-page.ts'
import {shiftReport} from './shared/shift-report.ts'
import {shiftReportView} from './shared/views.ts'

export default class ReportShift extends BaseCommand {
  static override summary =
    'Report what was done with a service: writes, disclosures, reveals, failures and open ends.'
  static override description =
    'Reads the journal of the service of the profile, and the reveals of the audit trail, on this machine. What became of transfers is read from the service, for the first 100 batches. As CSV it has a row for each entry. It holds no secrets.'
  static override examples = [
    '<%= config.bin %> report shift',
    '<%= config.bin %> report shift --since "yesterday 22:00" --until 06:00',
    '<%= config.bin %> report shift --since today --html shift.html',
    '<%= config.bin %> report shift --ticket SUP-12 --since 7d -o csv',
  ]
  static override flags = {
    ...periodFlags,
    by: Flags.string({helpValue: 'NAME', summary: 'Only what this audit user did.'}),
    ticket: Flags.string({helpValue: 'ID', summary: 'Only what was done for this ticket.'}),
    local: Flags.boolean({summary: 'Read only the records of this machine. Send no request.'}),
    ...pageFlags,
  }

  async run() {
    const {flags} = await this.parse(ReportShift)
    const {context} = this
    await provePage(flags.html)
    const since = flags.since ?? parseMoment('8h', '--since')
    const period = periodOf(context, {...flags, since})
    const report = await shiftReport(context, {...period, auditUser: flags.by, ticket: flags.ticket}, flags)
    await printReport(context, report, flags.html, {
      view: shiftReportView,
      // The words have the values; a column for each field would say nothing in the other rows.
      rows: report.entries.map(({sent: _, before: __, ...row}) => row),
      page: async clock => shiftPage(report, clock),
    })
    return report
  }
}
