import {lstatSync, readFileSync} from 'node:fs'
import {endianness} from 'node:os'
import {errnoOf} from '../errors/system-reason.ts'
import type {Policy} from './policy-file.ts'

/** 127.0.0.1 as the table of the system writes it. */
const LOOPBACK = endianness() === 'LE' ? '0100007F' : '7F000001'
const LISTENS = '0A'

/**
 * Whether the server of a policy listens on a port of 127.0.0.1: the user that owns the folder of its sockets does, and who
 * asks is another one. While it doesn't, anybody could. Only Linux says whose a port is; in a user namespace, all that are
 * unknown there have one number.
 *
 * @param uid of who asks.
 */
export function isGatePort(
  gate: Policy['gate'],
  host: string,
  uid: number,
  table = '/proc/net/tcp',
): 'served' | 'not served' | undefined {
  const caller = gate?.callers.find(({port}) => port !== undefined && `127.0.0.1:${port}` === host)
  if (gate === undefined || caller?.port === undefined) return undefined
  const owner = ownerOf(gate.folder)
  const isKnown = owner !== undefined && owner !== uid && owner !== unknownUser()
  return isKnown && owner === listenerOn(caller.port, table) ? 'served' : 'not served'
}

/** The number of users that a user namespace doesn't have. */
function unknownUser(): number {
  try {
    return Number(readFileSync('/proc/sys/kernel/overflowuid', 'latin1'))
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return 65_534
  }
}

function ownerOf(folder: string): number | undefined {
  try {
    const found = lstatSync(folder)
    return found.isDirectory() ? found.uid : undefined
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}

/** The user whose socket listens on a port of 127.0.0.1. */
function listenerOn(port: number, table: string): number | undefined {
  const address = `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`
  try {
    for (const line of readFileSync(table, 'latin1').split('\n')) {
      const [, local, , state, , , , uid] = line.trim().split(/\s+/)
      if (local === address && state === LISTENS) return Number(uid)
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
  }
  return undefined
}
