import type {Answer} from '../../http/send-types.ts'
import type {KeyState, Replayed} from '../../journal/index.ts'
import type {Printer} from '../../output/index.ts'
import type {Target} from '../../profiles/target.ts'

export interface Answered {
  readonly answer: Pick<Answer, 'replayed' | 'attempts'>
  readonly target: Pick<Target, 'kind'>
  /** The service keeps the promise of the key for this operation. */
  readonly honoured: boolean
  /** Somebody chose the key, so that it may have been used before. */
  readonly isGiven: boolean
  /** What the journal knew of the key before. */
  readonly known: KeyState
}

/** Whether an answer is one that the service had stored; undefined where no key could bring one. */
export function replayedOf({answer, target, honoured, isGiven, known}: Answered): Replayed | undefined {
  const before = known.state === 'repeat' ? known : undefined
  if (answer.replayed) {
    // Its own earlier try may have been the one that was carried out.
    if (answer.attempts === 1 || before?.done !== undefined) return true
    return isGiven ? 'unknown' : false
  }
  if (!honoured) return undefined
  // A sandbox says it in its header. A key that was made for this request brings no other answer.
  if (target.kind === 'sandbox' || !isGiven) return false
  return before?.done === undefined ? 'unknown' : true
}

/** Says on stderr that nothing was changed now, or that this cannot be told: in JSON where the output is JSON. */
export function tellReplayed(
  printer: Printer,
  replayed: Replayed | undefined,
  {requestId, key, known}: {requestId: string; key: string | undefined; known: KeyState},
): void {
  if (replayed === undefined || replayed === false) return
  const earlier = known.state === 'repeat' ? known.done : undefined
  const text =
    replayed === 'unknown'
      ? `This may be the stored response to an earlier request with key ${key}. The service does not say, and the journal of this machine does not know the key. If it is, nothing was changed now.`
      : earlier === undefined
        ? `Nothing was changed now: the service gave its stored answer to an earlier request with key ${key}. If that one had other content, the content of this one was not applied.`
        : `Nothing was changed now: the service gave its stored answer to request ${earlier}, which had the same key and content.`
  printer.warn(text, {code: 'ANSWER_REPLAYED', replayed, requestId, idempotencyKey: key, earlier})
}
