import type {OpenService} from './create-sandbox.ts'
import {refuse} from './handle.ts'
import type {SandboxOptions} from './options.ts'
import {type Health, OwnPages} from './own-pages.ts'
import type {PlainRequest, TextResponse} from './plain-http.ts'
import type {Served} from './serve.ts'
import {createResponder, type Responder} from './service.ts'

/** A server of several sandboxes: which of them a request is for, what it serves to anyone, and its end. */
export abstract class ManySandboxes implements Served, Health {
  /** For what belongs to none of them. */
  readonly #responder: Responder
  readonly #pages = new OwnPages(this)
  readonly #baseUrl: string | undefined
  readonly now: Served['now']
  readonly random: Served['random']
  /** The URL of the server, without a slash at the end. */
  protected url = ''

  constructor(options: Pick<SandboxOptions, 'baseUrl' | 'now' | 'random' | 'onError'>) {
    this.#responder = createResponder(options)
    this.#baseUrl = options.baseUrl
    this.now = this.#responder.now
    this.random = this.#responder.random
  }

  abstract isReady(): Promise<boolean>
  abstract gauges(): ReturnType<Health['gauges']>
  /** The services that are open now. */
  protected abstract services(): readonly Promise<OpenService>[]
  protected abstract respond(request: PlainRequest): Promise<TextResponse>

  handle(request: PlainRequest): Promise<TextResponse> {
    return this.#pages.respond(request, async other => {
      try {
        return await this.respond(other)
      } catch (error) {
        return this.refuse(other, error)
      }
    })
  }

  refuse(request: PlainRequest, error: unknown): TextResponse {
    return refuse(this.#responder, request, error)
  }

  opened(url: string): void {
    this.url = this.#baseUrl ?? url
  }

  closing(): void {
    // Nothing runs between requests.
  }

  hurry(): void {
    for (const opened of this.services()) {
      void opened.then(({service: {webhook}}) => webhook?.giveUp()).catch(() => undefined)
    }
  }

  async close(): Promise<void> {
    this.closing()
    await Promise.allSettled(this.services().map(async opened => (await opened).close()))
  }
}
