import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import type {PolicyPlace} from '../../src/policy/index.ts'
import {placePolicy} from '../policy/place.ts'
import {type Home, openHome} from './cli.ts'
import {freePort} from './free-port.ts'
import {openService, type Service} from './service.ts'

/** `gate serve` in this process, on a port for each caller, in front of a service. */
export interface Gate {
  readonly home: Home
  readonly service: Service
  /** Sends a request as a caller. */
  ask(caller: string, method: string, path: string, options?: AskOptions): Promise<GateReply>
  /** Writes another policy while it runs. */
  setPolicy(rules: object, callers?: object, more?: object): void
  /** The URL and the token of a caller. */
  readonly places: Readonly<Record<string, {readonly url: string; readonly token: string}>>
  readonly policyPlace: PolicyPlace
  /** Where a caller connects, as the policy has it. */
  at(user: string): {readonly port: number; readonly token: string}
  stop(): Promise<string>
  start(): Promise<void>
  close(): Promise<void>
}

interface AskOptions {
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface GateReply {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

/** @param kinds of callers, by their names. */
export async function openGate(
  rules: object,
  kinds: Readonly<Record<string, 'person' | 'job' | 'agent'>>,
  {answer, now}: {answer?: Parameters<typeof openService>[0]; now?: () => number} = {},
): Promise<Gate> {
  const home = await openHome()
  const service = await openService(answer)
  const folder = await mkdtemp(join(tmpdir(), 'gate-'))
  await home.json([
    ...['profiles', 'add', 'prod', '--kind', 'live', '--base-url', service.url, '--auth', 'none'],
    ...['--profile-audit-user', 'Gate Keeper'],
  ])
  const places: Record<string, {url: string; token: string; port: number; file: string}> = {}
  for (const user of Object.keys(kinds)) {
    const [port, token] = [await freePort(), `token-of-${user}`.padEnd(40, '-')]
    const file = join(folder, `${user}.token`)
    await writeFile(file, `${token}\n`, {mode: 0o600})
    places[user] = {url: `http://127.0.0.1:${port}`, token, port, file}
  }
  const named = Object.entries(kinds).map(([user, kind]) => ({
    ...{user, kind, profile: 'prod', auditUser: `${user} of the team`},
    ...{port: places[user]?.port, token: places[user]?.file},
  }))
  const setPolicy = (given: object, callers: object = named, more: object = {}) =>
    placePolicy(join(folder, 'policy'), {
      ...{policy: 1, contact: 'Cards operations', gate: {folder, callers}},
      ...more,
      profiles: {prod: {hosts: [new URL(service.url).host], ...given}},
    })
  const policyPlace = setPolicy(rules)
  let stop = new AbortController()
  let running: Promise<{code: number; stdout: string; stderr: string}> | undefined
  const start = async (): Promise<void> => {
    stop = new AbortController()
    let printed = ''
    running = home.run(['gate', 'serve', '-o', 'ndjson'], {
      ...{policyPlace, signal: stop.signal, sleep: ms => pause(Math.min(ms, 20))},
      ...(now && {now}),
      output: chunk => {
        printed += chunk
      },
    })
    const ended = running.then(({code, stderr}) => {
      throw new Error(`gate serve ended ${code}: ${stderr}`)
    })
    ended.catch(() => undefined)
    while (!printed.includes('"ready"')) await Promise.race([pause(5), ended])
  }
  const end = async (): Promise<string> => {
    stop.abort('SIGTERM')
    return (await running)?.stdout ?? ''
  }
  await start()
  return {
    ...{home, service, places, policyPlace, setPolicy, start, stop: end},
    at: user => ({port: places[user]?.port ?? 0, token: places[user]?.file ?? ''}),
    ask: async (caller, method, path, {body, headers = {}} = {}) => {
      const {url = '', token = ''} = places[caller] ?? {}
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : {'content-type': 'application/json'}),
          ...headers,
        },
        ...(body === undefined ? {} : {body: typeof body === 'string' ? body : JSON.stringify(body)}),
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      }
    },
    close: async () => {
      await end()
      await service.close()
      await home.remove()
      await rm(folder, {recursive: true})
    },
  }
}
