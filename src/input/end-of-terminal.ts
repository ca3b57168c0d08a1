import type {Readable} from 'node:stream'
import {isatty} from 'node:tty'

/**
 * Whether a stream that has ended is a terminal whose window was closed. Its reader is told the same as at Ctrl-D, but it
 * is no terminal any more.
 */
export function isClosedTerminal(
  stream: Readable & {readonly isTTY?: boolean; readonly fd?: unknown},
): boolean {
  return stream.isTTY === true && typeof stream.fd === 'number' && !isatty(stream.fd)
}
