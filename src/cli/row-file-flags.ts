import * as Flags from '@oclif/core/flags'
import type {Decimal} from '../money/decimal-sign.ts'
import {ENCODINGS} from '../rows/dialect.ts'

/** On commands that read files of rows. */
export const rowFileFlags = {
  decimal: Flags.option({
    options: ['point', 'comma'] as const satisfies readonly Decimal[],
    summary: 'Sign before decimals, in a CSV file and in flags. Settles numbers such as 1,500 and 1.500.',
  })(),
  encoding: Flags.option({
    options: ENCODINGS,
    summary: 'Encoding of the file (default utf-8; a2a create finds out which).',
  })(),
  'no-final-newline': Flags.boolean({
    summary: 'Accept CSV from a pipe whose last line has no line end, although it may have been cut off.',
  }),
}
