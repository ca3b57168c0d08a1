// A request for a token has a credential, and no policy, question or record: it goes to no service.
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'
import {placePolicy} from '../policy/place.ts'

let home: Home
let service: Service
let folder = ''
let port = ''

beforeEach(async () => {
  home = await openHome()
  service = await openService()
  folder = await mkdtemp(join(tmpdir(), 'token-url-'))
  port = new URL(service.url).port
})
afterEach(async () => {
  await service.close()
  await home.remove()
  await rm(folder, {recursive: true})
})

const env = {CLIENT: 'secret-of-the-client'}
const run = (line: string, options: RunOptions = {}) => home.run(line.split(' '), {env, ...options})
const add = (name: string, baseUrl: string, tokenUrl: string, options?: RunOptions) =>
  run(
    `profiles add ${name} --kind sandbox --base-url ${baseUrl} --auth oauth2 --client-id me --secret env:CLIENT --audit-user me --token-url ${tokenUrl}`,
    options,
  )
const sent = () => service.requests.map(({method, url}) => `${method} ${url}`)
const live = () =>
  run(`profiles add prod --kind live --base-url ${service.url} --auth none --audit-user Aino --read-only`)
const ELSEWHERE = 'http://127.0.0.1:9'

describe('the token URL of a profile', () => {
  it.each(['127.0.0.1', 'localhost', 'x.localhost', '127.1', '[::1]'])(
    'leads to no live profile, however its host is spelled: %s',
    async name => {
      expect(await live()).toMatchObject({code: 0})
      const {code, stderr} = await add('hack', ELSEWHERE, `http://${name}:${port}/oauth/token`)
      expect(stderr).toMatch(/GATE_REFUSED: .* is the host of the live profile prod: requests for a token/)
      expect(code).toBe(3)
      const [entry] = await home.json<object[]>('audit list --kind refuse --limit 1'.split(' '))
      expect(entry).toMatchObject({operation: 'profiles add', outcome: 'refused'})
      expect((await run('profiles list')).stdout).not.toContain('hack')
    },
  )

  it('leads to no profile of a policy', async () => {
    const policyPlace = placePolicy(join(folder, 'policy'), {
      policy: 1,
      contact: 'Cards operations',
      profiles: {prod: {hosts: [`127.0.0.1:${port}`], job: {read: 'allow'}}},
    })
    const {stderr} = await add('hack', ELSEWHERE, `${service.url}/oauth/token`, {policyPlace})
    expect(stderr).toMatch(/is the host of the profile prod in the policy/)
  })

  it('is looked at again when it is used, and no request goes there', async () => {
    await add('hack', ELSEWHERE, `${service.url}/oauth/token`)
    await live()
    const {code, stderr} = await run('cards get 3001 -p hack')
    expect(stderr).toMatch(/GATE_REFUSED: .* is the host of the live profile prod/)
    expect({code, sent: sent()}).toEqual({code: 3, sent: []})
    const [entry] = await home.json<object[]>('audit list --kind refuse --limit 1'.split(' '))
    expect(entry).toMatchObject({operation: 'cards get', profile: 'hack'})
  })

  it.each(['/v3/2001/update/WRITE_OFF', '/card/V3/2001/%75pdate//X', '/v4/card/3001/controlToken'])(
    'is no write of its own service: %s',
    async path => {
      const {code, stderr} = await add('own', service.url, service.url + path)
      expect(stderr).toMatch(/GATE_REFUSED: The token URL of the profile own has the path of ".+"/)
      expect(code).toBe(3)
      expect(await add('own', service.url, `${service.url}/oauth/token`)).toMatchObject({code: 0})
      expect(await run(`profiles edit own --token-url ${service.url}${path}`)).toMatchObject({code: 3})
      expect(sent()).toEqual([])
    },
  )

  it('is edited by hand to a write, and not used', async () => {
    await add('own', service.url, `${service.url}/oauth/token`)
    const file = join(home.folder, '.config', 'cardctl', 'profiles.json')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('/oauth/token', '/v3/2001/update/WRITE_OFF'))
    const {code, stderr} = await run('cards get 3001 -p own')
    expect(stderr).toMatch(/GATE_REFUSED: The token URL/)
    expect({code, sent: sent()}).toEqual({code: 3, sent: []})
  })

  it.each(['/oauth/token', '/v4/oauth/token', '/oauth2/v1/token'])(
    'may be on its own service: %s',
    async path => {
      expect(await add('own', service.url, service.url + path)).toMatchObject({code: 0})
      await run('cards get 3001 -p own')
      expect(sent()[0]).toBe(`POST ${path}`)
    },
  )
})
