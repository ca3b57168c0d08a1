import {createContext, runInContext} from 'node:vm'

/** Does work that can't be asked to stop: a library that lays out a long text. Ends it if it takes longer than it may. */
export type InTime = <Result>(work: () => Result) => Result

export const atOnce: InTime = work => work()

/**
 * Nothing else runs during such work, so no timer could end it. V8 can.
 *
 * @param tooLong throws.
 */
export function within(millis: number, tooLong: () => never): InTime {
  if (!Number.isFinite(millis)) return atOnce
  const until = performance.now() + millis
  return <Result>(work: () => Result): Result => {
    const timeout = Math.max(1, Math.ceil(until - performance.now()))
    try {
      return runInContext('work()', createContext({work}), {timeout}) as Result
    } catch (error) {
      if ((error as {code?: unknown}).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') tooLong()
      throw error
    }
  }
}
