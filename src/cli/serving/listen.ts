import {isIPv6} from 'node:net'
import {Failure} from '../../errors/failure.ts'
import {isLoopback} from '../../sensitive/loopback.ts'

/** @throws Failure USAGE for a server that other machines reach, and that asks nobody who they are. */
export function refuseExposed(host: string, {guarded}: {guarded: boolean}): void {
  if (guarded || isLoopback(isIPv6(host) ? `[${host}]` : host)) return
  throw new Failure('USAGE', {
    message: `--host ${host} lets other machines in, and nothing asks them who they are.`,
    hint: 'Add --auth basic:REF or bearer:REF, or --i-know-this-is-exposed.',
  })
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'the system does not permit it',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name cannot be looked up now',
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
      message: `Nothing can be served at ${host}, port ${port === 0 ? 'any' : port}: ${reason}.`,
      cause: error,
    })
  }
}
