import {join} from 'node:path'
import {createSandbox, type Sandbox, type SandboxOptions} from '../sandbox/index.ts'
import type {Context} from './context.ts'

/** Where the embedded sandbox keeps its state. */
export function embeddedFile(context: Context): string {
  return join(context.folders.data, 'sandbox', 'sandbox.db')
}

interface EmbeddedSandbox {
  /** Opens it once. @throws Failure STORE_DAMAGED or STORE_UNAVAILABLE */
  open(): Promise<Sandbox['handle']>
  close(): Promise<void>
}

/** What a command can set about its embedded sandbox. */
export type EmbeddedOptions = Pick<SandboxOptions, 'webhook'>

/** The embedded sandbox as http needs it. Opened with the first request: a preview opens nothing. */
export function embeddedSandbox(context: Context, options: EmbeddedOptions = {}): EmbeddedSandbox {
  let opened: Promise<Sandbox> | undefined
  const create = async (): Promise<Sandbox> => {
    return createSandbox({...options, file: embeddedFile(context), now: context.surroundings.now})
  }
  return {
    open: async () => {
      opened ??= create()
      const sandbox = await opened
      return request => sandbox.handle(request)
    },
    close: async () => {
      // If it could not be opened, the request has reported that.
      const sandbox = await opened?.catch(() => undefined)
      await sandbox?.close()
    },
  }
}
