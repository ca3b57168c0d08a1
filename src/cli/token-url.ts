import {possibleOperations} from '../contract/match.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {machineOf, serviceHosts} from '../profiles/index.ts'
import type {Target} from '../profiles/target.ts'
import type {Context} from './context.ts'
import {serviceHostWhy} from './service-host.ts'

type WithTokenUrl = Pick<Target, 'baseUrl' | 'groups' | 'words'> & {
  readonly auth: {readonly type: string; readonly tokenUrl?: string}
  readonly dialect?: Target['dialect'] | undefined
}

/**
 * Nobody judges a request for a token, asks about it or records it, and it has a credential. So it goes to no service of
 * another profile, and to no path that is a write of its own one.
 *
 * @throws Failure GATE_REFUSED
 */
export async function refuseTokenUrl(context: Context, name: string, profile: WithTokenUrl): Promise<void> {
  const {tokenUrl} = profile.auth
  if (tokenUrl === undefined) return
  const url = new URL(tokenUrl)
  const write = writeAt(url.pathname, profile)
  const why =
    write === undefined
      ? (await isOwn(context, name, profile, url))
        ? undefined
        : await serviceHostWhy(context, url, 'requests for a token of another profile')
      : {
          message: `The token URL of the profile ${name} has the path of "${write}".`,
          hint: advice`Correct it: ${cardctl('profiles', 'edit', {value: name}, '--token-url', {value: 'URL'})}`,
        }
  if (why === undefined) return
  throw new Failure('GATE_REFUSED', {...why, effect: 'none'})
}

/** The operation, other than a read, that the service would take the request for. */
function writeAt(path: string, {words, dialect}: WithTokenUrl): string | undefined {
  const ours = possibleOperations('POST', path, {words}).filter(({isOtherMethod}) => !isOtherMethod)
  const theirs = dialect?.possible('POST', path, {query: {}, body: undefined}) ?? []
  return [...ours, ...theirs].find(({operation}) => operation.effect !== 'read')?.operation.summary
}

/** Whether the profile, or what the policy has of that name, has its service on the machine of the token URL. */
async function isOwn({policy}: Context, name: string, profile: WithTokenUrl, {host}: URL): Promise<boolean> {
  const found = await policy
  const named = found !== undefined && 'policy' in found ? found.policy.profiles[name]?.hosts : undefined
  const machine = machineOf(host)
  const isThere = (one: string) => URL.canParse(`https://${one}`) && machineOf(one) === machine
  return [...serviceHosts(profile), ...(named ?? [])].some(isThere)
}
