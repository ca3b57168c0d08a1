import {randomBytes} from 'node:crypto'
import {isIPv6} from 'node:net'
import {Failure} from '../../errors/failure.ts'
import {isLoopback} from '../../sensitive/loopback.ts'
import {Secret} from '../../sensitive/secret.ts'
import type {Inspector, InspectorOptions} from '../../webhook/index.ts'

export interface InspectorFlags {
  readonly host: string
  readonly inspect?: boolean | undefined
}

/** The page of a listener, and the link that opens it once the listener has its address. */
export interface LinkedInspector extends Inspector {
  linkFor(url: string): string
}

const EVERYWHERE = ['0.0.0.0', '::']

/**
 * Makes the inspector page where `--inspect` asks for it.
 * @throws Failure USAGE where no browser of this machine could open it.
 */
export function openInspector(
  create: (options: InspectorOptions) => Inspector,
  {host, inspect}: InspectorFlags,
  options: Omit<InspectorOptions, 'token' | 'session' | 'epoch'>,
): LinkedInspector | undefined {
  if (!inspect) return undefined
  if (!EVERYWHERE.includes(host) && !isLoopback(isIPv6(host) ? `[${host}]` : host)) {
    throw new Failure('USAGE', {
      message: `--inspect is for browsers on this machine, and --host ${host} is not heard there.`,
      hint: 'Leave --host out, or give 0.0.0.0 to be heard everywhere.',
    })
  }
  const random = () => randomBytes(32).toString('base64url')
  const token = new Secret(random())
  const inspector = create({
    ...options,
    token,
    session: new Secret(random()),
    epoch: randomBytes(6).toString('base64url'),
  })
  return {...inspector, linkFor: url => linkFor(url, token)}
}

/** Whoever listens everywhere is opened at the name that only this machine has. */
function linkFor(address: string, token: Secret): string {
  const url = new URL('/', address)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.hostname === '[::]') url.hostname = '[::1]'
  url.searchParams.set('token', token.open())
  return url.href
}
