import {once} from 'node:events'
import {request} from 'node:http'
import {onTestFinished} from 'vitest'
import type {Home, RunResult} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'

interface Event {
  readonly type: string
  readonly event: string
  readonly outcome?: string
  readonly code?: string
  readonly repeated?: boolean
  readonly reusedId?: string
  readonly differs?: {pointer: string}[]
  readonly status?: number
  readonly id?: string
}

export interface Served {
  readonly url: string
  /** Sends a body to /auth as it stands. */
  post(body: string, headers?: Record<string, string>, path?: string): Promise<{status: number; text: string}>
  /** Ends the server, and gives what it printed. */
  stop(signal?: string): Promise<RunResult & {events: Event[]}>
}

export async function serve(home: Home, ...flags: string[]): Promise<Served> {
  const port = await freePort()
  const end = new AbortController()
  const ended = home.run(['webhook', 'serve', '--port', String(port), '-o', 'ndjson', ...flags], {
    signal: end.signal,
  })
  const url = `http://127.0.0.1:${port}`
  const post: Served['post'] = async (body, headers = {}, path = '/auth') => {
    const sent = request(`${url}${path}`, {
      method: 'POST',
      headers: {'content-type': 'application/json', ...headers},
      agent: false,
    })
    sent.end(body)
    const [response] = await once(sent, 'response')
    let text = ''
    for await (const chunk of response) text += chunk
    return {status: response.statusCode, text}
  }
  const stop: Served['stop'] = async (signal = 'SIGTERM') => {
    end.abort(signal)
    const result = await ended
    const events = result.stdout.trim().split('\n').filter(Boolean)
    return {...result, events: events.map(line => JSON.parse(line) as Event)}
  }
  onTestFinished(async () => {
    end.abort('SIGTERM')
    await ended
  })
  for (;;) {
    const ready = await post('', {}, '/warm-up').catch(() => undefined)
    if (ready !== undefined) break
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return {url, post, stop}
}

/** The body of a call, as the service sends it. */
export async function callOf(home: Home, scenario: string, ...set: string[]) {
  const argv = [
    'webhook',
    'trigger',
    'auth',
    '--to',
    'http://127.0.0.1:1',
    '--scenario',
    scenario,
    '--dry-run',
  ]
  return (await home.json<{body: Record<string, Record<string, unknown>>}>([...argv, ...set])).body
}

export const codeOf = ({text}: {text: string}) =>
  JSON.parse(text).transactionData.authResponseCode.code as string
export const auths = (events: readonly Event[]) => events.filter(({type}) => type === 'auth')
