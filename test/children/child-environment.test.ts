import {once} from 'node:events'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {request} from 'node:http'
import {createServer} from 'node:net'
import {dirname, join} from 'node:path'
import process from 'node:process'
import fc from 'fast-check'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {childEnvironment, variablesNamedIn} from '../../src/children/child-environment.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'
import {callOf} from '../webhook/calls.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

/** Secrets of the tool, of a profile that is not in use, and of a flag; beside them what a child does need. */
const env = {
  PATH: process.env.PATH ?? '',
  KEPT: 'kept',
  CARDCTL_TOKEN: 'own-token',
  OTHER_TOKEN: 'token-of-a-profile',
  OTHER_PASSWORD: 'password-of-a-profile',
}

function withProfiles(): void {
  const file = join(home.folder, '.config/cardctl/profiles.json')
  mkdirSync(dirname(file), {recursive: true, mode: 0o700})
  const auth = {type: 'bearer', token: 'env:OTHER_TOKEN'}
  const other = {kind: 'test', baseUrl: 'http://127.0.0.1:1', auth}
  const command = {...other, auth: {...auth, token: `cmd:sh -c 'env >"${found()}"; echo x'`}}
  // Its entry is broken, and names a variable all the same.
  const broken = {kind: 'nonsense', auth: {type: 'basic', user: 'a', password: 'env:OTHER_PASSWORD'}}
  writeFileSync(file, JSON.stringify({schema: 1, profiles: {other, command, broken}}), {mode: 0o600})
}

const found = (): string => join(home.folder, 'environment')

function expectNoSecret(text = readFileSync(found(), 'utf8')): void {
  expect(text).toContain('KEPT=kept')
  expect(text).not.toMatch(/CARDCTL_|own-token|token-of-a|password-of-a/)
}

it('a decider of --exec gets no secret', async () => {
  withProfiles()
  const stop = new AbortController()
  const port = await freePort()
  const exec = `env >"${found()}"; echo approve`
  const running = home.run(
    ['webhook', 'serve', '--port', `${port}`, '--auth', 'bearer:env:HOOK_TOKEN', '--exec', exec],
    {env: {...env, HOOK_TOKEN: 'token-of-a-flag'}, signal: stop.signal},
  )
  const post = () =>
    new Promise<number>(resolve => {
      const headers = {authorization: 'Bearer token-of-a-flag', 'content-type': 'application/json'}
      request(`http://127.0.0.1:${port}/auth`, {method: 'POST', headers})
        .on('response', response => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        .on('error', () => resolve(0))
        .end(JSON.stringify(callOf('chip', 'a')))
    })
  await expect.poll(post).toBe(200)
  stop.abort('SIGTERM')
  await running
  expectNoSecret()
})

it('a command that prints a secret gets no other one', async () => {
  withProfiles()
  const {CARDCTL_TOKEN: _own, ...rest} = env
  await home.run(['cards', 'get', '3001', '-p', 'command'], {env: {...rest, CARDCTL_DEBUG: '1'}})
  expectNoSecret()
})

it('the pager gets no secret', async () => {
  withProfiles()
  const settings = {env: {...env, PAGER: `env >"${found()}"; cat >/dev/null`}, columns: 80, rows: 5}
  await home.run(['sandbox', 'state', 'list', 'card'], settings)
  expectNoSecret()
})

it.skipIf(process.platform !== 'linux')('the process that asks the keyring gets no secret', async () => {
  withProfiles()
  const path = join(home.folder, 'bus')
  const seen: string[] = []
  const bus = createServer(socket => {
    seen.push(...environmentsOfChildren())
    socket.destroy()
  }).listen(path)
  await once(bus, 'listening')
  const settings = {env: {...env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`}, stdin: 's3cret\n'}
  const add = 'profiles add svc --kind test --base-url http://127.0.0.1:1 --auth bearer --secret -'
  const {code} = await home.run(add.split(' '), {...settings, openKeyring: 'system'})
  bus.close()
  expect(code).toBe(0)
  const asked = seen.find(text => text.includes(path))
  expectNoSecret(asked)
})

function environmentsOfChildren(): string[] {
  return readdirSync('/proc').flatMap(name => {
    try {
      const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]
      return parent === String(process.pid) ? readFileSync(`/proc/${name}/environ`, 'utf8') : []
    } catch {
      return []
    }
  })
}

it('names are found in whatever stands around them', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/),
      fc.constantFrom(['"', '"'], ['basic:', ''], ['', ' '], ['[', ','], ['--auth=bearer:', '\n']),
      (name, [left, right]) => {
        expect(variablesNamedIn(`${left}env:${name}${right}`)).toEqual([name])
        expect(childEnvironment({[name]: '1', KEPT_BESIDE: '2'}, [name])).toEqual({KEPT_BESIDE: '2'})
      },
    ),
  )
  expect(childEnvironment({Token: '1', cardctl_token: '2', A: '3'}, ['TOKEN'], 'win32')).toEqual({A: '3'})
  expect(childEnvironment({Token: '1'}, ['TOKEN'], 'linux')).toEqual({Token: '1'})
})
