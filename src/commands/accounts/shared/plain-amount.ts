import {Failure} from '../../../errors/failure.ts'
import {MAX_DIGITS} from '../../../money/amount.ts'

/**
 * An amount without a currency, as people write it: `5000`, `5000.00`. Separators of thousands are refused, because
 * 5,000 is five in some countries.
 *
 * @throws Failure USAGE, which never quotes the input.
 */
export function plainAmount(text: string, what = 'AMOUNT'): number {
  const [, whole, fraction = ''] = /^0*(\d+?)(?:\.(\d+))?$/.exec(text.trim()) ?? []
  if (whole === undefined) {
    throw new Failure('USAGE', {
      message: `${what} is not a plain number.`,
      hint: 'Write it with digits and at most one point, for example 5000 or 5000.50. No thousands separators, no k.',
    })
  }
  if (`${whole}${fraction}`.length > MAX_DIGITS) {
    throw new Failure('USAGE', {
      message: `${what} has more than ${MAX_DIGITS} digits, so it would not arrive unchanged.`,
    })
  }
  return Number(text)
}
