import type {Readable} from 'node:stream'

/** Why a body was not read completely. */
export class BodyFault extends Error {
  override readonly name = 'BodyFault'
  readonly reason: 'too-large' | 'too-slow' | 'cut'

  constructor(reason: BodyFault['reason']) {
    super(reason)
    this.reason = reason
  }
}

export interface ReadLimits {
  /** Bytes. */
  readonly limit: number
  /** Maximum time, in ms. */
  readonly withinMs?: number
  readonly signal?: AbortSignal
}

/**
 * @throws BodyFault `too-large` past the limit, `too-slow` if the time is over or the signal aborts, `cut` if the
 * sender disconnects.
 */
export function readBody(stream: Readable, {limit, withinMs, signal}: ReadLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (fault?: BodyFault) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', tooSlow)
      stream.off('close', onCut)
      if (fault === undefined) {
        const [only] = chunks
        return resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks))
      }
      // The rest is discarded until the connection is closed.
      stream.off('data', onData).resume()
      reject(fault)
    }
    const tooSlow = () => end(new BodyFault('too-slow'))
    const onCut = () => end(new BodyFault('cut'))
    const onEnd = () => end()
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) end(new BodyFault('too-large'))
      else chunks.push(chunk)
    }
    const timer = withinMs === undefined ? undefined : setTimeout(tooSlow, withinMs)
    if (signal?.aborted) return tooSlow()
    signal?.addEventListener('abort', tooSlow, {once: true})
    stream.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut)
  })
}
