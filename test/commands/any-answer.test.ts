// Whatever JSON a service answers, no command breaks over it.
import process from 'node:process'
import fc from 'fast-check'
import {afterAll, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'
import {operationCalls} from './operation-calls.ts'

const home = await openHome()
let bend: ((body: unknown, url: string) => unknown) | undefined
const service = await openService(undefined, (own, {url, method}) => {
  const text = Buffer.from(own.body).toString()
  if (bend === undefined || text === '' || own.status >= 300 || url.startsWith('/_sandbox')) return own
  return method === 'GET' || text.startsWith('{') ? reply(own.status, bend(JSON.parse(text), url)) : own
})
await home.json(['profiles', 'add', 'svc', '--kind', 'sandbox', '--base-url', service.url])
const AT = {env: {CARDCTL_PROFILE: 'svc'}}
const atService: Home = {
  ...home,
  run: (argv, options) => home.run(argv, {...options, ...AT}),
  json: (argv, options) => home.json(argv, {...options, ...AT}),
}
afterAll(async () => {
  await service.close()
  await home.remove()
})

/** Every place of a JSON value, as a list of names. */
function placesOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([name, item]) => placesOf(item, [...at, name]))]
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  if (Array.isArray(value))
    return value.map((item, at) => (String(at) === name ? replaced(item, rest, by) : item))
  return {...(value as object), [name]: replaced((value as Record<string, unknown>)[name], rest, by)}
}

/** What stands where something else was expected. */
const strange = fc.constantFrom<unknown[]>(
  null,
  '',
  'text',
  -1,
  1e21,
  true,
  [],
  {},
  [null],
  ['text'],
  [[]],
  [{}],
  {status: {}},
  {items: null},
  {items: {}},
  'FAILED',
  {status: 'FAILED', errorDetails: 'x'},
  {status: 'FAILED', errorDetails: [null, 7]},
  {status: 'FAILED', errorDetails: {field: 'x'}},
  {items: [null, 7, {status: 'FAILED'}]},
  '4111111111111111',
  '2026-13-45T99:99:99',
  '\u001b[31m',
)

const trace = 'remotecheckout enroll --customer 1001 --card 3001 --bid ISSUER-1'
const LINES: readonly (readonly [line: string, ...before: string[]])[] = [
  ['cards get 3001'],
  ['cards list --customer 1003 --all'],
  ['cards plastics 3004'],
  ['cards control-token 3001'],
  ['cards payment-info 3001 --public-key KEY'],
  ['accounts patch 2001 --type credit -F creditLimit=5000'],
  ['pricelists patch 5001 -F code=A'],
  ['a2a list --all'],
  ['a2a get 88001 --all'],
  ['a2a watch 88001 --within 10s'],
  ['a2a create --transfer 2006:2007:1.00:EUR:rent --yes --wait --wait-timeout 10s --again'],
  ['remotecheckout get --customer 1001 --bid ISSUER-1', trace, 'sandbox clock advance 1m'],
  ['remotecheckout enroll --customer 1002 --card 3003 --bid ISSUER-1 --wait'],
  ['wallets provision 3001 --wallet issuerwallet --provider shopwallet'],
  ['profiles test svc'],
  ['api GET /v4/3001'],
  ['api GET /v1/a2a/batches --paginate'],
]

const made = await operationCalls['cards.paymentInfo.v3']?.(atService)
const KEY = made?.argv.at(-1) ?? ''
await atService.json('a2a create --transfer 2006:2007:1.00:EUR:first --yes'.split(' '))

/** Time passes only while the tool waits. */
const clock = () => {
  let now = Date.now()
  return {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
  }
}

const RUNS = Number(process.env.ANSWERS ?? 4)

test.each(LINES.map(([line, ...before]) => ({line, before})))(
  '$line',
  async ({line, before}) => {
    const argv = line.replace('KEY', KEY).split(' ')
    for (const one of before) await atService.json(one.split(' '))
    await fc.assert(
      fc.asyncProperty(fc.nat(), strange, fc.constantFrom('table', 'json', 'csv'), async (at, by, format) => {
        let isBent = false
        bend = body => {
          isBent = true
          const places = placesOf(body)
          return replaced(body, places[at % places.length] ?? [], by)
        }
        const {code, stderr} = await atService.run([...argv, '-o', format], clock())
        bend = undefined
        expect([0, 5, 6, 8, 10, 11, 12], stderr).toContain(code)
        expect({isBent, isInternal: stderr.includes('INTERNAL')}, stderr).toEqual({
          isBent: true,
          isInternal: false,
        })
      }),
      {numRuns: RUNS},
    )
  },
  30_000 + RUNS * 500,
)
