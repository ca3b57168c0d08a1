import {setTimeout as pause} from 'node:timers/promises'
import {Failure} from '../errors/failure.ts'
import {isOvertaken} from './reasons.ts'

const MOST_ATTEMPTS = 10
const LONGEST_PAUSE_MS = 20

/** Whether the database has taken the work back because others were first, so that it can be done again. */
export const wasOvertaken = (error: unknown): boolean =>
  isOvertaken(error instanceof Failure ? error.details.cause : error)

/** Does work again that the database has taken back: serialization failures and deadlocks. */
export async function untilNotOvertaken<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !wasOvertaken(error)) throw error
      await pause(Math.random() * LONGEST_PAUSE_MS * attempt)
    }
  }
}
