/**
 * What a late answer means, as a sentence without a full stop: on the terminal and on the page alike.
 *
 * @param callerGone whether there was an answer, and nobody left to take it.
 */
export const lateWords = (callerGone: boolean): string =>
  `${callerGone ? 'the caller has gone: ' : ''}the service has fallen back; whoever decides must undo its own hold`
