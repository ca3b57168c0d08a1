import dns from 'node:dns'
import net from 'node:net'
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService} from '../helpers/service.ts'

let home: Home
let reached: string[]
beforeEach(async () => {
  home = await openHome()
  reached = []
  // Everything that leaves a process of Node goes through one of these.
  const real = net.Socket.prototype.connect
  vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (
    this: net.Socket,
    ...args: unknown[]
  ) {
    reached.push(addressIn(args))
    return Reflect.apply(real, this, args)
  } as typeof real)
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6'] as const) {
    const resolve = dns[name] as (...args: unknown[]) => unknown
    vi.spyOn(dns, name).mockImplementation((...args: unknown[]) => {
      // A server that listens on an address "looks it up", too.
      if (net.isIP(String(args[0]))) return resolve(...args)
      reached.push(`dns ${args[0]}`)
      throw new Error('No names in this test')
    })
  }
})
afterEach(async () => {
  vi.restoreAllMocks()
  await home.remove()
})

/** `connect` takes options, a list of normalised arguments, or port and host. */
function addressIn(args: readonly unknown[]): string {
  const [first, second] = args.flat() as [unknown, unknown]
  if (typeof first === 'object' && first !== null) {
    const {host, port, path} = first as {host?: string; port?: number; path?: string}
    return path ?? `${host}:${port}`
  }
  return `${second}:${first}`
}

const QUIET = [
  'cards get 3001',
  'cards list --customer 1003 --all',
  'cards payment-info 3001',
  'pin view 3001 --reveal --yes',
  'accounts patch 2001 --type credit -F creditLimit=5000',
  'a2a create --transfer 2006:2007:1:EUR --wait --yes',
  'remotecheckout enroll --customer 1001 --card 3001 --bid B',
  'api GET /v4/3001',
  'sandbox info',
  'sandbox clock advance 1h',
  'sandbox state list account',
  'requests list',
  'profiles list',
  'profiles show sandbox',
  'profiles add far --kind test --base-url https://api.example --auth none',
  'whoami',
  'upgrade',
  'help',
  'help exit-codes',
  'cards --help',
  '--version',
  'cards get 9999',
  'bogus',
]

describe('no telemetry, no update check', () => {
  it.each(QUIET)('%s reaches nothing but the sandbox inside', async line => {
    await home.run(line.split(' '))
    expect(reached).toEqual([])
  })

  it('one run after the other, neither', async () => {
    expect((await home.run(['profiles', 'use', 'sandbox'])).code).toBe(0)
    for (const line of QUIET) await home.run(line.split(' '), {env: {CI: '1'}})
    expect(reached).toEqual([])
  })

  it('whoami shows a live profile without contacting it or reading its secret', async () => {
    await home.json(
      'profiles add prod --kind live --base-url https://api.example --auth bearer --secret cmd:false --profile-audit-user aino'.split(
        ' ',
      ),
    )
    const {code, stdout} = await home.run(['whoami', '-p', 'prod', '--json'])
    expect(code).toBe(0)
    expect(JSON.stringify(JSON.parse(stdout))).toContain('https://api.example')
    expect(reached).toEqual([])
  })

  it('a service on a port is the only place that is reached', async () => {
    const service = await openService()
    try {
      await home.json(['profiles', 'add', 'test', '--kind', 'test', '--base-url', service.url])
      reached = []
      for (const line of QUIET.slice(0, 8)) await home.run([...line.split(' '), '-p', 'test'])
      expect(service.requests.length).toBeGreaterThan(8)
      expect(new Set(reached)).toEqual(new Set([new URL(service.url).host]))
    } finally {
      await service.close()
    }
  })
})
