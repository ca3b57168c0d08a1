import {answerFault} from './check-answer.ts'
import {
  approval,
  type Decider,
  type DeciderAnswer,
  DecisionFault,
  decline,
  partialApproval,
} from './decide.ts'
import type {Pending} from './exchange.ts'
import {declineCodesInWords, findDeclineCode} from './response-codes.ts'

/** A call that waits for a person. */
export interface Question extends Pending {
  /** When the service will have decided itself, milliseconds since 1970. */
  readonly until: number
}

/** A person's choice. The code is two digits or a name: `51`, `NOT_SUFFICIENT_FUNDS`. */
export type Choice =
  | {readonly approve: true}
  | {readonly partial: {readonly amount: number; readonly currency: string}}
  | {readonly decline: string}

/** The calls that wait for a person. A terminal or the page shows them, and answers them. */
export interface PendingCalls extends Decider {
  /** The waiting calls, oldest first. */
  waiting(): readonly Question[]
  /**
   * Answers the call of an event. If the answer is invalid, returns why, as a sentence without a full stop, and the
   * call keeps waiting; undefined if the answer was accepted.
   */
  answer(event: string, choice: Choice, where: 'terminal' | 'page'): Promise<string | undefined>
  /** Calls `changed` whenever the waiting calls change. Returns a function that stops this. */
  subscribe(changed: () => void): () => void
}

export function createPendingCalls(): PendingCalls {
  const open = new Map<string, {question: Question; take: (answer: DeciderAnswer, where: string) => void}>()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const changed of listeners) changed()
  }

  return {
    decide: ({event, at, summary, call, signal, note}) =>
      new Promise((resolve, reject) => {
        const leave = () => {
          open.delete(event)
          signal.removeEventListener('abort', late)
          tell()
        }
        const late = () => {
          leave()
          note({by: 'ask', said: 'no answer in time'})
          reject(new DecisionFault('no answer in time'))
        }
        if (signal.aborted) return late()
        signal.addEventListener('abort', late, {once: true})
        const question = {event, at, summary, call, until: at + summary.deadlineMs}
        const take = (answer: DeciderAnswer, where: string) => {
          leave()
          note({by: 'ask', said: `answered ${where === 'page' ? 'on the page' : 'in the terminal'}`})
          resolve({answer, by: 'ask'})
        }
        open.set(event, {question, take})
        tell()
      }),
    waiting: () => [...open.values()].map(({question}) => question),
    answer: async (event, choice, where) => {
      const asked = open.get(event)
      if (!asked) return 'this call no longer waits'
      const {call} = asked.question
      const answer = answerOf(choice, call)
      if (!answer) return `the code is ${declineCodesInWords()}`
      const fault = await answerFault(call, answer.reply)
      if (fault !== undefined) return fault
      // The deadline or another person may have been faster.
      if (!open.has(event)) return 'this call no longer waits'
      asked.take(answer, where)
      return undefined
    },
    subscribe: changed => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
  }
}

function answerOf(choice: Choice, call: Question['call']): DeciderAnswer | undefined {
  if ('approve' in choice) return approval(call)
  if ('partial' in choice) return partialApproval(choice.partial)
  const code = findDeclineCode(choice.decline)
  return code === undefined ? undefined : decline(code)
}
