import {Failure} from '../../src/errors/failure.ts'

/** The typed failure of a call; anything else that it throws, and success, fail the test. */
export function failureOf(call: () => unknown): Failure {
  try {
    call()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('The call was expected to fail')
}

export async function failureOfAsync(call: () => Promise<unknown>): Promise<Failure> {
  try {
    await call()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('The call was expected to fail')
}

/** What a call gives, or the code of its failure; a crash fails the test. */
export function outcomeOf<T>(call: () => T): {value: T} | {code: string} {
  try {
    return {value: call()}
  } catch (error) {
    if (error instanceof Failure) return {code: error.code}
    throw error
  }
}
