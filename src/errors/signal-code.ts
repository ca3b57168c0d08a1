/** How a run ends that a signal broke off. @param reason the signal's name, as an abort signal carries it. */
export const codeOfSignal = (reason: unknown): 'TERMINATED' | 'INTERRUPTED' =>
  reason === 'SIGTERM' ? 'TERMINATED' : 'INTERRUPTED'
