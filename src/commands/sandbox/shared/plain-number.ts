import {Failure} from '../../../errors/failure.ts'

/**
 * The amount in a flag. Only the sandbox knows its currency, and so the number of decimals.
 *
 * @throws Failure USAGE for anything but plain decimal text.
 */
export function plainNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new Failure('USAGE', {
    message: `${flag} is not a number.`,
    hint: 'Use plain decimal text, for example 1234.50: a decimal point, no thousands separators.',
  })
}
