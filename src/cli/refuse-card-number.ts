import {Failure} from '../errors/failure.ts'
import {looksLikeCardNumber} from '../sensitive/card-number.ts'

export const SEEN = 'and a command line is seen by every process of this machine.'

/** For what should be an id. @throws Failure SENSITIVE_IN_ARGV */
export function refuseCardNumber(text: string, what: string): void {
  if (!looksLikeCardNumber(text)) return
  throw new Failure('SENSITIVE_IN_ARGV', {
    message: `${what} looks like a card number, ${SEEN}`,
    hint: 'Look the card up with cards get --pan-stdin, which reads its number from stdin or a hidden prompt.',
    effect: 'none',
  })
}
