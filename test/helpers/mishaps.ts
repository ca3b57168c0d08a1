// A service that records which rows took effect and what it told about them, whatever goes wrong on the way.
import {once} from 'node:events'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'

/**
 * What a client can know after it: the effect, a refusal before any effect, nothing, or words that somebody else may have
 * put there.
 */
type Told = 'done' | 'refused' | 'nothing' | 'unclear'

interface Mishap {
  readonly effect: boolean
  readonly told: Told
  answer(response: ServerResponse): void
}

const json = (status: number, body: object) => (response: ServerResponse) => {
  response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
}
const problem = (status: number) =>
  json(status, {
    type: 'about:blank',
    title: 'No',
    status,
    detail: 'No',
    id: '1',
    timestamp: '2026-01-01T00:00:00Z',
  })
const page = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, {'content-type': 'text/html'}).end('<html><title>Gateway</title></html>')
}
const reset = (response: ServerResponse) => void response.destroy()
const silent = () => undefined

export const MISHAPS = {
  done: {effect: true, told: 'done', answer: json(200, {description: 'Updated'})},
  redirect: {
    effect: false,
    told: 'unclear',
    answer: response => void response.writeHead(302, {location: '/login'}).end(),
  },
  errorInside: {effect: false, told: 'unclear', answer: json(200, {status: 'ERROR', message: 'No'})},
  cutBody: {
    effect: true,
    told: 'nothing',
    answer: response => {
      response.writeHead(200, {'content-type': 'application/json', 'content-length': '500'})
      response.write('{"description": "Upd', () => response.destroy())
    },
  },
  unauthorised: {effect: false, told: 'refused', answer: problem(401)},
  forbiddenPage: {effect: false, told: 'unclear', answer: page(403)},
  limited: {effect: false, told: 'refused', answer: problem(429)},
  refused: {effect: false, told: 'refused', answer: problem(422)},
  faultAfterEffect: {effect: true, told: 'nothing', answer: problem(500)},
  gatewayPage: {effect: true, told: 'nothing', answer: page(502)},
  unavailable: {effect: false, told: 'unclear', answer: problem(503)},
  timeout: {effect: true, told: 'nothing', answer: silent},
  resetBefore: {effect: false, told: 'nothing', answer: reset},
  resetAfter: {effect: true, told: 'nothing', answer: reset},
  trickle: {
    effect: true,
    told: 'nothing',
    answer: response => {
      response.writeHead(200, {'content-type': 'application/json', 'content-length': '500'})
      const drop = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drop))
    },
  },
} as const satisfies Readonly<Record<string, Mishap>>

export type MishapName = keyof typeof MISHAPS

/** Whether a row must be, may be or can't be one whose effect is unknown. */
type Verdict = 'unknown' | 'known' | 'either'

export class Recorder {
  readonly arrivals = new Map<string, Mishap[]>()
  /** The mishap of the next request of a row; what took effect with its key is told again. */
  next: (row: string) => MishapName = () => 'done'
  arrived: () => void = () => undefined
  url = ''
  readonly #isKeyed: boolean
  readonly #server = createServer((request, response) => this.#handle(request, response))

  constructor({isKeyed}: {readonly isKeyed: boolean}) {
    this.#isKeyed = isKeyed
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  effectsOf(row: string): number {
    const effects = (this.arrivals.get(row) ?? []).filter(({effect}) => effect).length
    return this.#isKeyed ? Math.min(effects, 1) : effects
  }

  /** By what was told last, and by what happened. */
  verdictOf(row: string): Verdict {
    const all = this.arrivals.get(row) ?? []
    const last = all.at(-1)
    if (last === undefined) return 'known'
    if (last.told === 'done') return 'known'
    if (last.told === 'nothing' || this.effectsOf(row) > 0) return 'unknown'
    return all.every(({told}) => told === 'refused') ? 'known' : 'either'
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (chunks.length === 0) return void response.writeHead(404).end()
    const {creditLimit, code} = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
    const row = String(creditLimit ?? code)
    const name = this.next(row)
    const planned: Mishap = MISHAPS[name]
    // A service that took a key once doesn't refuse it later.
    const isReplay =
      this.#isKeyed && this.effectsOf(row) > 0 && planned.told === 'refused' && name !== 'limited'
    const mishap = isReplay ? MISHAPS.done : planned
    this.arrivals.set(row, [...(this.arrivals.get(row) ?? []), mishap])
    this.arrived()
    mishap.answer(response)
  }
}
