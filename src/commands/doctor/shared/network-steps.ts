import type {Context} from '../../../cli/context.ts'
import {
  certificateFinding,
  connectionFinding,
  type Finding,
  fine,
  nameFinding,
  proxyFinding,
  type Step,
  type Way,
} from '../../../doctor/index.ts'
import {networkFault, routeTo} from '../../../http/index.ts'
import {authoritiesOf} from '../../../http/request-parts.ts'
import type {Chosen, Target} from '../../../profiles/index.ts'

/** The steps of the network; each needs the one before. */
const CHAIN = {
  proxy: {title: 'Proxy', needs: ['profile', 'certificates'], whenBroken: 'the proxy cannot be used'},
  dns: {title: 'DNS', needs: ['proxy'], whenBroken: 'the host name is not known'},
  tcp: {title: 'Connection', needs: ['dns'], whenBroken: 'there is no connection'},
  tls: {title: 'TLS', needs: ['tcp'], whenBroken: 'there is no trusted TLS connection'},
} as const

/** Checks of the way to every host of the profile, step by step. */
export async function networkSteps(context: Context): Promise<readonly Step[]> {
  const chosen = await context.service.chosen().catch(() => undefined)
  const isSocket = chosen?.profile.socket !== undefined
  if (chosen?.embedded || isSocket) {
    const nothing = isSocket
      ? fine('no network: the profile has a socket', {facts: {socket: chosen.profile.socket}})
      : fine('no network: the sandbox is inside cardctl', {facts: {embedded: true}})
    return (['proxy', 'dns', 'tcp', 'tls'] as const).map(id => ({
      id,
      area: 'network',
      title: CHAIN[id].title,
      look: async () => nothing,
    }))
  }
  const urls = chosen === undefined ? [undefined] : addressesOf(chosen)
  return urls.flatMap((url, at) => chain(context, url, at === 0 ? '' : `.${url?.host}`))
}

/** The base URL, then the other URLs for requests or tokens. */
function addressesOf({profile}: Chosen): readonly URL[] {
  const {baseUrl, groups, auth} = profile
  const texts = [
    baseUrl,
    ...Object.values(groups).flatMap(group => group?.baseUrl ?? []),
    ...(auth.type === 'oauth2' ? [auth.tokenUrl] : []),
  ]
  const urls = texts.map(text => new URL(text))
  return [...new Map(urls.map(url => [url.origin, url])).values()]
}

/** @param url undefined if no profile gives one; then every step is skipped. */
function chain(context: Context, url: URL | undefined, suffix: string): readonly Step[] {
  const way = once(async (): Promise<Way> => {
    if (url === undefined) throw new Error('Nothing to look at without a profile.')
    return {url, ...routeTo(url.origin, context.surroundings.env)}
  })
  const options = once(async () => {
    const {signal} = context.surroundings
    return {timeoutMs: context.flags.timeout ?? 0, signal, faultOf: networkFault}
  })
  const step = (id: keyof typeof CHAIN, look: () => Promise<Finding>): Step => {
    const {title, needs, whenBroken} = CHAIN[id]
    return {
      id: `${id}${suffix}`,
      area: 'network',
      title: suffix === '' ? title : `${title} ${url?.host}`,
      needs: needs.map(need => (need in CHAIN ? `${need}${suffix}` : need)),
      whenBroken,
      look,
    }
  }
  return [
    step('proxy', async () => proxyFinding(await way())),
    step('dns', async () => nameFinding(await way(), await options())),
    step('tcp', async () => connectionFinding(await way(), await options())),
    step('tls', async () => {
      const target = await context.service.target()
      return certificateFinding(await way(), {
        ...(await options()),
        ca: authoritiesOf(target.tls),
        hasOwnCa: target.tls.ca !== undefined,
        client: clientOf(target),
        profile: target.name,
        now: context.surroundings.now(),
      })
    }),
  ]
}

function clientOf({tls: {cert, key}}: Target) {
  if (cert === undefined || key === undefined) return undefined
  return async () => ({cert, key: (await key()).open()})
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
