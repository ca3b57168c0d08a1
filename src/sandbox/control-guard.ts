import type {PlainRequest} from './plain-http.ts'
import {Problem} from './problems.ts'

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Keeps the control operations from strangers: they are for the same machine, or for whoever has the server's
 * credentials. A page in a browser on this machine is a stranger too, by another's name for it or from another origin.
 *
 * @param authenticated whether credentials were asked for, and were right.
 * @throws Problem 403
 */
export function guardControl(request: PlainRequest, authenticated: boolean): void {
  const {origin = 'embedded', headers} = request
  if (origin === 'embedded' || authenticated) return
  if (origin === 'network') throw forbidden('The control operations need authentication from other machines.')
  if (!LOOPBACK_HOST.test(headers.host ?? ''))
    throw forbidden('The control operations are not served under this host name.')
  const site = headers['sec-fetch-site']
  if (headers.origin !== undefined || (site !== undefined && site !== 'none')) {
    throw forbidden('The control operations are not for pages in a browser.')
  }
}

const forbidden = (detail: string) => new Problem(403, 'control-forbidden', 'Not permitted', detail)
