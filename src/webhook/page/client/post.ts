import {type AnswerRequest, POST_HEADER, type Refused, type SendRequest} from '../wire.ts'

interface Posts {
  readonly '/_inspect/answer': AnswerRequest
  readonly '/_inspect/send': SendRequest
}

/** Asks the server for something. Gives why not, as a sentence without a full stop, or undefined when done. */
export async function post<Path extends keyof Posts>(
  path: Path,
  body: Posts[Path],
): Promise<string | undefined> {
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
    return 'the server does not answer'
  }
}
