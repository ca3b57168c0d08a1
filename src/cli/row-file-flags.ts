import * as Flags from '@oclif/core/flags'
import type {Decimal} from '../money/decimal-sign.ts'
import {ENCODINGS} from '../rows/dialect.ts'
import type {Context} from './context.ts'

/** On commands that read files of rows. */
export const rowFileFlags = {
  decimal: Flags.option({
    options: ['point', 'comma'] as const satisfies readonly Decimal[],
    summary: 'Sign before decimals, in a CSV file and in flags. Settles numbers such as 1,500 and 1.500.',
  })(),
  encoding: Flags.option({
    options: ENCODINGS,
    summary: 'Encoding of the file (default: found out).',
  })(),
  sheet: Flags.string({helpValue: 'NAME', summary: 'Sheet of the workbook to read.'}),
  'hidden-rows': Flags.option({
    options: ['send', 'skip'] as const,
    summary: 'Whether to send rows that the workbook hides.',
  })(),
  'marked-rows': Flags.option({
    options: ['send', 'skip'] as const,
    summary: 'Whether to send rows that say not to, such as "on hold", "do not change" or "already paid".',
  })(),
  mapping: Flags.string({
    helpValue: 'NAME',
    summary: 'Use the mapping that is kept under this name. Other flags win over it.',
  }),
  'save-mapping': Flags.string({
    helpValue: 'NAME',
    summary: 'Keep the columns and the sheet as this command reads them, for files with the same headings.',
  }),
  'no-final-newline': Flags.boolean({
    summary: 'Accept CSV from a pipe whose last line has no line end, although it may have been cut off.',
  }),
}

/** What a log says of rows that a program pipes in: nobody can tell a part that ends with a line from the whole. */
export function noteUncounted(
  {interactive, printer}: Pick<Context, 'interactive' | 'printer'>,
  source: string | undefined,
  flag: '--rows' | '--confirm-count',
): void {
  if (source !== '-' || interactive) return
  printer.note(
    `The rows come from stdin. If that was cut off at the end of a line, nobody can tell: pass the number of rows with ${flag}.`,
  )
}
