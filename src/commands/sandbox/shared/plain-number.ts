import {Failure} from '../../../errors/failure.ts'

/**
 * The amount that a flag gives, where only the sandbox knows its currency and so how many decimals it may have.
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
