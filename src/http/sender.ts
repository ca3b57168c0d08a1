import {Failure} from '../errors/failure.ts'
import {openToOthers} from '../network/check-socket.ts'
import {isSocketHost, socketUrl} from '../network/check-url.ts'
import type {Target} from '../profiles/target.ts'
import type {Connection} from './attempt.ts'
import {createAuthenticator} from './authenticate.ts'
import {buildRequest, checkedAddresses} from './build-request.ts'
import {type Connections, createConnections} from './connections.ts'
import {contractCheck} from './read-response.ts'
import {previewOf, secretNames} from './request-secrets.ts'
import {sendWithRetries} from './retry-request.ts'
import type {Sender, Surroundings} from './send-types.ts'

/**
 * A sender for one target. Connections, tokens and secrets are opened on first use and kept.
 *
 * @throws Failure PROFILE_INVALID at once if a URL of the target can't be used.
 */
export function createSender(target: Target, surroundings: Surroundings): Sender {
  const addressOf = checkedAddresses(target)
  if (target.embedded && !surroundings.dispatcher) {
    throw new Failure('INTERNAL', {message: 'The embedded sandbox has nothing behind it.', effect: 'none'})
  }
  let connections: Connections | undefined
  const connect = async (origin: string): Promise<Connection> => {
    if (surroundings.dispatcher) return surroundings.dispatcher()
    // The client certificate is a credential too, so only the profile's hosts get it.
    const clientCertificate = target.hosts.includes(new URL(origin).host)
    connections ??= createConnections(target.tls, surroundings.env)
    return connections.to(origin, {clientCertificate, socket: socketAt(origin, target)})
  }
  const authenticator = createAuthenticator(target, connect, surroundings)
  const checkResponse = surroundings.checkResponse ?? contractCheck

  return {
    build: parts => buildRequest(parts, target, addressOf(parts.operation), surroundings),
    preview: request => {
      const header = authenticator.header === undefined ? [] : [authenticator.header]
      return previewOf(request, [...header, ...secretNames(target, request)], target.words)
    },
    async send(request, options = {}) {
      const around = {target, surroundings, authenticator, connect, checkResponse}
      const {before} = request
      if (before === undefined) return sendWithRetries(request, options, around)
      let first: unknown
      const unmasked = (body: unknown): void => {
        first = body
      }
      await sendWithRetries(before.request, {...options, unmasked, received: undefined}, around)
      return sendWithRetries(before.complete(first), options, around)
    },

    async close() {
      const open = connections
      connections = undefined
      await open?.close()
    },
  }
}

/**
 * The Unix socket that an origin stands for; undefined for any other origin.
 *
 * @throws Failure PROFILE_INVALID if it stands for another socket than that of the profile, or others could have put it there
 */
function socketAt(origin: string, {name, socket}: Pick<Target, 'name' | 'socket'>): string | undefined {
  if (socket !== undefined && origin === socketUrl(socket)) {
    const open = openToOthers(socket)
    if (open === undefined) return socket
    throw new Failure('PROFILE_INVALID', {
      message: `The socket of the profile ${name} is not used: ${open}, so another program could be listening there.`,
      hint: 'The folder must belong to the user whose server is meant, and nobody else may write it, or make it. Below /run only root makes folders.',
      effect: 'none',
    })
  }
  if (!isSocketHost(new URL(origin).hostname)) return undefined
  throw new Failure('PROFILE_INVALID', {
    message: `The profile ${name} has no socket that ${origin} stands for.`,
    hint: 'Set the socket in the profile, and not a base URL.',
    effect: 'none',
  })
}
