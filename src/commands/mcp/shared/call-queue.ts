import {Failure} from '../../../errors/failure.ts'
import type {EndingSignal} from '../../../errors/interruption.ts'

/** Calls that may wait. More would only use memory. */
const MOST_WAITING = 1000
/** How long a call that is under way may go on when the client is gone. */
const GRACE_MS = 2000

/** Runs calls one after the other, as a person types commands. */
export class CallQueue {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #isClosed = false
  readonly #gone = new AbortController()

  /**
   * @param cancelled aborts when the client takes the call back
   * @param work gets a signal whose reason is the name of a signal, as commands expect it
   * @throws Failure RATE_LIMITED if too many wait, INTERRUPTED if the call was taken back before its turn
   */
  run<Result>(cancelled: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.#waiting >= MOST_WAITING)
      return Promise.reject(
        new Failure('RATE_LIMITED', {
          message: `${MOST_WAITING} calls wait already.`,
          hint: 'Call again when results have come.',
          effect: 'none',
        }),
      )
    this.#waiting++
    const turn = this.#last.then(() => this.#turn(cancelled, work))
    this.#last = turn.catch(() => undefined)
    return turn.finally(() => this.#waiting--)
  }

  /** Begins no more calls. The one that is under way goes on, whatever its client does. */
  stop(): void {
    this.#isClosed = true
  }

  /** Waits a while for the call that is under way, then ends it; its journal has what happened. */
  async close(): Promise<void> {
    this.stop()
    const timer = setTimeout(() => this.#gone.abort(), GRACE_MS)
    await this.#last
    clearTimeout(timer)
  }

  async #turn<Result>(
    cancelled: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    if (this.#isClosed || cancelled.aborted)
      throw new Failure('INTERRUPTED', {message: 'The call was taken back before it began.', effect: 'none'})
    const ending = new AbortController()
    const endsBy = (signal: EndingSignal) => ending.abort(signal)
    const onCancel = () => {
      if (!this.#isClosed) endsBy('SIGINT')
    }
    const onGone = () => endsBy('SIGHUP')
    cancelled.addEventListener('abort', onCancel)
    this.#gone.signal.addEventListener('abort', onGone)
    try {
      return await work(ending.signal)
    } finally {
      cancelled.removeEventListener('abort', onCancel)
      this.#gone.signal.removeEventListener('abort', onGone)
    }
  }
}
