// Unusual texts as ids, values and names of members: an answer, an argument or a document never ends a run as INTERNAL.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import fc from 'fast-check'
import {afterAll, expect, test} from 'vitest'
import {openHome, type RunResult} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'
import {unusual, withStrings} from '../helpers/unusual-strings.ts'
import {isWhole, part} from '../helpers/whole.ts'

const RUNS = Number(process.env.ANSWERS ?? (isWhole ? 6 : 1))
const home = await openHome()
let bend = (body: unknown): unknown => body
const service = await openService(undefined, (own, {url}) => {
  const text = Buffer.from(own.body).toString()
  return text === '' || url.startsWith('/_sandbox') ? own : reply(own.status, bend(JSON.parse(text)))
})
await home.json(['profiles', 'add', 'svc', '--kind', 'sandbox', '--base-url', service.url])
afterAll(async () => {
  await service.close()
  await home.remove()
})

const AT = {env: {CARDCTL_PROFILE: 'svc'}}

/** Time passes only while the tool waits. */
function run(argv: readonly string[]): Promise<RunResult> {
  let now = Date.now()
  const sleep = async (ms: number) => {
    now += ms
  }
  return home.run(argv, {...AT, now: () => now, sleep})
}

async function neverInternal(argv: readonly string[]): Promise<RunResult> {
  const result = await run(argv)
  if (result.code === 1 || /^Error INTERNAL|"code": ?"INTERNAL"/m.test(result.stderr))
    expect.fail(`${JSON.stringify(argv).slice(0, 300)} ended ${result.code}: ${result.stderr.slice(-600)}`)
  return result
}

const formats = fc.constantFrom('table', 'json', 'csv', 'yaml', 'ndjson')

/** Which texts of an answer change, and to what. */
const changes = fc.record({
  texts: fc.array(unusual, {minLength: 1, maxLength: 5}),
  every: fc.integer({min: 1, max: 7}),
  onlyIds: fc.boolean(),
})

const bending =
  ({texts, every, onlyIds}: {texts: readonly string[]; every: number; onlyIds: boolean}) =>
  (body: unknown): unknown => {
    let seen = 0
    return withStrings(body, was => {
      if (onlyIds && !/^\d{4,}$|^[\w-]{20,}$/.test(was)) return undefined
      return ++seen % every === 0 ? texts[seen % texts.length] : undefined
    })
  }

const LINES = [
  'cards get 3001',
  'cards list --customer 1003 --all',
  'cards plastics 3004',
  'cards control-token 3001',
  'accounts patch 2001 --type credit -F creditLimit=5000',
  'accounts block 2001 --type credit --yes',
  'pricelists patch 5001 -F code=A',
  'a2a list --all',
  'a2a get 88001 --all',
  'a2a watch 88001 --within 10s',
  'a2a create --transfer 2006:2007:1.00:EUR:rent --yes --wait --wait-timeout 10s --again',
  'remotecheckout get --customer 1001 --bid ISSUER-1',
  'remotecheckout enroll --customer 1002 --card 3003 --bid ISSUER-1 --wait',
  'wallets provision 3001 --wallet issuerwallet --provider shopwallet',
  'find 3001',
  'find 88001',
  'history customer 1001',
  'history card 3001',
  'requests list',
  'requests show last',
  'audit list',
  'report',
  'api GET /v4/3001 --include',
  'api GET /v1/a2a/batches --paginate',
]

await run('a2a create --transfer 2006:2007:1.00:EUR:first --yes'.split(' '))

test.each(LINES)(
  'in the answers to %s',
  async line => {
    const property = fc.asyncProperty(changes, formats, async (change, format) => {
      bend = bending(change)
      await neverInternal([...line.split(' '), '-o', format])
      bend = body => body
    })
    await fc.assert(property, {numRuns: RUNS})
  },
  60_000 + RUNS * 1000,
)

const DOCUMENT = {
  openapi: '3.1.0',
  info: {title: 'Shop', version: '1'},
  servers: [{url: 'https://shop.example/api'}],
  tags: [{name: 'orders', description: 'Orders'}],
  paths: {
    '/orders/{orderId}': {
      get: {
        operationId: 'getOrder',
        tags: ['orders'],
        summary: 'Get an order',
        parameters: [
          {name: 'orderId', in: 'path', required: true, schema: {type: 'string'}},
          {name: 'state', in: 'query', schema: {enum: ['open', 'closed']}, style: 'form'},
          {name: 'X-Trace', in: 'header', schema: {$ref: '#/components/schemas/Trace'}},
        ],
        responses: {
          200: {
            description: 'ok',
            content: {'application/json': {schema: {$ref: '#/components/schemas/Order'}}},
          },
        },
        security: [{token: []}],
      },
      post: {
        operationId: 'changeOrder',
        requestBody: {content: {'application/json': {schema: {$ref: '#/components/schemas/Order'}}}},
        responses: {default: {description: 'any'}},
      },
    },
    '/orders': {
      get: {
        operationId: 'listOrders',
        parameters: [{name: 'page', in: 'query', schema: {type: 'integer', default: 1, pattern: '^a'}}],
        responses: {200: {description: 'ok'}},
      },
    },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        required: ['id'],
        properties: {
          id: {type: 'string'},
          next: {$ref: '#/components/schemas/Order'},
          password: {type: 'string'},
        },
        discriminator: {propertyName: 'kind', mapping: {a: '#/components/schemas/Order'}},
      },
      Trace: {type: 'string', format: 'uuid', examples: ['a']},
    },
    securitySchemes: {
      token: {type: 'http', scheme: 'bearer'},
      key: {type: 'apiKey', in: 'header', name: 'X-Key'},
    },
  },
}

async function importAndUse(text: string): Promise<void> {
  const file = join(home.folder, 'document.json')
  await writeFile(file, text)
  await neverInternal(['contract', 'diff', file])
  const {code} = await neverInternal(['contract', 'import', file, '--name', 'shop', '--yes'])
  if (code !== 0) return
  for (const argv of ['x', 'contract show getOrder', 'contract list']) await neverInternal(argv.split(' '))
  const tags = await home.json<{tag: string}[]>(['x'], AT)
  for (const {tag} of tags) {
    await neverInternal(['x', '--', tag])
    const {code: ended, stdout} = await run(['x', '-o', 'json', '--', tag])
    const commands = ended === 0 ? (JSON.parse(stdout) as {command: string}[]) : []
    for (const {command} of commands) {
      const words = command.split(' ')
      await neverInternal([...words, '--help'])
      await neverInternal([...words, '--dry-run', '--', '3001'])
      await neverInternal(['contract', 'show', command])
    }
  }
}

test(
  'in arguments',
  async () => {
    await importAndUse(JSON.stringify(DOCUMENT))
    const kinds = ['card', 'customer', 'account', 'batch', 'plastic', 'pricelist', 'period']
    const lines = fc.oneof(
      fc.tuple(fc.constant('history'), fc.constantFrom(...kinds), fc.constant('--'), unusual),
      fc.tuple(fc.constant('find'), fc.constant('--'), unusual),
      fc.tuple(
        fc.constant('requests'),
        fc.constantFrom('show', 'resolve', 'undo', 'retry'),
        fc.constant('--'),
        unusual,
      ),
      fc.tuple(
        fc.constant('requests'),
        fc.constant('list'),
        fc.constantFrom('--resource', '--operation', '--since'),
        unusual,
      ),
      fc.tuple(fc.constant('cards'), fc.constantFrom('get', 'plastics'), fc.constant('--'), unusual),
      fc.tuple(fc.constant('a2a'), fc.constantFrom('get', 'watch', 'status'), fc.constant('--'), unusual),
      fc.tuple(
        fc.constant('bulk'),
        fc.constantFrom('status', 'results', 'resume', 'watch'),
        fc.constant('--'),
        unusual,
      ),
      fc.tuple(fc.constant('x'), fc.constant('--'), unusual),
      fc.tuple(...['x', 'orders', 'get-order', '--'].map(fc.constant), unusual),
      fc.tuple(...['x', 'orders', 'get-order', '3001', '--state'].map(fc.constant), unusual),
      fc.tuple(
        fc.constant('contract'),
        fc.constantFrom('show', 'remove', 'diff'),
        fc.constant('--'),
        unusual,
      ),
      fc.tuple(fc.constantFrom('help', 'schema'), fc.constant('--'), unusual),
      fc.tuple(unusual, unusual),
    )
    await fc.assert(
      fc.asyncProperty(lines, async argv => void (await neverInternal(argv))),
      {numRuns: RUNS * 20},
    )
  },
  60_000 + RUNS * 4000,
)

test(
  'in a document',
  async () => {
    const property = fc.asyncProperty(changes, fc.boolean(), async ({texts, every}, keepsShape) => {
      const kept = [
        'openapi',
        'paths',
        'info',
        'get',
        'post',
        'parameters',
        '3.1.0',
        'in',
        'name',
        'schema',
        'path',
      ]
      const mayChange = keepsShape ? (was: string) => !kept.includes(was) : () => true
      let seen = 0
      const next = (was: string) =>
        mayChange(was) && ++seen % (every * 5) === 0 ? texts[seen % texts.length] : undefined
      await importAndUse(JSON.stringify(withStrings(DOCUMENT, next)))
    })
    await fc.assert(property, {numRuns: RUNS * 3})
  },
  60_000 + RUNS * 4000,
)

// JSON writes half of a surrogate pair as six characters, and a text of more than two megabytes is refused.
test.each(
  part(
    [
      ['..', 250_000],
      ['\ud800\ud800', 80_000],
    ] as const,
    2,
  ),
)('half a megabyte of %j in answers, arguments and documents', {timeout: 120_000}, async (piece, times) => {
  const text = piece.repeat(times)
  for (const line of ['cards get 3001', 'a2a get 88001', 'history customer 1001', 'find 3001']) {
    // Not in all ids: an answer that is too large is refused before anything reads it.
    bend = body => {
      let left = 2
      return withStrings(body, was => (/^\d{4,}$/.test(was) && left-- > 0 ? text : undefined))
    }
    for (const format of part(['json', 'table'], 2)) await neverInternal([...line.split(' '), '-o', format])
    bend = body => body
  }
  for (const argv of [
    ['find', '--'],
    ['history', 'customer', '--'],
    ['cards', 'get', '--'],
  ])
    await neverInternal([...argv, text])
  await importAndUse(
    JSON.stringify(withStrings(DOCUMENT, was => (/order$|shop|^ok$/i.test(was) ? text : undefined))),
  )
})
