import type {Prompter} from '../../../cli/question.ts'
import {sumByCurrency} from '../../../money/sum-by-currency.ts'
import {amount, counted} from '../../../output/amount.ts'
import type {Decimal} from '../../../rows/dialect.ts'
import {escapeText} from '../../../rows/escape-text.ts'
import type {Transfer} from './read-transfers.ts'

/** What a file says if this sign stands before its decimals. */
export interface DecimalReading {
  readonly decimal: Decimal
  /** The transfers that can be read. */
  readonly transfers: readonly Transfer[]
  /** Some of the amounts that need the sign: as written, and as read, if they can be. */
  readonly examples: readonly {readonly written: string; readonly read: Transfer | undefined}[]
}

/** Asks a person how a spreadsheet writes decimals. Each answer says what it makes of the file. */
export function askDecimal(
  prompter: Prompter,
  file: string,
  readings: readonly DecimalReading[],
): Promise<Decimal> {
  return prompter.choose(
    `How are decimals written in ${escapeText(file)}?`,
    readings.map(reading => ({value: reading.decimal, name: wordsFor(reading)})),
  )
}

function wordsFor({decimal, transfers, examples}: DecimalReading): string {
  const shown = examples.map(({written, read}) =>
    read === undefined ? `${written} cannot be read` : `${written} is ${amount(read.amount, read.currency)}`,
  )
  const totals = sumByCurrency(transfers).map(({currency, text}) => amount(text, currency))
  const sum = transfers.length === 0 ? '' : `. ${counted(transfers.length, 'transfer')}, ${totals.join(', ')}`
  return `With a ${decimal}: ${shown.join('; ')}${sum}`
}
