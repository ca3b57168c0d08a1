import * as Flags from '@oclif/core/flags'
import {integerFlag, type SomeFlagValues, serviceCheckFlag} from '../../../cli/flags.ts'

/** What a script expects, because `--yes` doesn't show that it knows what is sent. */
export const expectedTotalsFlags = {
  'confirm-count': integerFlag({
    summary:
      'Number of transfers that you expect: of the whole, or of what is left of it. Sends nothing if it differs.',
  }),
  'confirm-total': Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'EUR:148220.50',
    summary: 'Total that you expect for each currency. Sends nothing if it differs.',
  }),
  'same-rows': integerFlag({
    min: 0,
    summary: 'Number of rows that repeat an earlier one, and are meant. Sends nothing if it differs.',
  }),
}

/** What answers the checks of transfers, on every command that can send some. */
export const transferFlags = {
  again: Flags.boolean({summary: 'Send transfers that were already sent in the last 7 days.'}),
  ...expectedTotalsFlags,
  ...serviceCheckFlag,
}

/** What a spreadsheet of other people doesn't say itself. */
export const sheetFlags = {
  map: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'COLUMN=FIELD',
    summary:
      'What a column of the file is: from, to, amount, currency, text, or none to leave it out. Repeatable.',
  }),
  fill: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'FIELD=VALUE',
    summary: 'Value for rows of the file that have none, e.g. currency=EUR. Repeatable.',
  }),
}

export type ExpectedTotals = SomeFlagValues<typeof expectedTotalsFlags>
export type TransferAnswers = SomeFlagValues<typeof transferFlags>
