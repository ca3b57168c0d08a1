import {onTestFinished} from 'vitest'
import {type Home, openHome, type RunResult} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

/** A home that is gone after the test. */
export async function newHome(): Promise<Home> {
  const home = await openHome()
  onTestFinished(() => home.remove())
  return home
}

/** A service that is gone after the test. */
export async function newService(...how: Parameters<typeof openService>): Promise<Service> {
  const service = await openService(...how)
  onTestFinished(() => service.close())
  return service
}

export async function addProfile(
  home: Home,
  name: string,
  kind: 'sandbox' | 'test' | 'live',
  url: string,
  ...more: string[]
): Promise<void> {
  await home.json([
    ...['profiles', 'add', name, '--kind', kind, '--base-url', url, '--auth', 'none'],
    ...['--profile-audit-user', 'Aino Virtanen', ...more],
  ])
}

/** The code of the error, as `-o json` prints it on stderr. */
export function errorCode({stderr}: RunResult): string | undefined {
  for (const line of stderr.split('\n')) {
    if (line.startsWith('{"error"')) return (JSON.parse(line) as {error: {code: string}}).error.code
  }
  return undefined
}

/** What the service was asked to do; reads are left out. */
export const writesOf = (service: Service): string[] =>
  service.requests
    .filter(({method}) => method !== 'GET')
    .map(({method, url}) => `${method} ${url.split('?')[0]}`)
