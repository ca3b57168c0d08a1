import type {AnyInput, Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {Target} from '../profiles/target.ts'
import {type Credential, guardHost} from './authenticate.ts'
import {headerValue} from './credential-header.ts'

type Headers = Readonly<Record<string, string>>
type Group = Pick<Operation, 'group'>

/** The headers that the profile adds to a request. Controls of the sandbox get none. */
const added = ({headers = {}}: Target, {group}: Group) => (group === 'sandbox' ? [] : Object.entries(headers))

/**
 * Headers that the profile adds to every request to the service, without the secret ones.
 *
 * @throws Failure PROFILE_INVALID if they aren't meant for that host.
 */
export function plainHeaders(target: Target, host: string, operation: Group): Headers {
  const found = added(target, operation).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  if (found.length > 0) guardHost(target, host, 'The headers')
  return Object.fromEntries(found)
}

interface Built {
  readonly headers: Headers
  readonly operation: Group
  readonly host: string
}

/** The headers that the profile adds with secret values, but for those that the request has itself. */
const secretsFor = (target: Target, {headers, operation}: Omit<Built, 'host'>) =>
  added(target, operation).flatMap(([name, value]) =>
    typeof value === 'string' || Object.hasOwn(headers, name) ? [] : [{name, value}],
  )

export const secretNames = (target: Target, built: Omit<Built, 'host'>): readonly string[] =>
  secretsFor(target, built).map(({name}) => name)

/**
 * @param limitMs how long a command may take.
 * @throws Failure PROFILE_INVALID if they aren't meant for that host; SECRET_MISSING
 */
export async function readSecretHeaders(
  target: Target,
  built: Built,
  limitMs?: number,
): Promise<readonly Credential[]> {
  const found = secretsFor(target, built)
  if (found.length > 0) guardHost(target, built.host, 'The headers')
  return Promise.all(
    found.map(async ({name, value}) => ({
      name,
      value: headerValue(await value(limitMs), `The value of the header ${name}`),
    })),
  )
}

/** The parts of a request that name the audit user, where the profile says that they go. */
export function placeAuditUser(
  {query}: Pick<AnyInput, 'query'>,
  {auditUserIn, auditUser: usual}: Pick<Target, 'auditUserIn' | 'auditUser'>,
  {group}: Group,
): {readonly query: AnyInput['query']; readonly headers: Headers} {
  if (auditUserIn === undefined || group === 'sandbox') return {query, headers: {}}
  const {in: place, name} = auditUserIn
  const {auditUser = usual, ...others} = query
  if (place === 'none') return {query: others, headers: {}}
  // A place of its own has it in every request.
  const user = String(auditUser)
  if (place === 'query') return {query: {...others, [name]: user}, headers: {}}
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(user)) {
    throw new Failure('INPUT_INVALID', {
      message: `The audit user has characters that the header ${name} can't have.`,
      hint: 'Write it in ASCII: --audit-user NAME.',
      effect: 'none',
    })
  }
  return {query: others, headers: {[name.toLowerCase()]: user}}
}
