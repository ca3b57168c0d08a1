import {mkdtemp, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import type {PlainRequest} from '../../src/sandbox/index.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const SHOP = fileURLToPath(new URL('../fixtures/documents/shop-3.0.yaml', import.meta.url))

let home: Home
let service: Service
let answer: (request: PlainRequest) => ReturnType<typeof reply> | undefined
let folder: string

beforeEach(async () => {
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'imported-'))
  answer = () => reply(200, {})
  service = await openService(request => answer(request))
  await home.run([
    'profiles',
    'add',
    'shop',
    '--base-url',
    `${service.url}/base`,
    '--kind',
    'test',
    '--auth',
    'none',
  ])
})
afterEach(async () => {
  await service.close()
  await home.remove()
  await rm(folder, {recursive: true, force: true})
})

const run = (argv: readonly string[], options?: RunOptions) => home.run([...argv, '-p', 'shop'], options)
const importShop = async (...more: string[]) => {
  const result = await run(['contract', 'import', SHOP, '--name', 'shop', ...more])
  expect(result).toMatchObject({code: 0})
  return result
}
/** Imports a document of these paths. */
const importPaths = async (paths: unknown, more: object = {}, ...flags: string[]) => {
  const file = join(folder, 'doc.json')
  await writeFile(file, JSON.stringify({openapi: '3.1.0', info: {title: 'T', version: '1'}, paths, ...more}))
  const result = await run(['contract', 'import', file, '--name', 'own', ...flags])
  expect(result).toMatchObject({code: 0})
  return result
}
const asked = () => service.requests.map(({method, url}) => `${method} ${url}`)
const json = (schema: unknown) => ({content: {'application/json': {schema}}})

describe('contract import', () => {
  it('says what it made, what it needs and what is never called', async () => {
    const {stdout} = await importShop()
    expect(stdout).toContain('5 commands from Corner shop 2')
    expect(stdout).toContain('(https://shop.example/api/v2) are never called')
    expect(stdout).toContain('--prefix /api/v2')
    expect(stdout).toContain('--auth bearer')
  })

  it('masks a card number in whatever the document is called', async () => {
    const info = {title: 'Card 4111111111111111', version: '4111111111111111'}
    const servers = [{url: 'https://api.example/4111111111111111'}]
    const paths = {
      '/4111111111111111': {
        get: {tags: ['cards'], operationId: 'get', responses: {200: {$ref: '#/nowhere'}}},
      },
    }
    const {stdout} = await importPaths(paths, {info, servers}, '-o', 'json')
    const listed = await run(['contract', 'list', '-o', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({facts: {title: 'Card 411111••••••1111'}})
    expect(stdout + listed.stdout).not.toContain('4111111111111111')
  })

  it('keeps one file that only its owner may read, and list and remove know it', async () => {
    await importShop()
    const contracts = join(home.folder, '.local/share/cardctl/contracts/shop')
    expect(await readdir(contracts)).toEqual(['shop.contract'])
    expect((await stat(join(contracts, 'shop.contract'))).mode & 0o777).toBe(0o600)
    expect((await stat(contracts)).mode & 0o777).toBe(0o700)
    expect(JSON.parse((await run(['contract', 'list', '-o', 'json'])).stdout)).toMatchObject([
      {name: 'shop', operations: 5},
    ])
    expect(await run(['contract', 'remove', 'shpo'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean shop?'),
    })
    expect(await run(['contract', 'remove', 'shop'])).toMatchObject({code: 0})
    expect(await readdir(contracts)).toEqual([])
    expect(await run(['x', 'orders'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no imported contract'),
    })
  })

  it('leaves out what cannot be used, says where, and keeps the rest', async () => {
    const {stdout} = await importPaths({
      '/a': {get: {operationId: 'a', parameters: [{$ref: '#/components/parameters/None'}]}},
      '/b': {get: {operationId: 'b', responses: {}}},
    })
    expect(stdout).toContain('Left out (1)')
    expect(stdout).toMatch(
      /GET \/a · the reference #\/components\/parameters\/None leads to nothing · .*doc\.json:1 #\/paths/,
    )
    expect((await run(['x', 'a', '--help'])).code).toBe(2)
    expect(await run(['x', 'b', 'b'])).toMatchObject({code: 0})
  })

  it('gives each operation a name of its own, whatever the document calls them', async () => {
    const paths = {
      '/v1/{tenant}/orders': {get: {operationId: 'getAll'}, post: {operationId: 'getAll'}},
      '/v1/things': {get: {}, delete: {operationId: '\u001b[\u202e'}},
      '/x': {
        get: {tags: ['__proto__'], operationId: 'constructor'},
        put: {tags: ['Übersicht & Co'], operationId: 'Orders.listAllV2'},
      },
    }
    const {stdout} = await importPaths(paths)
    expect(stdout).toContain('POST /v1/{tenant}/orders is x orders get-all-2: get-all was taken.')
    expect(stdout).not.toContain('\u001b')
    const {stdout: tags} = await run(['x', '-o', 'json'])
    expect((JSON.parse(tags) as {tag: string}[]).map(({tag}) => tag)).toEqual([
      'orders',
      'proto',
      'things',
      'ubersicht-co',
    ])
    const commands = async (tag: string) =>
      (JSON.parse((await run(['x', tag, '-o', 'json'])).stdout) as {command: string}[]).map(
        ({command}) => command,
      )
    expect(await commands('things')).toEqual(['x things get', 'x things delete'])
    expect(await commands('proto')).toEqual(['x proto constructor'])
    expect(await commands('ubersicht-co')).toEqual(['x ubersicht-co list-all-v2'])
    expect(await run(['x', 'proto', 'constructor'])).toMatchObject({code: 0})
  })

  it('is undone with its profile', async () => {
    await importShop()
    await home.run(['profiles', 'remove', 'shop', '--yes'])
    expect(await readdir(join(home.folder, '.local/share/cardctl/contracts'))).toEqual([])
  })

  it('reads a document from stdin, and refuses what is none', async () => {
    const stdin = JSON.stringify({openapi: '3.1.0', info: {}, paths: {'/b': {get: {operationId: 'b'}}}})
    expect(await run(['contract', 'import', '-', '--name', 'b'], {stdin})).toMatchObject({code: 0})
    expect(await run(['contract', 'import', '-', '--name', 'c'], {stdin: 'swagger: "2.0"'})).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Swagger 2.0'),
    })
    expect(await run(['contract', 'import', '-', '--name', '../c'], {stdin})).toMatchObject({code: 2})
  })
})

describe('x', () => {
  it('lists tags and commands, and suggests what was probably meant', async () => {
    await importShop()
    expect((await run(['x'])).stdout).toMatch(/orders\s+5\s+What people buy/)
    expect((await run(['x', 'orders'])).stdout).toMatch(
      /x orders get-secret\s+GET \/orders\/\{orderId\}\/secret\s+disclose/,
    )
    expect(await run(['x', 'ordesr'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean orders?'),
    })
    expect(await run(['x', 'orders', 'get-ordr'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean get-order?'),
    })
    expect(await run(['x', 'orders', 'list-orders', '--statee', 'a'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean --state?'),
    })
  })

  it('sends below the base URL of the profile, with prefix, path, query and header parameters', async () => {
    await importShop('--prefix', '/v2')
    answer = () => reply(200, {data: []})
    expect(
      await run([
        'x',
        'orders',
        'list-orders',
        '--state',
        'open',
        '--state',
        'paid',
        '--filter',
        'from=2020-01-01',
        '--after',
        'a/b&c',
      ]),
    ).toMatchObject({code: 0})
    expect(asked()).toEqual([
      'GET /base/v2/orders?after=a%2Fb%26c&state=open,paid&filter%5Bfrom%5D=2020-01-01',
    ])
  })

  it('checks what is given before anything is sent', async () => {
    await importShop()
    const faults: [string[], string][] = [
      [['get-order', '0'], 'ORDER-ID must be more than 0'],
      [['get-order', 'a'], 'ORDER-ID must be a whole number'],
      [['list-orders', '--state', 'lost'], '--state must be one of open, paid'],
      [['list-orders', '--param-limit', '101'], '--param-limit must be 100 or less'],
      [['create-order'], 'needs a body'],
      [['create-order', '-F', 'note=x'], 'item is missing'],
      [['create-order', '-F', 'item=a', '-F', 'price.amount=-1'], 'price.amount must be 0 or more'],
      [['create-order', '-F', 'item=a', '-F', 'price.currency=eu'], 'price.currency must be'],
      [['create-order', '-F', 'item=<text>'], 'still has its placeholder'],
    ]
    for (const [argv, words] of faults) {
      expect(await run(['x', 'orders', ...argv]), argv.join(' ')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(words),
      })
    }
    expect(asked()).toEqual([])
    expect(await run(['x', 'orders', 'get-order', '0', '--no-check-input'])).toMatchObject({code: 0})
  })

  it('writes by the one way: gate, journal, key, audit', async () => {
    await importShop()
    answer = () => reply(201, {id: 7, item: 'chair'})
    const {code, stdout, stderr} = await run([
      'x',
      'orders',
      'create-order',
      '-F',
      'item=chair',
      '-o',
      'json',
    ])
    expect({code, reply: JSON.parse(stdout)}).toEqual({code: 0, reply: {id: 7, item: 'chair'}})
    expect(stderr).toMatch(/request r_/)
    expect(service.requests[0]?.headers['x-idempotency-key']).toBeTruthy()
    expect(JSON.parse(service.requests[0]?.body.toString() ?? '')).toEqual({item: 'chair'})
    const {stdout: requests} = await run(['requests', 'list', '-o', 'json'])
    expect(JSON.parse(requests)).toMatchObject([
      {operation: 'x:shop/orders/create-order', state: 'done', replyId: '7'},
    ])
    const {stdout: trail} = await run(['audit', 'list', '-o', 'json'])
    expect(trail).toContain('x:shop/orders/create-order')
    await run(['profiles', 'edit', 'shop', '--read-only'])
    expect(await run(['x', 'orders', 'create-order', '-F', 'item=chair'])).toMatchObject({code: 3})
    expect(service.requests.length).toBe(1)
  })

  it('asks before it destroys', async () => {
    await importShop()
    expect(await run(['x', 'orders', 'delete-order', '7'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('CONFIRMATION_REQUIRED'),
    })
    expect(asked()).toEqual([])
    answer = () => ({status: 204, headers: {}, body: Buffer.alloc(0)})
    expect(await run(['x', 'orders', 'delete-order', '7', '--confirm', '7'])).toMatchObject({code: 0})
    expect(asked()).toEqual(['DELETE /base/orders/7'])
  })

  it('masks what looks secret in answers, and shows it only when asked', async () => {
    await importShop()
    answer = () => reply(200, {id: 7, pin: '1234-the-pin', extra: {accessToken: 'abc-the-token'}})
    const plain = await run(['x', 'orders', 'get-secret', '7', '-o', 'json', '--debug'])
    expect(plain.code).toBe(0)
    expect(JSON.parse(plain.stdout)).toEqual({id: 7, pin: '[masked]', extra: {accessToken: '[masked]'}})
    expect(plain.stderr).not.toMatch(/the-pin|the-token/)
    expect(await run(['x', 'orders', 'get-secret', '7', '--reveal'])).toMatchObject({code: 2})
    const shown = await run(['x', 'orders', 'get-secret', '7', '-o', 'json', '--reveal', '--yes'])
    expect(JSON.parse(shown.stdout)).toMatchObject({pin: '1234-the-pin'})
    const {stdout: trail} = await run(['audit', 'list', '-o', 'json'])
    expect(trail).toContain('"reveal"')
    expect(trail + (await run(['requests', 'list', '-o', 'json'])).stdout).not.toMatch(/the-pin|the-token/)
  })

  it('takes no secret by argv: members, parameters and references', async () => {
    await importPaths({
      '/login': {
        post: {
          operationId: 'login',
          parameters: [
            {name: 'apiSecret', in: 'query', schema: {type: 'string'}},
            {name: 'X-Pin', in: 'header', schema: {type: 'string'}},
          ],
          requestBody: json({
            type: 'object',
            properties: {
              password: {type: 'string'},
              user: {type: 'string'},
              deep: {type: 'object', properties: {code: {type: 'string', format: 'password'}}},
            },
          }),
          responses: {200: {description: '', ...json({type: 'object'})}},
        },
      },
    })
    const line = ['x', 'login', 'login']
    for (const field of ['password=the-secret', 'deep.code=the-secret', 'deep.cvv=the-secret']) {
      const {code, stderr} = await run([...line, '-F', field])
      expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('SENSITIVE_IN_ARGV')})
      expect(stderr).not.toContain('the-secret')
    }
    expect(await run([...line, '--api-secret', 'the-secret'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SENSITIVE_IN_ARGV'),
    })
    const env = {THE_PIN: 'pin-from-env', THE_SECRET: 'secret-from-env'}
    const sent = await run(
      [...line, '--api-secret', 'env:THE_SECRET', '--x-pin', 'env:THE_PIN', '--data', '-', '--debug'],
      {
        env,
        stdin: '{"user": "u", "password": "pass-from-stdin"}',
      },
    )
    expect(sent).toMatchObject({code: 0})
    expect(service.requests[0]).toMatchObject({
      url: '/base/login?apiSecret=secret-from-env',
      headers: {'x-pin': 'pin-from-env'},
    })
    expect(service.requests[0]?.body.toString()).toContain('pass-from-stdin')
    const dry = await run(
      [...line, '--api-secret', 'env:THE_SECRET', '--x-pin', 'env:THE_PIN', '--dry-run'],
      {env},
    )
    const kept = await run(['requests', 'list', '-o', 'json'])
    const shown = await run([
      'requests',
      'show',
      (JSON.parse(kept.stdout) as {id: string}[])[0]?.id ?? '',
      '-o',
      'json',
    ])
    const everything = [sent, dry, kept, shown].map(({stdout, stderr}) => stdout + stderr).join()
    expect(everything).not.toMatch(/from-env|from-stdin/)
    const data = join(home.folder, '.local/share/cardctl')
    for (const file of await readdir(data, {recursive: true, withFileTypes: true})) {
      if (file.isFile())
        expect(await readFile(join(file.parentPath, file.name), 'latin1')).not.toMatch(/from-env|from-stdin/)
    }
  })

  it('shows help with the words of the document, which act on nothing', async () => {
    await importPaths({
      '/things/{id}': {
        get: {
          operationId: 'getThing',
          tags: ['things'],
          description: 'First line.\nSecond <%= process.exit(9) %> \u001b[31mred\u202e line.',
          parameters: [
            {
              name: 'id',
              in: 'path',
              required: true,
              description: 'The id',
              schema: {type: 'string'},
              example: 'a1',
            },
            {
              name: 'kind',
              in: 'query',
              description: 'Its <% kind %>',
              schema: {type: 'string', enum: Array.from({length: 5000}, (_, at) => `kind${at}`)},
            },
          ],
        },
      },
    })
    const {code, stdout} = await run(['x', 'things', 'get-thing', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('x things get-thing ID')
    expect(stdout).toContain('cardctl x things get-thing a1')
    expect(stdout).toContain('Second < %= process.exit(9) % > \\u001b[31mred\\u202e line.')
    expect(stdout.replace(/\s+/g, ' ')).toContain('One of kind0, kind1')
    expect(stdout.length).toBeLessThan(10_000)
    expect((await run(['x', 'things', '--help'])).stdout).toContain('x things get-thing')
    expect((await run(['x', 'things', 'get-thing', 'b', '--kind', 'kind4999'])).code).toBe(0)
  })

  it('offers a skeleton of bodies that hold themselves', async () => {
    await importShop()
    const {stdout} = await run(['x', 'orders', 'create-order', '--skeleton'])
    expect(JSON.parse(stdout)).toEqual({
      item: expect.any(String),
      note: expect.any(String),
      price: {amount: '<number>', currency: expect.any(String)},
      parts: [{}],
    })
  })
})

describe('effects of an imported operation', () => {
  it('follow from method and answer, and from --effects before those', async () => {
    const paths = {'/search': {post: {operationId: 'search'}}, '/reset': {get: {operationId: 'reset'}}}
    const effects = join(folder, 'effects.yaml')
    await writeFile(effects, 'search: read\nGET /reset: write\n')
    await importPaths(paths, {}, '--effects', effects)
    await run(['profiles', 'edit', 'shop', '--read-only'])
    expect(await run(['x', 'search', 'search'])).toMatchObject({code: 0})
    expect(await run(['x', 'reset', 'reset'])).toMatchObject({code: 3})
    await writeFile(effects, 'serch: read\n')
    expect(
      await run(['contract', 'import', join(folder, 'doc.json'), '--name', 'own', '--effects', effects]),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean search?'),
    })
    await writeFile(effects, 'search: reads\n')
    expect(
      await run(['contract', 'import', join(folder, 'doc.json'), '--name', 'own', '--effects', effects]),
    ).toMatchObject({code: 2})
  })
})
