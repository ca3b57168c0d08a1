import {Failure} from '../../../errors/failure.ts'
import {Secret} from '../../../sensitive/secret.ts'

/** Reads a card number from a hidden prompt or stdin, without its spaces. @throws Failure INPUT_INVALID */
export async function readCardNumber(read: (what: string) => Promise<Secret<Buffer>>): Promise<Secret> {
  const bytes = await read('Card number')
  const pan = new Secret(bytes.open().toString('latin1').replaceAll(/[ -]/g, ''))
  bytes.wipe()
  // Loaded here, because only this way to find a card needs cryptography.
  const {panProblem} = await import('../../../card-crypto/index.ts')
  const problem = panProblem(pan)
  if (problem) throw new Failure('INPUT_INVALID', {message: problem.message, effect: 'none'})
  return pan
}
