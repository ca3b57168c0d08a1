/** Where a request came from: decides whether the control operations may be reached without authentication. */
export type Origin = 'embedded' | 'loopback' | 'network'

/** An HTTP request without a framework. */
export interface PlainRequest {
  readonly method: string
  /** Path and query, percent-encoded as it stood on the request line. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** `embedded` when absent. */
  readonly origin?: Origin
}

/** A request as a caller of `handle` writes it: no headers and no body where there are none. */
export interface HandledRequest extends Pick<PlainRequest, 'method' | 'url' | 'origin'> {
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: Uint8Array | string | undefined
}

/** An HTTP answer without a framework: the raw bytes that go out. */
export interface PlainReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Uint8Array
  /** Close the connection without an answer; status, headers and body are then meaningless. */
  readonly drop?: true
}

const encoder = new TextEncoder()

/** An answer with a body of text. */
export function textReply(
  status: number,
  contentType: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): PlainReply {
  const body = encoder.encode(text)
  return {
    status,
    headers: {...headers, 'content-type': contentType, 'content-length': String(body.length)},
    body,
  }
}

export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): PlainReply {
  return textReply(status, 'application/json', JSON.stringify(value), headers)
}

export function emptyReply(status: number, headers: Readonly<Record<string, string>> = {}): PlainReply {
  return {status, headers: {...headers, 'content-length': '0'}, body: new Uint8Array(0)}
}

/** The connection is closed without an answer. */
export function dropped(): PlainReply {
  return {status: 0, headers: {}, body: new Uint8Array(0), drop: true}
}
