import {join} from 'node:path'
import type {PlainReply, PlainRequest} from '../sandbox/plain-http.ts'
import type {Context} from './context.ts'

/** Where the embedded sandbox keeps its state. */
export function embeddedFile(context: Context): string {
  return join(context.folders.data, 'sandbox', 'sandbox.db')
}

/** The one place that puts the embedded sandbox behind http: opened with the first request. */
export async function embeddedHandle(
  context: Context,
): Promise<(request: PlainRequest) => Promise<PlainReply>> {
  const {createSandbox} = await import('../sandbox/index.ts')
  const sandbox = await createSandbox({file: embeddedFile(context), now: context.surroundings.now})
  return request => sandbox.handle(request)
}
