import {setImmediate} from 'node:timers/promises'

/** How long other requests wait at most for a turn, ms. */
const TURN_MS = 10

/** Call it between pieces of long work: when they have taken a while, it lets other requests run first. */
export function turns(): () => Promise<void> | undefined {
  let since = performance.now()
  const letOthersRun = async (): Promise<void> => {
    await setImmediate()
    since = performance.now()
  }
  return () => (performance.now() - since < TURN_MS ? undefined : letOthersRun())
}
