import type {Context} from '../../../cli/context.ts'
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

/** Shows a person what each sign makes of the file, in lines that wrap, and asks which one it is. */
export function askDecimal(
  {printer, prompter}: Context,
  file: string,
  readings: readonly DecimalReading[],
): Promise<Decimal> {
  printer.question(...readings.map(wordsFor))
  return prompter.choose(
    `How are decimals written in ${escapeText(file)}?`,
    readings.map(({decimal}) => ({value: decimal, name: `With a ${decimal}`})),
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
