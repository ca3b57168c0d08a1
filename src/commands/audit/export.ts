import {hostname} from 'node:os'
import * as Flags from '@oclif/core/flags'
import type {Audit, AuditRecord} from '../../audit/index.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {integerFlag} from '../../cli/flags.ts'
import {periodFlags, periodOf} from '../../cli/moment.ts'
import {Failure} from '../../errors/failure.ts'
import {genericListView} from '../../output/views/generic.ts'
import {checkTrail} from './shared/check-trail.ts'
import {syslogLine} from './shared/syslog-line.ts'

export default class AuditExport extends BaseCommand {
  static override summary = 'Print the whole audit trail, oldest first, and check its chain and seal.'
  static override description =
    'CSV, NDJSON and syslog are streamed, so the trail can have any length. A trail with a broken chain is printed too, and the command ends with exit 3. Exit 0 means that the trail was intact when it was exported. The export has no hashes: match it to an anchor by number and time (seq and at), and keep it where nobody who can write the trail can change it. For another system, pass --after with the number of the last entry that arrived there: after a crash nothing is missing.'
  static override examples = [
    '<%= config.bin %> audit export -o csv > trail.csv',
    '<%= config.bin %> audit export --since 30d -o ndjson',
    {
      description: 'What is new since entry 0, for a collector of logs',
      command: '<%= config.bin %> audit export --after 0 --syslog',
    },
  ]
  static override flags = {
    ...periodFlags,
    after: integerFlag({min: 0, helpValue: 'NUMBER', summary: 'Only entries with a higher number (seq).'}),
    syslog: Flags.boolean({
      summary: 'Print a line of RFC 5424 for each entry, with the entry as JSON.',
      exclusive: ['output', 'json', 'query', 'columns'],
    }),
  }

  async run() {
    const {flags} = await this.parse(AuditExport)
    const {printer} = this.context
    using audit = await this.context.audit('check')
    const {after} = flags
    if (after !== undefined) refuseLater(audit, after)
    const period = periodOf(this.context, flags)
    const entries = entriesAfter(audit.iterate(period), after, seq => {
      // With a period, entries are left out anyway.
      if (period.since === undefined && period.until === undefined)
        printer.warn(
          `Entries ${(after ?? 0) + 1} to ${seq - 1} are not in the trail: they were pruned or removed.`,
        )
    })
    if (flags.syslog) {
      const host = hostname()
      for (const entry of entries) {
        await printer.chunk(`${syslogLine(entry, host)}\n`)
        if (printer.closed) return undefined
      }
      await checkTrail(this.context, audit)
      return undefined
    }
    const printed = await printer.list(entries, genericListView)
    await checkTrail(this.context, audit)
    return printed
  }
}

/** A trail that ends before the number is another one, and its entries would be left out unseen. */
function refuseLater(audit: Audit, after: number): void {
  const [last] = audit.newest({limit: 1})
  if ((last?.seq ?? 0) >= after) return
  throw new Failure('INPUT_INVALID', {
    message: `The audit trail ends at entry ${last?.seq ?? 0}, before ${after}: it isn't the trail that you exported.`,
    hint: 'Check it with audit verify --anchor. To export it from its beginning, pass --after 0.',
    effect: 'none',
  })
}

/** @param onMissing is told the first number, if those between `after` and it are missing. */
function* entriesAfter(
  entries: Iterable<AuditRecord>,
  after: number | undefined,
  onMissing: (seq: number) => void,
): Generator<AuditRecord, void, undefined> {
  let isFirst = after !== undefined
  for (const entry of entries) {
    if (after !== undefined && entry.seq <= after) continue
    if (isFirst && entry.seq > (after ?? 0) + 1) onMissing(entry.seq)
    isFirst = false
    yield entry
  }
}
