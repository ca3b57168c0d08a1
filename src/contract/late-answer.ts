/**
 * What a late answer means, without a full stop: for the terminal and the inspector page.
 *
 * @param callerGone whether the caller closed the connection before the answer.
 */
export const lateAnswerAdvice = (callerGone: boolean): string =>
  `${callerGone ? 'the caller has gone: ' : ''}the service has fallen back; the endpoint must undo its own hold`
