/** RFC 9110, 5.1: a token. */
export const isHeaderName = (name: string): boolean => /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)

/** Headers that cardctl or the connection sets, in lower case. */
const OWN = new Set(
  (
    'accept accept-encoding connection content-encoding content-length content-type cookie expect host ' +
    'http2-settings keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade user-agent'
  ).split(' '),
)

/** Whether a header is set by cardctl or the connection, so that no setting may name it. Ignores case. */
export const isOwnHeader = (name: string): boolean => OWN.has(name.toLowerCase())
