import * as Flags from '@oclif/core/flags'
import type {Context} from '../../../cli/context.ts'
import {printRows} from '../../../cli/print-rows.ts'
import {proveNewFile, writeNewFile} from '../../../files/named-output.ts'
import {timeZoneOf, type View} from '../../../output/index.ts'
import type {PageClock} from './report-page.ts'

export const pageFlags = {
  html: Flags.string({
    helpValue: 'FILE',
    summary: 'Also write the report as one HTML page, to a new file that only you can read.',
  }),
}

/** Sees whether a file that the report goes to can be written, before anything is read. @throws Failure OUTPUT_UNWRITABLE */
export async function provePage(file: string | undefined): Promise<void> {
  if (file !== undefined) await proveNewFile(file)
}

interface Forms<Report> {
  readonly view: View<Report>
  /** As CSV, a row each. */
  readonly rows: readonly object[]
  readonly page: (clock: PageClock) => Promise<string>
}

/** Prints a report, and writes it as a page to the file, if there is one. @throws Failure OUTPUT_UNWRITABLE */
export async function printReport<Report>(
  context: Context,
  report: Report,
  file: string | undefined,
  {view, rows, page}: Forms<Report>,
): Promise<void> {
  const {surroundings, printer} = context
  if (file !== undefined) {
    const clock = {now: surroundings.now(), timeZone: timeZoneOf(surroundings.env)}
    await writeNewFile(file, [await page(clock)])
    printer.note(`page written to ${file}`)
  }
  await printRows(context, report, rows, view)
}
