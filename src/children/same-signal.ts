import {constants} from 'node:os'

/** How a program ended: the arguments of `close` of a child process. */
export interface ChildEnd {
  readonly code: number | null
  readonly by: NodeJS.Signals | null
}

/** The signals that a terminal or a service manager sends to all processes of a run at once. */
const SHARED = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/** How long after the end of the program the same signal may arrive here, in milliseconds. */
const ECHO_MS = 1000

/** The exit code as a shell reports it: 128 plus the number of the signal, if a signal ended the program. */
export const exitCode = ({code, by}: ChildEnd): number => code ?? 128 + (by ? constants.signals[by] : 0)

/**
 * If a signal ended a program that we started, waits until the signal arrives here too. On a busy machine, the end of
 * the program may arrive first, and the run would continue or end as if nobody had stopped it.
 */
export async function waitForSameSignal(end: ChildEnd, signal: AbortSignal): Promise<void> {
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
