// Calls to an endpoint are not judged as requests to a service are, so they never go to the host of one.
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest'
import type {PolicyPlace} from '../../src/policy/index.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'
import {placePolicy} from '../policy/place.ts'

let home: Home
let service: Service
let folder = ''
let port = ''
let named: PolicyPlace
let before = 0

beforeAll(async () => {
  home = await openHome()
  service = await openService()
  folder = await mkdtemp(join(tmpdir(), 'service-host-'))
  port = new URL(service.url).port
  named = placePolicy(join(folder, 'policy'), {
    policy: 1,
    contact: 'Cards operations',
    profiles: {prod: {hosts: [`127.0.0.1:${port}`], job: {read: 'allow'}}},
  })
})
afterAll(async () => {
  await service.close()
  await home.remove()
  await rm(folder, {recursive: true})
})
beforeEach(() => {
  before = service.requests.length
})

const run = (line: string, to: string, options: RunOptions = {}) =>
  home.run(
    line.split(' ').map(word => (word === 'URL' ? to : word)),
    {env: {TOKEN: 'secret-of-the-service'}, ...options},
  )
const sent = () => service.requests.slice(before).map(({method, url}) => `${method} ${url}`)

const LINES = [
  'webhook trigger auth --to URL --auth bearer:env:TOKEN',
  'webhook trigger warm-up --to URL',
  'webhook trigger auth --to URL --dry-run',
  'webhook bench --to URL --rate 10/s --duration 100ms',
  'webhook test smoke --to URL',
  'webhook replay --from examples/calls.ndjson --to URL',
  'webhook certify --to URL',
  'webhook serve --port 0 --forward-to URL',
  'sandbox serve --port 0 --webhook-url URL',
  'sandbox authorize --card 3001 --amount 1.00 --currency EUR --webhook-url URL',
]
const SPELLINGS = ['127.0.0.1', 'localhost', 'x.localhost', '127.1', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]']

describe('calls to the host of a service', () => {
  it('are refused to an isolated sandbox', async () => {
    const stop = new AbortController()
    const ready = Promise.withResolvers<string>()
    const server = home.run('sandbox serve --isolated --port 0 -o ndjson'.split(' '), {
      policyPlace: named,
      signal: stop.signal,
      output: chunk => {
        const url = /"url":"([^"]+)"/.exec(String(chunk))?.[1]
        if (url !== undefined) ready.resolve(url)
      },
    })
    const response = await fetch(`${await ready.promise}/_sandboxes`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({webhook: {url: service.url}}),
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toMatch(/is the host of the profile prod in the policy/)
    expect(sent()).toEqual([])
    stop.abort('SIGTERM')
    await server
  })

  it.each(LINES)('are refused, as a policy names it: %s', async line => {
    const {code, stderr} = await run(line, service.url, {policyPlace: named})
    expect(stderr).toMatch(
      /GATE_REFUSED: 127\.0\.0\.1:\d+ is the host of the profile prod in the policy \(.*policy\.yaml:\d+\)/,
    )
    expect(stderr).toContain('Cards operations decides what goes there.')
    expect({code, sent: sent()}).toEqual({code: 3, sent: []})
  })

  it.each(SPELLINGS)('are refused however it is spelled: %s', async name => {
    const {stderr} = await run(`${LINES[0]} --confirm ${name}`, `http://${name}:${port}/base`, {
      policyPlace: named,
    })
    expect(stderr).toMatch(/GATE_REFUSED: .* is the host of the profile prod/)
    expect(sent()).toEqual([])
  })

  describe('that a live profile names', () => {
    beforeAll(async () => {
      await home.json([
        ...['profiles', 'add', 'prod', '--kind', 'live', '--base-url', service.url, '--read-only'],
        ...['--auth', 'none', '--profile-audit-user', 'Aino Virtanen'],
      ])
    })

    it.each(LINES)('are refused: %s', async line => {
      const {code, stderr} = await run(line, service.url)
      expect(stderr).toMatch(/GATE_REFUSED: 127\.0\.0\.1:\d+ is the host of the live profile prod/)
      expect(stderr).toContain('The person who looks after the profile prod decides what goes there.')
      expect({code, sent: sent()}).toEqual({code: 3, sent: []})
    })

    it('leaves a sealed entry', async () => {
      await run('webhook trigger auth --to URL', service.url)
      const [entry] = await home.json<object[]>('audit list --kind refuse --limit 1'.split(' '))
      expect(entry).toMatchObject({kind: 'refuse', operation: 'webhook trigger'})
      expect(await home.run(['audit', 'verify'])).toMatchObject({code: 0})
    })
  })

  it('go to every other endpoint', async () => {
    const other = await openService()
    const {stderr} = await run('webhook trigger auth --to URL', other.url, {policyPlace: named})
    expect(stderr).not.toContain('GATE_REFUSED')
    expect(other.requests.map(({url}) => url)).toEqual(['/auth'])
    await other.close()
  })
})
