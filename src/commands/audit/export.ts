import {hostname} from 'node:os'
import {resolve} from 'node:path'
import * as Flags from '@oclif/core/flags'
import type {Audit, AuditRecord} from '../../audit/index.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {integerFlag, type SomeFlagValues} from '../../cli/flags.ts'
import {periodFlags, periodOf} from '../../cli/moment.ts'
import {Failure} from '../../errors/failure.ts'
import {exitOf} from '../../errors/registry.ts'
import {genericListView, genericView} from '../../output/generic.ts'
import {checkTrail} from './shared/check-trail.ts'
import {entriesAfter, followTrail} from './shared/follow-trail.ts'
import {readPosition, writePosition} from './shared/position-file.ts'
import {syslogLine} from './shared/syslog-line.ts'

const exportFlags = {
  ...periodFlags,
  after: integerFlag({min: 0, helpValue: 'NUMBER', summary: 'Only entries with a higher number (seq).'}),
  position: Flags.string({
    helpValue: 'FILE',
    summary:
      'Continue after the last entry that an export with this file wrote, and keep the new position there. Needs --syslog or -o ndjson.',
    exclusive: ['since', 'until', 'query'],
  }),
  follow: Flags.boolean({
    summary: 'Print new entries as they are written, until Ctrl-C. Needs --syslog or -o ndjson.',
    exclusive: ['since', 'until', 'query'],
  }),
  syslog: Flags.boolean({
    summary: 'Print a line of RFC 5424 for each entry, with the entry as JSON.',
    exclusive: ['output', 'json', 'query', 'columns'],
  }),
}

export default class AuditExport extends BaseCommand {
  static override summary = 'Print the whole audit trail, oldest first, and check its chain and seal.'
  static override description =
    `CSV, NDJSON and syslog are streamed, so the trail can have any length. A trail with a broken chain is printed too, and the command ends with exit ${exitOf('STORE_DAMAGED')}. Exit 0 means that the trail was intact when it was exported. The export has no hashes: match it to an anchor by number and time (seq and at), and keep it where nobody who can write the trail can change it. For another system, pass --position with a file that keeps the last entry written, or --after with the number of the last entry that arrived: after a crash nothing is missing, and entries may come twice. With --position, --after counts only while the file does not exist.`
  static override examples = [
    '<%= config.bin %> audit export -o csv > trail.csv',
    '<%= config.bin %> audit export --since 30d -o ndjson',
    {
      description: 'What is new since entry 0, for a collector of logs',
      command: '<%= config.bin %> audit export --after 0 --syslog',
    },
    {
      description: 'What is new since the last run',
      command: '<%= config.bin %> audit export --syslog --position exported.json',
    },
  ]
  static override flags = exportFlags

  async run() {
    const {flags} = await this.parse(AuditExport)
    const {printer} = this.context
    const {after, syslog} = flags
    const isContinued = flags.follow || flags.position !== undefined
    if (isContinued && !syslog && this.context.outputOptions.format !== 'ndjson') throw needsLines(flags)
    using audit = await this.context.stores.audit('check')
    if (isContinued) {
      await this.#continue(audit, flags)
      return undefined
    }
    const period = periodOf(this.context, flags)
    const entries =
      after === undefined ? audit.iterate(period) : entriesAfter(this.context, audit, after, period)
    if (!syslog) {
      const printed = await printer.list(entries, genericListView)
      await checkTrail(this.context, audit)
      return printed
    }
    const host = hostname()
    for (const entry of entries) {
      await printer.chunk(`${syslogLine(entry, host)}\n`)
      if (printer.closed) return undefined
    }
    await checkTrail(this.context, audit)
    return undefined
  }

  async #continue(
    audit: Audit,
    {after = 0, position, follow, syslog}: SomeFlagValues<typeof exportFlags>,
  ): Promise<void> {
    const {printer, surroundings} = this.context
    this.endsAtInterrupt = follow === true
    const file = position === undefined ? undefined : resolve(position)
    const from = (file === undefined ? undefined : readPosition(file)) ?? {seq: after}
    // What can't be kept later must not be found out after entries were written.
    if (file !== undefined) await writePosition(file, from)
    const batches = followTrail(this.context, audit, {
      from,
      isEndless: follow === true,
      keep: async place => {
        if (file !== undefined) await writePosition(file, place)
      },
    })
    try {
      if (syslog) await this.#printSyslog(batches)
      else await printer.stream(batches, genericView)
    } catch (error) {
      if (!(this.endsAtInterrupt && surroundings.signal.reason === 'SIGINT')) throw error
    }
  }

  async #printSyslog(batches: AsyncIterable<readonly AuditRecord[]>): Promise<void> {
    const {printer} = this.context
    const host = hostname()
    for await (const batch of batches) {
      await printer.chunk(batch.map(entry => `${syslogLine(entry, host)}\n`).join(''))
      if (printer.closed) return
    }
  }
}

const needsLines = ({follow}: {readonly follow: boolean}): Failure =>
  new Failure('USAGE', {
    message: `${follow ? '--follow' : '--position'} needs a format of lines.`,
    hint: 'Add --syslog or -o ndjson.',
    effect: 'none',
  })
