import {join} from 'node:path'
import type {Sandbox} from '../sandbox/index.ts'
import type {PlainReply, PlainRequest} from '../sandbox/plain-http.ts'
import type {Context} from './context.ts'

/** Where the embedded sandbox keeps its state. */
export function embeddedFile(context: Context): string {
  return join(context.folders.data, 'sandbox', 'sandbox.db')
}

export interface EmbeddedSandbox {
  handle(request: PlainRequest): Promise<PlainReply>
  close(): Promise<void>
}

/** The one place that puts the embedded sandbox behind http: opened with the first request, so that a preview opens nothing. */
export function embeddedSandbox(context: Context): EmbeddedSandbox {
  let opened: Promise<Sandbox> | undefined
  const open = async (): Promise<Sandbox> => {
    const {createSandbox} = await import('../sandbox/index.ts')
    return createSandbox({file: embeddedFile(context), now: context.surroundings.now})
  }
  return {
    handle: async request => {
      opened ??= open()
      return (await opened).handle(request)
    },
    close: async () => {
      // If it could not be opened, the request has said so.
      const sandbox = await opened?.catch(() => undefined)
      await sandbox?.close()
    },
  }
}
