import {expect, test} from 'vitest'
import {failureFrom} from '../../src/cli/failure-from.ts'
import {Failure} from '../../src/errors/failure.ts'

const closing = (message: string): Disposable => ({
  [Symbol.dispose]: () => {
    throw new Failure('STORE_UNAVAILABLE', {message})
  },
})

test('an error is told, and not those of the files that could not be closed after it', () => {
  const work = (): never => {
    using _journal = closing('The journal could not be closed.')
    using _trail = closing('The trail could not be closed.')
    throw new Failure('EFFECT_UNKNOWN', {message: 'No response came.', effect: 'unknown'})
  }
  let thrown: unknown
  try {
    work()
  } catch (error) {
    thrown = error
  }
  expect(failureFrom(thrown)).toMatchObject({code: 'EFFECT_UNKNOWN', exit: 10, message: 'No response came.'})
})
