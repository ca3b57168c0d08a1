import type {Dispatcher} from 'undici'
import {Failure} from '../errors/failure.ts'
import type {Target} from '../profiles/target.ts'
import {Secret} from '../sensitive/secret.ts'
import {createAuthenticator, UNREAD} from './authenticate.ts'
import {addresses, type BuiltRequest, buildRequest} from './build-request.ts'
import type {Connections} from './connections.ts'
import {contractCheck} from './contract-check.ts'
import {sealedBody} from './request-body.ts'
import {runTries} from './run-tries.ts'
import type {Sender, Surroundings} from './send-types.ts'

/**
 * A sender for one target. Connections, tokens and secrets are opened on first use and live as long as it does.
 *
 * @throws Failure PROFILE_INVALID at once if an address of the target can't be used.
 */
export function createSender(target: Target, surroundings: Surroundings): Sender {
  const addressOf = addresses(target)
  if (target.embedded && !surroundings.dispatcher) {
    throw new Failure('INTERNAL', {message: 'The embedded sandbox has nothing behind it.', effect: 'none'})
  }
  let connections: Promise<Connections> | undefined
  const connect = async (origin: string): Promise<Dispatcher> => {
    if (surroundings.dispatcher) return surroundings.dispatcher
    // The client's certificate is a credential as well: it is shown to the profile's hosts only.
    const clientCertificate = target.hosts.includes(new URL(origin).host)
    // A door: TLS is loaded by whoever leaves this process.
    connections ??= import('./connections.ts').then(({createConnections}) =>
      createConnections(target.tls, surroundings.env),
    )
    return (await connections).to(origin, {clientCertificate})
  }
  const authenticator = createAuthenticator(target, connect, surroundings)
  const checkReply = surroundings.checkReply ?? contractCheck

  return {
    async send(request) {
      const built = buildRequest(request, target, addressOf(request.operation), surroundings)
      return runTries(built, request, {target, surroundings, authenticator, connect, checkReply})
    },

    async preview(request) {
      const {operation, input} = request
      const built = buildRequest(request, target, addressOf(operation), surroundings)
      const {header} = authenticator
      return {
        method: operation.method,
        url: built.origin + (built.shown?.path ?? built.path),
        headers: {...sealedHeaders(built), ...(header === undefined ? {} : {[header]: UNREAD})},
        ...(built.body === undefined
          ? {}
          : {
              body: sealedBody(input.body, operation.sensitive.request, target.words),
            }),
      }
    },

    async close() {
      const open = connections
      connections = undefined
      await (await open)?.close()
    },
  }
}

function sealedHeaders({headers, shown}: BuiltRequest): Record<string, string | Secret> {
  const secret = shown?.secretHeaders ?? []
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secret.includes(name) ? new Secret(value) : value]),
  )
}
