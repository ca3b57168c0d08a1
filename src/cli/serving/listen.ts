import {isIPv6} from 'node:net'
import {Failure} from '../../errors/failure.ts'
import {isLoopback} from '../../sensitive/loopback.ts'

/** @throws Failure USAGE for a server that other machines reach, and that asks nobody who they are. */
export function refuseExposed(host: string, {guarded}: {guarded: boolean}): void {
  if (guarded || isLoopback(isIPv6(host) ? `[${host}]` : host)) return
  throw new Failure('USAGE', {
    message: `--host ${host} lets other machines connect without credentials.`,
    hint: 'Add --auth basic:REF or bearer:REF, or --i-know-this-is-exposed.',
  })
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the name lookup failed',
}

/** Runs `listen`. @throws Failure PORT_UNAVAILABLE when the system doesn't give the port. */
export async function listening<Server>(
  listen: () => Promise<Server>,
  {host, port}: {host: string; port: number},
): Promise<Server> {
  try {
    return await listen()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = REASONS[code]
    if (reason === undefined) throw error
    throw new Failure('PORT_UNAVAILABLE', {
      message: `Can't listen on ${host}, port ${port === 0 ? 'any' : port}: ${reason}.`,
      cause: error,
    })
  }
}
