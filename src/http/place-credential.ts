import type {Credential} from './authenticate.ts'
import type {BuiltRequest} from './build-request.ts'

/** The request as it goes out: with the credential in its header, or where the operation's own document wants it. */
export function withCredential(
  {headers, path, operation}: Pick<BuiltRequest, 'headers' | 'path' | 'operation'>,
  credential: Credential | undefined,
): {headers: Readonly<Record<string, string>>; path: string} {
  if (credential === undefined) return {headers, path}
  const value = credential.value.open()
  const places = operation.form?.credentials ?? {}
  const place = Object.hasOwn(places, credential.name) ? places[credential.name] : undefined
  if (place === undefined) return {headers: {...headers, [credential.name]: value}, path}
  const pair = `${encodeURIComponent(place.name)}=${encodeURIComponent(value)}`
  if (place.in === 'query') return {headers, path: `${path}${path.includes('?') ? '&' : '?'}${pair}`}
  const others = headers.cookie === undefined ? '' : `${headers.cookie}; `
  return {headers: {...headers, cookie: `${others}${pair}`}, path}
}
