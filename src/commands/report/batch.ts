import {BaseCommand} from '../../cli/base-command.ts'
import {openClient} from '../../cli/client/client.ts'
import {nameNext} from '../../cli/next-step.ts'
import {areSentAgain} from '../../output/outcome.ts'
import {batchArg, batchIn} from '../a2a/shared/last-batch.ts'
import {nameNextOfBatch} from '../a2a/shared/next-step.ts'
import {isOpen, nameResolve} from '../requests/shared/shown-request.ts'
import {batchReport} from './shared/batch-report.ts'
import {batchReportView, failedTransfersOf} from './shared/batch-view.ts'
import {pageFlags, printReport, provePage} from './shared/print-report.ts'
import {batchPage} from './shared/report-page.ts'

export default class ReportBatch extends BaseCommand {
  static override summary =
    'Report a batch of transfers: who sent it when, sums, and each transfer with text and state.'
  static override description =
    'Reads all transfers of the batch, and the request that made it from the journal of this machine, which also knows the texts. As CSV it has a row for each transfer.'
  static override examples = [
    '<%= config.bin %> a2a create --transfer 2006:2007:12.50:EUR:Rent',
    '<%= config.bin %> report batch 88001',
    '<%= config.bin %> report batch 88001 --html batch.html',
    '<%= config.bin %> report batch 88001 -o csv',
  ]
  static override args = {id: batchArg}
  static override flags = {...pageFlags}

  async run() {
    const {args, flags} = await this.parse(ReportBatch)
    const {context} = this
    await provePage(flags.html)
    const client = await openClient(context, await context.service.target())
    try {
      const id = await batchIn(context, args.id)
      const report = await batchReport(context, client, id)
      await printReport(context, report, flags.html, {
        view: batchReportView,
        rows: report.transfers,
        page: async clock => batchPage(report, clock),
      })
      const {status, sentAgain} = report
      // What became of failed transfers that were sent again, their batch says.
      const open = sentAgain.find(({batch, ended}) => batch !== undefined && ended !== 'done')
      if (report.sent !== undefined && isOpen(report.sent)) nameResolve(context, report.sent.request)
      else if (!areSentAgain(report, failedTransfersOf(report).length) || sentAgain.length === 0)
        nameNextOfBatch(context, {id, status})
      else if (open?.batch !== undefined)
        nameNext(context, 'shows what became of it', 'report', 'batch', {value: open.batch})
      return report
    } finally {
      await client.close()
    }
  }
}
