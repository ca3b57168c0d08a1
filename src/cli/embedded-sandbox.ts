import {join} from 'node:path'
import type {Sandbox, SandboxOptions} from '../sandbox/index.ts'
import type {PlainReply, PlainRequest} from '../sandbox/plain-http.ts'
import type {Context} from './context.ts'

/** Where the embedded sandbox keeps its state. */
export function embeddedFile(context: Context): string {
  return join(context.folders.data, 'sandbox', 'sandbox.db')
}

export interface EmbeddedSandbox {
  /** @throws Failure STORE_DAMAGED or STORE_UNAVAILABLE; behind http it would look like a broken connection. */
  open(): Promise<void>
  handle(request: PlainRequest): Promise<PlainReply>
  close(): Promise<void>
}

/** What a command may say of the sandbox that it embeds. */
export type EmbeddedOptions = Pick<SandboxOptions, 'webhook'>

/** The one place that puts the embedded sandbox behind http. Opened with the first request: a preview opens nothing. */
export function embeddedSandbox(context: Context, options: EmbeddedOptions = {}): EmbeddedSandbox {
  let opened: Promise<Sandbox> | undefined
  const create = async (): Promise<Sandbox> => {
    const {createSandbox} = await import('../sandbox/index.ts')
    return createSandbox({...options, file: embeddedFile(context), now: context.surroundings.now})
  }
  const open = (): Promise<Sandbox> => {
    opened ??= create()
    return opened
  }
  return {
    open: async () => {
      await open()
    },
    handle: async request => (await open()).handle(request),
    close: async () => {
      // If it could not be opened, the request has said so.
      const sandbox = await opened?.catch(() => undefined)
      await sandbox?.close()
    },
  }
}
