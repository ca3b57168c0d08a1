import {panProblem} from '../../../card-crypto/index.ts'
import {Failure} from '../../../errors/failure.ts'
import {Secret} from '../../../sensitive/secret.ts'

/** Spaces and dashes of any kind, as they stand in documents. */
const BETWEEN_DIGITS = /[\s\u00ad\u2010-\u2015-]/gu

/**
 * Reads a card number from a hidden prompt or stdin, without its spaces and dashes.
 *
 * @param tell says to a person what is wrong before cardctl asks again. Without it, that is an error.
 * @throws Failure INPUT_INVALID
 */
export async function readCardNumber(
  read: (what: string) => Promise<Secret<Buffer>>,
  tell?: (problem: string) => void,
): Promise<Secret> {
  for (;;) {
    const bytes = await read('Card number')
    const pan = new Secret(bytes.open().toString('utf8').replaceAll(BETWEEN_DIGITS, ''))
    bytes.wipe()
    const problem = panProblem(pan)
    if (problem === undefined) return pan
    if (tell === undefined) throw new Failure('INPUT_INVALID', {message: problem.message, effect: 'none'})
    tell(problem.message)
  }
}
