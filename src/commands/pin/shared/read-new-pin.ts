import {Failure} from '../../../errors/failure.ts'
import type {Secret} from '../../../sensitive/secret.ts'

export interface NewPinQuestions {
  /** Reads one line without echo. */
  readonly read: (what: string) => Promise<Secret<Buffer>>
  /** What is wrong with a PIN. Never quotes a part of it. */
  readonly problemOf: (pin: Secret<Buffer>) => string | undefined
  /** On a terminal: asks twice, because the input is hidden, and asks again for an invalid PIN. */
  readonly person: boolean
  /** Says why cardctl asks again. */
  readonly tell: (problem: string) => void
}

/**
 * Reads a new PIN. The caller wipes it. A person is asked until it is right: after an end, the next PIN that they type would
 * be seen, and kept in the history of their shell.
 *
 * @throws Failure INPUT_INVALID for an invalid one that no person types
 */
export async function readNewPin(questions: NewPinQuestions): Promise<Secret<Buffer>> {
  for (;;) {
    const pin = await questions.read('New PIN')
    const problem = questions.problemOf(pin) ?? (await problemOfRepeat(pin, questions))
    if (problem === undefined) return pin
    pin.wipe()
    if (!questions.person)
      throw new Failure('INPUT_INVALID', {message: `${problem} Nothing was sent.`, effect: 'none'})
    questions.tell(`${problem} Ctrl-C leaves.`)
  }
}

async function problemOfRepeat(
  pin: Secret<Buffer>,
  {read, person}: NewPinQuestions,
): Promise<string | undefined> {
  if (!person) return undefined
  const again = await read('The same PIN again')
  const isSame = again.open().equals(pin.open())
  again.wipe()
  return isSame ? undefined : 'The two PINs differ.'
}
