import * as Flags from '@oclif/core/flags'
import {DECIMALS, ENCODINGS} from '../rows/dialect.ts'

/** On commands that read files of rows. */
export const rowFileFlags = {
  decimal: Flags.option({
    options: DECIMALS,
    summary: 'Sign before the decimals in a CSV file. Needed for numbers such as 1,500 and 1.500.',
  })(),
  encoding: Flags.option({
    options: ENCODINGS,
    summary: 'Encoding of the file (default utf-8).',
  })(),
  'no-final-newline': Flags.boolean({
    summary: 'Accept CSV from a pipe whose last line has no line end, although it may have been cut off.',
  }),
}
