import {shellQuoted} from '../../errors/suggested-command.ts'
import type {Drop, Transport} from '../endpoint.ts'

/** A request whose body is in the file `$F`. Headers are words of a shell. */
export interface RawRequest {
  readonly url: string
  readonly path: string
  readonly headers: readonly string[]
  readonly tls: readonly string[]
}

const SIZE = '$(($(wc -c <"$F")))'

/** Sends a call over a connection of its own, and closes that too early. */
export function droppedLine(drop: Drop, request: RawRequest): string {
  const isChunked = drop === 'before the last chunk'
  const length = drop === 'before its length' ? '$(($(wc -c <"$F") + 1))' : SIZE
  const head = headOf(request, isChunked ? '"transfer-encoding: chunked"' : `"content-length: ${length}"`)
  const body =
    drop === 'in the request'
      ? 'head -c $(($(wc -c <"$F") / 2)) "$F"'
      : isChunked
        ? `printf '%x\\r\\n' ${SIZE}; cat "$F"; printf '\\r\\n'`
        : 'cat "$F"'
  // Sent whole, it is closed at once: nobody waits for the answer.
  const pause = /^before (the last chunk|its length)/.test(drop) ? '; sleep 0.1' : ''
  const reads = drop === 'in the answer'
  return `{ ${head}; ${body}${pause}; } | ${connection(request, reads ? 'first' : 'none')}; sleep 0.1; echo '(dropped ${drop})'`
}

/** Each byte for itself; a pause keeps those of one character apart. */
const BYTES =
  'while IFS= read -r -d "" -n 1 C || [ -n "$C" ]; do printf %s "$C"; [[ $C = [[:ascii:]] ]] || sleep 0.02; done <"$1"'

/** Sends a call in pieces, and shows the answer. */
export function piecesLine(transport: Transport, request: RawRequest): string {
  const pieces =
    transport === 'in chunks'
      ? 'head -c 400 "$F"; sleep 0.1; tail -c +401 "$F"'
      : `LC_ALL=C bash -c ${shellQuoted(BYTES)} - "$F"`
  if (transport === 'byte by byte') {
    const head = headOf(request, `"content-length: ${SIZE}"`, "'connection: close'")
    return `{ ${head}; sleep 0.1; ${pieces}; } | ${connection(request, 'all')}`
  }
  const headers = request.headers.map(header => `-H ${header}`).join(' ')
  const options = ['-T - -X POST', "-H 'expect:'", ...request.tls, headers].join(' ')
  return `{ ${pieces}; } | curl -sS -w '\\n' ${options} ${shellQuoted(`${request.url}${request.path}`)}`
}

function headOf({url, path, headers}: RawRequest, ...more: readonly string[]): string {
  const {host, pathname} = new URL(url)
  const below = `${pathname.replace(/\/+$/, '')}${path}`
  const words = [shellQuoted(`POST ${below} HTTP/1.1`), shellQuoted(`host: ${host}`), ...headers, ...more]
  return `printf '%s\\r\\n' ${words.join(' ')} ''`
}

/** A socket of bash, or of openssl with TLS. */
function connection({url, tls}: RawRequest, shows: 'none' | 'first' | 'all'): string {
  const {protocol, hostname, port} = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const read = {none: '', first: '; head -c 1 <&3 >/dev/null', all: "; tr -d '\\r' <&3; echo"}[shows]
  if (protocol !== 'https:') {
    return `bash -c ${shellQuoted(`exec 3<>/dev/tcp/${host}/${port || 80}; cat >&3${read}`)}`
  }
  const files = tls
    .join(' ')
    .replace('--cacert', '-CAfile')
    .replace('--cert', '-cert')
    .replace('--key', '-key')
  const client = `openssl s_client -quiet -no_ign_eof -connect ${shellQuoted(`${host}:${port || 443}`)} -servername ${shellQuoted(host)} ${files}`
  return shows === 'all' ? `{ cat; sleep 1; } | ${client} 2>/dev/null` : `${client} >/dev/null 2>&1`
}
