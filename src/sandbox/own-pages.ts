import {Metrics} from './metrics.ts'
import {type PlainRequest, type TextResponse, textResponse} from './plain-http.ts'

/** Values of this moment by the name of a metric. */
export type Gauges = Readonly<Record<string, readonly [help: string, value: number]>>

/** What a server knows of itself. */
export interface Health {
  /** Whether requests can work. */
  isReady(): Promise<boolean>
  gauges(): Gauges
}

/** What a server serves to anyone: whether the process lives, whether it can work, and counts of its responses. */
export class OwnPages {
  readonly #metrics = new Metrics()
  readonly #health: Health

  constructor(health: Health) {
    this.#health = health
  }

  /** Responds, and counts the responses to everything else. */
  async respond(
    request: PlainRequest,
    toOthers: (request: PlainRequest) => Promise<TextResponse>,
  ): Promise<TextResponse> {
    const own = request.method === 'GET' ? await this.#page(request.url) : undefined
    if (own) return own
    const began = performance.now()
    const response = await toOthers(request)
    this.#metrics.add(response.drop ? 0 : response.status, performance.now() - began)
    return response
  }

  async #page(url: string): Promise<TextResponse | undefined> {
    switch (url) {
      case '/healthz':
        return text(200, 'ok')
      case '/readyz':
        return (await this.#health.isReady())
          ? text(200, 'ok')
          : text(503, 'The state is not available, or the policies of its tables were changed.')
      case '/metrics':
        return textResponse(200, 'text/plain; version=0.0.4', this.#metrics.text(this.#health.gauges()))
    }
  }
}

const text = (status: number, line: string): TextResponse => textResponse(status, 'text/plain', `${line}\n`)
