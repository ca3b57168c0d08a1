import {
  type AnswerRequest,
  type Hello,
  POST_HEADER,
  type Refused,
  type SendRequest,
  type Waiting,
} from '../wire.ts'
import type {Call} from './call.ts'
import {asCurl, canReplay, idOf, replayOf} from './replay.ts'
import type {Action} from './state.ts'

/** What a person can do here, by a button or a key. */
export interface PageActions {
  answer(waiting: Waiting, choice: AnswerRequest['choice']): void
  replay(call: Call): void
  edit(call: Call): void
  send(request: SendRequest): void
  copy(text: string, what: string): void
  copyCurl(call: Call, hello: Hello): void
}

export function createPageActions(dispatch: (action: Action) => void): PageActions {
  const tell = (text: string, bad = false) => dispatch({type: 'notice', notice: {text, bad}})
  const attempt = async (done: string, reason: Promise<string | undefined>): Promise<boolean> => {
    const text = await reason
    tell(text === undefined ? done : `Failed: ${text}.`, text !== undefined)
    return text === undefined
  }
  const newId = () => `replay-${crypto.randomUUID()}`

  async function send(request: SendRequest): Promise<void> {
    dispatch({type: 'expect', id: idOf(request.body)})
    if (await attempt('Sent.', post('/_inspect/send', request))) dispatch({type: 'edit', editing: undefined})
    else dispatch({type: 'expect', id: undefined})
  }

  return {
    answer: (waiting, choice) =>
      void attempt(
        `${'approve' in choice ? 'Approved' : 'decline' in choice ? 'Declined' : 'Partial approval'}: ${waiting.summary.merchant}.`,
        post('/_inspect/answer', {event: waiting.event, choice}),
      ),
    replay: ({exchange}) => {
      if (canReplay(exchange)) void send(replayOf(exchange, newId()))
      else tell("This call can't be sent again.", true)
    },
    edit: ({exchange}) => {
      if (canReplay(exchange)) dispatch({type: 'edit', editing: replayOf(exchange, newId())})
      else tell("This call can't be sent again.", true)
    },
    send: request => void send(request),
    copy: (text, what) =>
      void navigator.clipboard.writeText(text).then(
        () => tell(`Copied ${what}.`),
        () => tell("The browser doesn't allow copying.", true),
      ),
    copyCurl: ({exchange: {request}}, hello) => {
      const path = request.path.endsWith('/warm-up') ? '/warm-up' : '/auth'
      void navigator.clipboard.writeText(asCurl(hello, path, request.body)).then(
        () => tell('Copied as curl.'),
        () => tell("The browser doesn't allow copying.", true),
      )
    },
  }
}

interface Posts {
  readonly '/_inspect/answer': AnswerRequest
  readonly '/_inspect/send': SendRequest
}

/** Posts to the server. Returns why it failed, as a sentence without a full stop; undefined on success. */
async function post<Path extends keyof Posts>(path: Path, body: Posts[Path]): Promise<string | undefined> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: {'content-type': 'application/json', [POST_HEADER]: '1'},
      body: JSON.stringify(body),
    })
    if (response.ok) return undefined
    const {reason} = (await response.json()) as Refused
    return reason
  } catch {
    return 'the server doesn’t respond'
  }
}
