import type {Decimal} from '../money/decimal-sign.ts'
import {escapeText} from '../output/styled.ts'
import type {Context} from './context.ts'

/** What a file says if this sign stands before its decimals. */
export interface DecimalReading {
  readonly decimal: Decimal
  /** Some of the numbers that need the sign: as written, and as read, if they can be. */
  readonly examples: readonly {readonly written: string; readonly read: string | undefined}[]
  /** What they come to, in words. */
  readonly sum?: string | undefined
}

/** Numbers that are shown to a person. */
export const MOST_EXAMPLES = 3

/** Only what can be nothing but a number is shown. */
export const mayBeShown = (text: string): boolean => /^[\d.,]{3,15}$/.test(text)

/** Whether one of the signs reads a number that can't be read without it. */
export const isWorthAsking = (readings: readonly DecimalReading[]): boolean =>
  readings.some(({examples}) => examples.some(({read}) => read !== undefined))

/** Shows a person what each sign makes of the file, in lines that wrap, and asks which one it is. */
export function askDecimal(
  {printer, prompter}: Pick<Context, 'printer' | 'prompter'>,
  file: string,
  readings: readonly DecimalReading[],
): Promise<Decimal> {
  printer.question(...readings.map(wordsFor))
  return prompter.choose(
    `How are decimals written in ${escapeText(file)}?`,
    readings
      .filter(one => isAccepted(one, readings))
      .map(({decimal}) => ({value: decimal, name: `With a ${decimal}`})),
  )
}

/** Whether a reading has each number that another one has. */
const isAccepted = ({examples}: DecimalReading, all: readonly DecimalReading[]): boolean =>
  examples.every(
    ({read}, at) => read !== undefined || all.every(other => other.examples[at]?.read === undefined),
  )

function wordsFor({decimal, examples, sum}: DecimalReading): string {
  const shown = examples.map(({written, read}) =>
    read === undefined ? `${written} cannot be read` : `${written} is ${read}`,
  )
  return `With a ${decimal}: ${shown.join('; ')}${sum === undefined ? '' : `. ${sum}`}`
}
