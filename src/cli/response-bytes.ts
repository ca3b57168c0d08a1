import {decodeBase64} from '../card-crypto/index.ts'
import {Failure} from '../errors/failure.ts'

/** The bytes of a base64 field of a response. @throws Failure ANSWER_INVALID, without the value. */
export function bytesOf(text: string, what: string): Buffer {
  const bytes = decodeBase64(text)
  if (bytes) return bytes
  throw new Failure('ANSWER_INVALID', {message: `The ${what} of the response is not base64.`, effect: 'done'})
}
