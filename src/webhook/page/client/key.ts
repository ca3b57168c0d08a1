import {type Epoch, PROOF_HEADER, provenText} from '../wire.ts'

/** The key of the link, for this window: another port of this machine is another origin, and gets nothing of it. */
const STORED = `cardctl ${location.pathname}`

/** Takes the key out of the address `#key=…`, where others would see it. */
export function takeKey(): void {
  const parts = new URLSearchParams(location.hash.slice(1))
  const key = parts.get('key')
  if (key === null) return
  sessionStorage.setItem(STORED, key)
  parts.delete('key')
  history.replaceState(null, '', parts.size === 0 ? location.pathname : `#${parts}`)
}

/** A link that is opened in the window of its page loads nothing by itself. */
addEventListener('hashchange', () => {
  if (!new URLSearchParams(location.hash.slice(1)).has('key')) return
  takeKey()
  location.reload()
})

/** Reading takes far less. A browser that has no connection left would wait for ever. */
const READ_MS = 10_000

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Proves that this window has the key, to the server as it runs now. @throws if it doesn't respond. */
async function prove(): Promise<string> {
  const key = sessionStorage.getItem(STORED) ?? ''
  if (key === '') return ''
  const response = await fetch('epoch', {signal: AbortSignal.timeout(READ_MS)})
  const {epoch} = (await response.json()) as Epoch
  const hmac = {name: 'HMAC', hash: 'SHA-256'}
  const imported = await crypto.subtle.importKey('raw', bytesOf(key), hmac, false, ['sign'])
  const proof = await crypto.subtle.sign('HMAC', imported, bytesOf(provenText(epoch, location.origin)))
  return btoa(String.fromCharCode(...new Uint8Array(proof)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

let proof = ''

/** Sends a request with the proof; with a new one if the server has started again. @throws if it doesn't respond. */
export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const send = () =>
    fetch(path, {
      signal: AbortSignal.timeout(READ_MS),
      ...init,
      headers: {...init.headers, [PROOF_HEADER]: proof},
    })
  proof ||= await prove()
  const response = await send()
  // Refused, so it had no effect.
  if (response.status !== 401 || proof === '') return response
  proof = await prove()
  return send()
}

/** A stream has no headers. Its address has the proof, once a request was let in with it. */
export const streamPath = (): string => `stream?${new URLSearchParams({proof})}`
