import {readdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {reply} from '../helpers/service.ts'
import {json, useShop} from './imported-shop.ts'

const shop = useShop()

describe('x', () => {
  it('lists tags and commands, and suggests what was probably meant', async () => {
    await shop().importShop()
    expect((await shop().run(['x'])).stdout).toMatch(/orders\s+5\s+What people buy/)
    expect((await shop().run(['x', 'orders'])).stdout).toMatch(
      /x orders get-secret\s+GET \/orders\/\{orderId\}\/secret\s+disclose/,
    )
    expect(await shop().run(['x', 'ordesr'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean orders?'),
    })
    expect(await shop().run(['x', 'orders', 'get-ordr'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean get-order?'),
    })
    expect(await shop().run(['x', 'orders', 'list-orders', '--statee', 'a'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean --state?'),
    })
  })

  it('shows commands whole in a narrow window, and leaves out their requests', async () => {
    await shop().importShop()
    const {stdout} = await shop().run(['x', 'orders'], {columns: 50})
    for (const name of ['list-orders', 'create-order', 'get-order', 'delete-order', 'get-secret'])
      expect(stdout).toMatch(new RegExp(`x orders ${name}\\s+[a-z]+ `))
    expect(stdout).toMatch(/command +effect +summary/)
    expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(50)
  })

  it('sends below the base URL of the profile, with prefix, path, query and header parameters', async () => {
    await shop().importShop('--prefix', '/v2')
    shop().answer = () => reply(200, {data: []})
    expect(
      await shop().run([
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
    expect(shop().requested()).toEqual([
      'GET /base/v2/orders?after=a%2Fb%26c&state=open,paid&filter%5Bfrom%5D=2020-01-01',
    ])
  })

  it('checks what is given before anything is sent', async () => {
    await shop().importShop()
    const faults: [string[], string][] = [
      [['get-order', '0'], 'ORDER-ID must be more than 0'],
      [['get-order', 'a'], 'ORDER-ID must be a whole number'],
      [['list-orders', '--state', 'lost'], '--state must be one of open, paid'],
      [['list-orders', '--param-limit', '101'], '--param-limit must be 100 or less'],
      [['create-order'], 'has no fields'],
      [['create-order', '-F', 'note=x'], 'item is missing'],
      [['create-order', '-F', 'item=a', '-F', 'price.amount=-1'], 'price.amount must be 0 or more'],
      [['create-order', '-F', 'item=a', '-F', 'price.currency=eu'], 'price.currency must be'],
      [['create-order', '-F', 'item=<text>'], 'still has its placeholder'],
    ]
    for (const [argv, words] of faults) {
      expect(await shop().run(['x', 'orders', ...argv]), argv.join(' ')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(words),
      })
    }
    expect(shop().requested()).toEqual([])
    expect(await shop().run(['x', 'orders', 'get-order', '0', '--no-check-input'])).toMatchObject({code: 0})
  })

  it('writes through gate, journal, key and audit trail', async () => {
    await shop().importShop()
    shop().answer = () => reply(201, {id: 7, item: 'chair'})
    const {code, stdout, stderr} = await shop().run([
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
    expect(shop().service.requests[0]?.headers['x-idempotency-key']).toBeTruthy()
    expect(JSON.parse(shop().service.requests[0]?.body.toString() ?? '')).toEqual({item: 'chair'})
    const {stdout: requests} = await shop().run(['requests', 'list', '-o', 'json'])
    expect(JSON.parse(requests)).toMatchObject([
      {operation: 'x:shop/orders/create-order', state: 'done', replyId: '7'},
    ])
    const {stdout: trail} = await shop().run(['audit', 'list', '-o', 'json'])
    expect(trail).toContain('x:shop/orders/create-order')
    await shop().run(['profiles', 'edit', 'shop', '--read-only'])
    expect(await shop().run(['x', 'orders', 'create-order', '-F', 'item=chair'])).toMatchObject({code: 3})
    expect(shop().service.requests.length).toBe(1)
  })

  it('asks before it destroys', async () => {
    await shop().importShop()
    expect(await shop().run(['x', 'orders', 'delete-order', '7'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('CONFIRMATION_REQUIRED'),
    })
    expect(shop().requested()).toEqual([])
    shop().answer = () => ({status: 204, headers: {}, body: Buffer.alloc(0)})
    expect(await shop().run(['x', 'orders', 'delete-order', '7', '--confirm', '7'])).toMatchObject({code: 0})
    expect(shop().requested()).toEqual(['DELETE /base/orders/7'])
  })

  it('masks what looks secret in answers, and shows it only when asked', async () => {
    await shop().importShop()
    shop().answer = () => reply(200, {id: 7, pin: '1234-the-pin', extra: {accessToken: 'abc-the-token'}})
    const plain = await shop().run(['x', 'orders', 'get-secret', '7', '-o', 'json', '--debug'])
    expect(plain.code).toBe(0)
    expect(JSON.parse(plain.stdout)).toEqual({id: 7, pin: '[masked]', extra: {accessToken: '[masked]'}})
    expect(plain.stderr).not.toMatch(/the-pin|the-token/)
    expect(await shop().run(['x', 'orders', 'get-secret', '7', '--reveal'])).toMatchObject({code: 2})
    const shown = await shop().run(['x', 'orders', 'get-secret', '7', '-o', 'json', '--reveal', '--yes'])
    expect(JSON.parse(shown.stdout)).toMatchObject({pin: '1234-the-pin'})
    const {stdout: trail} = await shop().run(['audit', 'list', '-o', 'json'])
    expect(trail).toContain('"reveal"')
    expect(trail + (await shop().run(['requests', 'list', '-o', 'json'])).stdout).not.toMatch(
      /the-pin|the-token/,
    )
  })

  it('takes no secret by argv: members, parameters and references', async () => {
    await shop().importPaths({
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
      const {code, stderr} = await shop().run([...line, '-F', field])
      expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('SENSITIVE_IN_ARGV')})
      expect(stderr).not.toContain('the-secret')
    }
    expect(await shop().run([...line, '--api-secret', 'the-secret'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SENSITIVE_IN_ARGV'),
    })
    const env = {THE_PIN: 'pin-from-env', THE_SECRET: 'secret-from-env'}
    const sent = await shop().run(
      [...line, '--api-secret', 'env:THE_SECRET', '--x-pin', 'env:THE_PIN', '--data', '-', '--debug'],
      {
        env,
        stdin: '{"user": "u", "password": "pass-from-stdin"}',
      },
    )
    expect(sent).toMatchObject({code: 0})
    expect(shop().service.requests[0]).toMatchObject({
      url: '/base/login?apiSecret=secret-from-env',
      headers: {'x-pin': 'pin-from-env'},
    })
    expect(shop().service.requests[0]?.body.toString()).toContain('pass-from-stdin')
    const dry = await shop().run(
      [...line, '--api-secret', 'env:THE_SECRET', '--x-pin', 'env:THE_PIN', '--dry-run'],
      {env},
    )
    const kept = await shop().run(['requests', 'list', '-o', 'json'])
    const shown = await shop().run([
      'requests',
      'show',
      (JSON.parse(kept.stdout) as {id: string}[])[0]?.id ?? '',
      '-o',
      'json',
    ])
    const everything = [sent, dry, kept, shown].map(({stdout, stderr}) => stdout + stderr).join()
    expect(everything).not.toMatch(/from-env|from-stdin/)
    const data = join(shop().home.folder, '.local/share/cardctl')
    for (const file of await readdir(data, {recursive: true, withFileTypes: true})) {
      if (file.isFile())
        expect(await readFile(join(file.parentPath, file.name), 'latin1')).not.toMatch(/from-env|from-stdin/)
    }
  })

  it('shows help with the words of the document, which act on nothing', async () => {
    await shop().importPaths({
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
    const {code, stdout} = await shop().run(['x', 'things', 'get-thing', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('x things get-thing ID')
    expect(stdout).toContain('cardctl x things get-thing a1')
    expect(stdout).toContain('Second < %= process.exit(9) % > \\u001b[31mred\\u202e line.')
    expect(stdout.replace(/\s+/g, ' ')).toContain('One of kind0, kind1')
    expect(stdout.length).toBeLessThan(10_000)
    expect((await shop().run(['x', 'things', '--help'])).stdout).toContain('x things get-thing')
    expect((await shop().run(['x', 'things', 'get-thing', 'b', '--kind', 'kind4999'])).code).toBe(0)
  })

  it('asks for the parameters that the document requires, and offers the values that it lists', async () => {
    await shop().importPaths({
      '/things': {
        get: {
          operationId: 'listThings',
          tags: ['things'],
          parameters: [
            {
              name: 'owner',
              in: 'query',
              required: true,
              description: 'Who has it.',
              schema: {type: 'string'},
            },
            {name: 'kind', in: 'query', required: true, schema: {type: 'string', enum: ['big', 'small']}},
            {name: 'page', in: 'query', schema: {type: 'integer'}},
          ],
        },
      },
    })
    const line = ['x', 'things', 'list-things']
    const silent = await shop().run(line)
    expect(silent).toMatchObject({code: 2, stdout: ''})
    expect(silent.stderr).toContain('--owner is missing (Who has it. Required).')
    const asked = await shop().run(line, {
      columns: 80,
      typed: [
        ['Who has it', 'me'],
        ['❯ big', '\u001b[B'],
      ],
    })
    expect(asked.code).toBe(0)
    expect(shop().requested()).toEqual(['GET /base/things?owner=me&kind=small'])
  })

  it('offers a skeleton of bodies that hold themselves', async () => {
    await shop().importShop()
    const {stdout} = await shop().run(['x', 'orders', 'create-order', '--skeleton'])
    expect(JSON.parse(stdout)).toEqual({
      item: expect.any(String),
      note: expect.any(String),
      price: {amount: '<number>', currency: expect.any(String)},
      parts: [{}],
    })
  })
})

describe('effects of an imported operation', () => {
  it('are shown as contradicted where method and name say that more happens', async () => {
    const of = (operationId: string) => ({operationId, tags: ['t'], responses: {200: {description: ''}}})
    const paths = {
      '/transfers': {post: of('createTransfer')},
      '/transfers/search': {post: of('searchTransfers')},
      '/cards/{id}': {delete: of('getRidOfCard')},
      '/pins/reveal': {post: of('getPin')},
    }
    const effects = join(shop().folder, 'effects.yaml')
    await writeFile(
      effects,
      'createTransfer: read\nsearchTransfers: read\ngetRidOfCard: write\ngetPin: read\n',
    )
    const {stdout} = await shop().importPaths(paths, {}, '--effects', effects)
    expect(stdout).toContain('The document contradicts your effects (3)')
    expect(stdout).toContain('x t create-transfer: read, but POST /transfers is a write')
    expect(stdout).toContain('x t get-rid-of-card: write, but DELETE /cards/{id} is a destroy')
    expect(stdout).toContain('x t get-pin: read, but POST /pins/reveal is a disclose')
    const show = (...more: string[]) => shop().run(['contract', 'show', ...more])
    expect((await show('createTransfer')).stdout).toMatch(
      /read by your file .* write by the document: .*contradict/s,
    )
    expect(JSON.parse((await show('createTransfer', '-o', 'json')).stdout)).toMatchObject({
      effect: 'read',
      documentEffect: 'write',
      contradicted: true,
    })
    expect(JSON.parse((await show('searchTransfers', '-o', 'json')).stdout)).toMatchObject({
      documentEffect: 'write',
      contradicted: false,
    })
  })

  it('follow from method and answer, and from --effects before those', async () => {
    const paths = {'/search': {post: {operationId: 'search'}}, '/reset': {get: {operationId: 'reset'}}}
    const effects = join(shop().folder, 'effects.yaml')
    await writeFile(effects, 'search: read\nGET /reset: write\n')
    await shop().importPaths(paths, {}, '--effects', effects)
    await shop().run(['profiles', 'edit', 'shop', '--read-only'])
    expect(await shop().run(['x', 'search', 'search'])).toMatchObject({code: 0})
    expect(await shop().run(['x', 'reset', 'reset'])).toMatchObject({code: 3})
    await writeFile(effects, 'serch: read\n')
    const importOwn = () =>
      shop().run([
        'contract',
        'import',
        join(shop().folder, 'doc.json'),
        '--name',
        'own',
        '--effects',
        effects,
      ])
    expect(await importOwn()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean search?'),
    })
    await writeFile(effects, 'search: reads\n')
    expect(await importOwn()).toMatchObject({code: 2})
  })
})

describe('x --interactive', () => {
  const at = (typed: readonly (readonly [string, string])[]) => ({columns: 80, typed})

  it('asks for the parameters of the path, and prints the whole command line', async () => {
    await shop().importShop()
    shop().answer = () => reply(200, {id: 17})
    const {code, stderr} = await shop().run(
      ['x', 'orders', 'get-order', '-i'],
      at([
        ['? ', '17'],
        ['What else?', ''],
      ]),
    )
    expect({code, sent: shop().requested().length}).toEqual({code: 0, sent: 1})
    expect(stderr).toMatch(/To run this again: cardctl x orders get-order 17\b/)
  })

  it('takes fields of a body as path=value', async () => {
    await shop().importShop()
    const {stderr} = await shop().run(
      ['x', 'orders', 'create-order', '-i', '--dry-run'],
      at([['What else?', '\u0004']]),
    )
    expect(stderr).toContain('Set a field of the request')
  })
})

describe('x --watch', () => {
  const watch = (...line: readonly string[]) => {
    const stop = new AbortController()
    let looks = 0
    // Ends before the third look, as Ctrl-C does. The pace of the requests sleeps too, and for less.
    const sleep = async (ms: number) => void (ms === 1000 && ++looks === 2 && stop.abort('SIGINT'))
    return shop().run(['x', 'orders', ...line, '--watch', '1s'], {columns: 80, signal: stop.signal, sleep})
  }

  it('repeats a read until Ctrl-C, and shows what changed', async () => {
    await shop().importShop()
    let total = 0
    shop().answer = () => reply(200, {id: 17, total: ++total})
    const {code, stdout} = await watch('get-order', '17')
    expect({code, sent: shop().requested().length}).toEqual({code: 0, sent: 2})
    expect(stdout).toMatch(/every 1 s/)
  })

  it('refuses a write before it is sent', async () => {
    await shop().importShop()
    expect((await watch('create-order', '-F', 'total=1')).code).toBe(2)
    expect(shop().requested()).toEqual([])
  })
})
