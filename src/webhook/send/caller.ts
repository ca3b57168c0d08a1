import {type EndpointOptions, type EndpointReply, openEndpoint} from '../endpoint.ts'
import {judgeDecision, judgeFault, judgeWarmUp, type Verdict} from './verdict.ts'

export interface CallerOptions extends EndpointOptions {
  /** How long an endpoint has for its answer, connecting included, ms. */
  readonly deadlineMs: number
  /** Milliseconds since 1970. */
  now(): number
}

export interface CallSettings {
  /** Less time than the deadline, for a call that should have left before, ms. */
  readonly withinMs?: number
  /** Gives the call up; what came of it is then `late`. */
  readonly signal?: AbortSignal | undefined
}

/** Calls an endpoint as the service does, and judges what it answers. */
export interface Caller {
  readonly deadlineMs: number
  /** A body of the contract unless another is given. */
  warmUp(settings?: CallSettings, body?: unknown): Promise<Verdict>
  /** Sends any body to `/auth`; never rejects for what the endpoint does. */
  authorise(call: unknown, settings?: CallSettings): Promise<Verdict>
  close(): void
}

export function openCaller({deadlineMs, now, ...options}: CallerOptions): Caller {
  const endpoint = openEndpoint(options)

  async function send(
    path: '/auth' | '/warm-up',
    body: unknown,
    judge: (reply: EndpointReply) => Promise<Omit<Verdict, 'durationMs'>> | Omit<Verdict, 'durationMs'>,
    {withinMs = deadlineMs, signal}: CallSettings,
  ): Promise<Verdict> {
    const bytes = Buffer.from(JSON.stringify(body))
    const over = new AbortController()
    const end = () => over.abort()
    const timer = setTimeout(end, withinMs)
    signal?.addEventListener('abort', end, {once: true})
    if (signal?.aborted) end()
    const began = performance.now()
    const took = () => Math.round((performance.now() - began) * 10) / 10
    try {
      const reply = await endpoint.post(path, bytes, over.signal)
      const durationMs = took()
      return {...(await judge(reply)), durationMs}
    } catch (error) {
      const durationMs = took()
      return {...judgeFault(error, deadlineMs), durationMs}
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    }
  }

  return {
    deadlineMs,
    warmUp: (settings = {}, body = {type: 'WARM_UP', timestamp: new Date(now()).toISOString()}) =>
      send('/warm-up', body, judgeWarmUp, settings),
    authorise: (call, settings = {}) => send('/auth', call, reply => judgeDecision(call, reply), settings),
    close: () => endpoint.close(),
  }
}
