import {constants} from 'node:os'

/** How a program ended: the arguments of `close` of a child process. */
export interface ChildEnd {
  readonly code: number | null
  readonly by: NodeJS.Signals | null
}

/** What a terminal or a service manager sends to all programs of a run at once. */
const SHARED = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/** How long after the program the same signal may arrive here, in milliseconds. */
const ECHO_MS = 1000

/** The exit code as a shell tells it: 128 and more for a signal. */
export const exitCode = ({code, by}: ChildEnd): number => code ?? 128 + (by ? constants.signals[by] : 0)

/**
 * Where a signal ended a program that we started, waits until it arrives here too. On a busy machine the end of the
 * program arrives first, and the run would continue or end as if nobody had stopped it.
 */
export async function heardSameSignal(end: ChildEnd, signal: AbortSignal): Promise<void> {
  const isShared = SHARED.some(name => exitCode(end) === 128 + constants.signals[name])
  if (!isShared || signal.aborted) return
  await new Promise<void>(resolve => {
    const late = setTimeout(resolve, ECHO_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(late)
      resolve()
    })
  })
}
