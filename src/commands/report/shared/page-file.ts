import * as Flags from '@oclif/core/flags'
import type {Context} from '../../../cli/context.ts'
import {proveNewFile, writeNewFile} from '../../../files/named-output.ts'
import {timeZoneOf} from '../../../output/index.ts'
import type {PageClock} from '../../../output/report-page.ts'

export const pageFlags = {
  html: Flags.string({
    helpValue: 'FILE',
    summary: 'Also write the report as one HTML page, to a new file that only you can read.',
  }),
}

/** Before anything is read. @throws Failure OUTPUT_UNWRITABLE */
export async function provePage(file: string | undefined): Promise<void> {
  if (file !== undefined) await proveNewFile(file)
}

/** @throws Failure OUTPUT_UNWRITABLE */
export async function writePage(
  {surroundings, printer}: Context,
  file: string | undefined,
  page: (clock: PageClock) => string,
): Promise<void> {
  if (file === undefined) return
  await writeNewFile(file, [page({now: surroundings.now(), timeZone: timeZoneOf(surroundings.env)})])
  printer.note(`page written to ${file}`)
}
