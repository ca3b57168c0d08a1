import type {Exchange} from '../../exchange.ts'
import type {
  AnswerRequest,
  ElsewhereRequest,
  ElsewhereResult,
  Hello,
  Refused,
  SendRequest,
  Waiting,
} from '../wire.ts'
import type {Call} from './call.ts'
import {storedEndpoint} from './endpoint-field.ts'
import {ask} from './key.ts'
import {asCurl, canReplay, idOf, replayId, replayOf} from './replay.ts'
import type {Action} from './state.ts'

/** What a person can do here, by a button or a key. */
export interface PageActions {
  answer(waiting: Waiting, choice: AnswerRequest['choice']): void
  replay(call: Call): void
  edit(call: Call): void
  send(request: SendRequest): void
  copy(text: string, what: string): void
  /** For one's own endpoint, which is asked for if it is not known. */
  copyCurl(call: Call, hello: Hello): void
  /** Sends a call, with a new id, to another endpoint. Returns why it was not sent, as a sentence without a full stop. */
  sendElsewhere(call: Call, to: string, confirm: string): Promise<ElsewhereResult | string>
}

export function createPageActions(dispatch: (action: Action) => void): PageActions {
  const tell = (text: string, bad = false) => dispatch({type: 'notice', notice: {text, bad}})
  const attempt = async (done: string, reason: Promise<string | undefined>): Promise<boolean> => {
    const text = await reason
    tell(text === undefined ? done : `Failed: ${text}.`, text !== undefined)
    return text === undefined
  }
  const again = (exchange: Exchange) =>
    replayOf(exchange, replayId(exchange.event.event, crypto.randomUUID()))

  async function send(request: SendRequest): Promise<void> {
    dispatch({type: 'expect', id: idOf(request.body)})
    if (await attempt('Sent.', post('send', request))) dispatch({type: 'edit', editing: undefined})
    else dispatch({type: 'expect', id: undefined})
  }

  return {
    answer: (waiting, choice) =>
      void attempt(
        `${'approve' in choice ? 'Approved' : 'decline' in choice ? 'Declined' : 'Partial approval'}: ${waiting.summary.merchant}.`,
        post('answer', {event: waiting.event, choice}),
      ),
    replay: ({exchange}) => {
      if (canReplay(exchange)) void send(again(exchange))
      else tell("This call can't be sent again.", true)
    },
    edit: ({exchange}) => {
      if (canReplay(exchange)) dispatch({type: 'edit', editing: again(exchange)})
      else tell("This call can't be sent again.", true)
    },
    send: request => void send(request),
    copy: (text, what) =>
      void navigator.clipboard.writeText(text).then(
        () => tell(`Copied ${what}.`),
        () => tell("The browser doesn't allow copying.", true),
      ),
    sendElsewhere: async ({exchange}, to, confirm) => {
      if (!canReplay(exchange)) return "this call can't be sent again"
      return post<'elsewhere'>('elsewhere', {...again(exchange), to, confirm})
    },
    copyCurl: ({exchange}, hello) => {
      if (!canReplay(exchange)) return tell("This call can't be sent again.", true)
      const stored = storedEndpoint()
      const target = hello.forward ?? (stored === '' ? undefined : {url: stored})
      if (!target) {
        dispatch({type: 'elsewhere', open: true})
        return tell('Type the URL of your endpoint first.', true)
      }
      const {path, body} = again(exchange)
      void navigator.clipboard.writeText(asCurl(target, path, body)).then(
        () => tell('Copied as curl.'),
        () => tell("The browser doesn't allow copying.", true),
      )
    },
  }
}

interface Posts {
  readonly answer: AnswerRequest
  readonly send: SendRequest
  readonly elsewhere: ElsewhereRequest
}

interface Answers {
  readonly answer: undefined
  readonly send: undefined
  readonly elsewhere: ElsewhereResult
}

/** Longer than the longest deadline. */
const POST_MS = 65_000

/** Posts to the server. Returns why it failed, as a sentence without a full stop, or the answer. */
async function post<Path extends keyof Posts>(
  path: Path,
  body: Posts[Path],
): Promise<string | Answers[Path]> {
  try {
    const response = await ask(path, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(POST_MS),
    })
    if (!response.ok) return ((await response.json()) as Refused).reason
    const answer: unknown = await response.json()
    return (path === 'elsewhere' ? answer : undefined) as Answers[Path]
  } catch {
    return 'the server doesn’t respond'
  }
}
