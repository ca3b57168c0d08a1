// bulk run with operations of the user's own document, against a service that records what it gets.
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {beforeEach, describe, expect, it} from 'vitest'
import {reply} from '../helpers/service.ts'
import {json, useShop} from './imported-shop.ts'

const shop = useShop()

const parameter = (name: string, place: string, schema: object = {type: 'string'}) => ({
  name,
  in: place,
  required: place === 'path',
  schema,
})
const INVOICE = {
  type: 'object',
  required: ['amount'],
  properties: {
    amount: {type: 'number', minimum: 0.01},
    due: {type: 'string', format: 'date'},
    lines: {type: 'array', items: {type: 'string'}},
    payer: {type: 'object', properties: {name: {type: 'string'}, ssn: {type: 'string'}}},
    card_pin: {type: 'string'},
  },
}
const RESULT = {
  type: 'object',
  properties: {id: {type: 'string'}, ssn: {type: 'string'}, card_pin: {type: 'string'}},
}
const operation = (operationId: string, more: object) => ({
  operationId,
  tags: ['invoices'],
  responses: {200: json(RESULT)},
  ...more,
})
const pathsOf = (invoice: object = INVOICE) => ({
  '/units/{unit_token}/invoices': {
    post: operation('createInvoice', {
      parameters: [
        parameter('unit_token', 'path'),
        parameter('copies', 'query', {type: 'integer', maximum: 9}),
        parameter('tags', 'query', {type: 'array', items: {type: 'string'}}),
        parameter('X-Unit', 'header'),
        parameter('lane', 'cookie'),
        parameter('Idempotency-Key', 'header'),
      ],
      requestBody: {required: true, ...json(invoice)},
    }),
    get: operation('listInvoices', {
      parameters: [parameter('unit_token', 'path')],
      responses: {200: json({type: 'array', items: {type: 'object'}})},
    }),
  },
  '/invoices/{id}/remind': {
    put: operation('remind', {parameters: [parameter('id', 'path')], requestBody: json({type: 'object'})}),
  },
  '/invoices/{id}': {delete: operation('drop', {parameters: [parameter('id', 'path')]})},
  '/invoices/{id}/showpan': {get: operation('showPan', {parameters: [parameter('id', 'path')]})},
  '/scans/{id}': {
    post: operation('scan', {
      parameters: [parameter('id', 'path')],
      requestBody: {
        required: true,
        content: {'application/pdf': {schema: {type: 'string', format: 'binary'}}},
      },
    }),
  },
  // A path of the built-in contract, and what a document may call it.
  '/v4/CREDIT/{id}': {
    patch: operation('findCredit', {
      parameters: [parameter('id', 'path')],
      requestBody: json({type: 'object', properties: {status: {type: 'string'}}}),
    }),
  },
})
const CREATE = ['bulk', 'run', 'x', 'invoices', 'create-invoice']
const REMIND = ['bulk', 'run', 'x', 'invoices', 'remind']

const file = async (text: string, name = 'rows.csv') => {
  const path = join(shop().folder, name)
  await writeFile(path, text)
  return path
}
const run = async (words: readonly string[], rows: string, ...flags: string[]) =>
  shop().run([...words, '--from', await file(rows), ...flags])
const sent = () =>
  shop().service.requests.map(({method, url, body, headers}) => ({
    line: `${method} ${url} ${body}`,
    key: headers?.['idempotency-key'],
    headers,
  }))
const lines = () => sent().map(({line}) => line)
const summary = async (job = 'last') =>
  JSON.parse((await shop().run(['bulk', 'status', job, '-o', 'json'])).stdout)

beforeEach(() => shop().importPaths(pathsOf()))

describe('rows', () => {
  it('fill path, query, header, cookie and body as the document types them', async () => {
    const rows = [
      'Unit Token,copies,tags,X-Unit,lane,amount,lines,payer.name,note',
      'u 1,2,"[""a"",""b""]",north,fast,12.50,"[""one""]",Aino,',
      '0123,,,,,1,,,',
    ]
    const {code, stderr} = await run(CREATE, rows.join('\n'), '-F', 'due=2026-12-01')
    expect(code, stderr).toBe(0)
    const [first, second] = sent().toSorted((a, b) => (a.line < b.line ? 1 : -1))
    expect(first?.line).toBe(
      'POST /base/units/u%201/invoices?copies=2&tags=a&tags=b {"amount":12.5,"lines":["one"],"payer":{"name":"Aino"},"due":"2026-12-01"}',
    )
    expect(first?.headers).toMatchObject({'x-unit': 'north', cookie: 'lane=fast'})
    expect(second?.line).toBe('POST /base/units/0123/invoices {"amount":1,"due":"2026-12-01"}')
    expect(first?.key).toMatch(/^[0-9a-f]{48}$/)
    expect(first?.key).not.toBe(second?.key)
  })

  it('of NDJSON have values of their own types, and --map puts columns anywhere', async () => {
    const path = await file('{"u":"u1","n":3,"t":["a"],"sum":1.5,"where":"south"}\n', 'rows.ndjson')
    const map = ['u=path:unit_token', 'n=query:copies', 't=query:tags', 'sum=amount', 'where=header:X-Unit']
    const flags = map.flatMap(one => ['--map', one])
    expect(await shop().run([...CREATE, '--from', path, ...flags])).toMatchObject({code: 0})
    expect(lines()).toEqual(['POST /base/units/u1/invoices?copies=3&tags=a {"amount":1.5}'])
    expect(sent()[0]?.headers).toMatchObject({'x-unit': 'south'})
  })

  it('are all checked before the first is sent, and bad ones named by their line', async () => {
    const rows = [
      'unit_token,amount,copies,due',
      'u1,5,1,2026-12-01',
      'u2,0,1,2026-12-01',
      ',5,1,2026-12-01',
      'u4,5,12,2026-12-01',
      'u5,5,1,tomorrow',
      'u6,five,1,',
    ]
    const {code, stderr} = await run(CREATE, rows.join('\n'))
    expect(code).toBe(2)
    for (const words of [
      'row 2 (line 3): amount must be',
      'row 3 (line 4): unit_token is missing',
      'row 4 (line 5): copies must be',
      'row 5 (line 6): due must be',
      'row 6 (line 7): amount must be',
    ])
      expect(stderr).toContain(words)
    expect(stderr).not.toContain('row 1')
    expect(sent()).toEqual([])
    expect(await shop().run(['bulk', 'status', 'last'])).toMatchObject({code: 5})
  })

  it('with a column that the document does not know are refused, unless --map says where it goes', async () => {
    const rows = 'unit_token,amount,amuont\nu1,5,6\n'
    const {code, stderr} = await run(CREATE, rows)
    expect({code, stderr}).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a column is not known here: amuont'),
    })
    expect(await run(CREATE, rows, '--map', 'amuont=extra')).toMatchObject({code: 0})
    expect(lines()).toEqual(['POST /base/units/u1/invoices {"amount":5,"extra":6}'])
  })

  it('go to parameters that the document has, and to no body under the name of one', async () => {
    const rows = 'unit_token,amount,x\nu1,5,6\n'
    for (const to of ['query:copy', 'path:unit', 'header:X-Units', 'cookie:line']) {
      const {code, stderr} = await run(CREATE, rows, '--map', `x=${to}`)
      expect({code, stderr}).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${to} is not a parameter`),
      })
    }
    expect(sent()).toEqual([])
    expect(await run(CREATE, rows, '--map', 'x=header:x-unit')).toMatchObject({code: 0})
    expect(sent()[0]).toMatchObject({headers: {'x-unit': '6'}, line: expect.stringContaining('{"amount":5}')})
  })

  it('fill forms, and --contract chooses where two documents have the command', async () => {
    const content = {
      'application/x-www-form-urlencoded': {schema: {type: 'object', properties: INVOICE.properties}},
    }
    const post = operation('createInvoice', {requestBody: {content}})
    const other = await file(
      JSON.stringify({openapi: '3.1.0', info: {title: 'O', version: '1'}, paths: {'/forms': {post}}}),
      'other.json',
    )
    await shop().run(['contract', 'import', other, '--name', 'forms'])
    const rows = 'amount,lines\n5,"[""a"",""b""]"\n'
    expect(await run(CREATE, rows)).toMatchObject({code: 2, stderr: expect.stringContaining('--contract')})
    expect(await run(CREATE, rows, '--contract', 'forms')).toMatchObject({code: 0})
    expect(lines()).toEqual(['POST /base/forms amount=5&lines=a&lines=b'])
    expect(await summary()).toMatchObject({operation: 'x:forms/invoices/create-invoice'})
  })

  it('hold no secret, and no job keeps one of a response', async () => {
    const refused = await run(CREATE, 'unit_token,amount,card_pin\nu1,5,4826\n')
    expect(refused).toMatchObject({code: 2, stderr: expect.stringContaining('card_pin is a secret')})
    expect(refused.stderr).not.toContain('4826')
    expect(await run(CREATE, 'unit_token,amount\nu1,5\n', '-F', 'card_pin=4826')).toMatchObject({code: 2})
    const deep = await run(CREATE, 'unit_token,amount,m\nu1,5,hunter2\n', '--map', 'm=meta.deep.password')
    expect(deep).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('meta.deep.password is a secret, which bulk jobs never hold'),
    })
    expect(sent()).toEqual([])
    shop().answer = () => reply(200, {id: 'i1', ssn: '131052-308T', card_pin: '4826'})
    const results = join(shop().folder, 'out.ndjson')
    const rows = 'unit_token,amount,payer.ssn\nu1,5,010101-123N\n'
    expect(await run(CREATE, rows, '--results', results)).toMatchObject({code: 0})
    expect(lines()).toEqual(['POST /base/units/u1/invoices {"amount":5,"payer":{"ssn":"010101-123N"}}'])
    const shown = await shop().run(['bulk', 'results', 'last', '-o', 'json'])
    const request = await shop().run(['requests', 'show', 'last', '-o', 'json'])
    for (const text of [await readFile(results, 'utf8'), shown.stdout, request.stdout])
      for (const secret of ['131052-308T', '4826', '010101-123N']) expect(text).not.toContain(secret)
    expect(JSON.parse(shown.stdout)).toMatchObject([{reply: {id: 'i1'}}])
  })
})

describe('an operation', () => {
  it.each([
    [['x', 'invoices', 'show-pan'], 3, 'secret values'],
    [['x', 'invoices', 'scan'], 2, 'takes a file as its body'],
    [['x', 'invoices', 'nothing'], 2, 'Unknown command'],
    [['x', 'invoices'], 2, 'tag and command'],
    [['x:own/invoices/nothing'], 2, 'no imported contract'],
    [['x:other/invoices/remind'], 2, 'no imported contract'],
    [['accounts', 'patch', '--contract', 'own'], 2, '--contract chooses among imported contracts'],
  ])('%j is refused', async (words, code, why) => {
    const result = await run(['bulk', 'run', ...words], 'id\n1\n')
    expect(result).toMatchObject({code, stderr: expect.stringContaining(why)})
    expect(sent()).toEqual([])
  })

  it('that is one of the built-in contract is sent as that one, whatever its document calls it', async () => {
    const effects = await file('findCredit: read\n', 'effects.yaml')
    await shop().importPaths(pathsOf(), {}, '--effects', effects)
    const words = ['bulk', 'run', 'x', 'invoices', 'find-credit']
    await shop().home.run(['profiles', 'edit', 'shop', '--base-url', shop().service.url])
    const result = await run(words, 'id,status\n2001,ACCOUNT_TO_CLOSE\n')
    expect(result).toMatchObject({code: 2, stderr: expect.stringContaining('accounts.patchCredit.v4')})
    expect(sent()).toEqual([])
  })

  it('that reads is sent as a read, and its id names it too', async () => {
    shop().answer = () => reply(200, [{id: 'i1'}])
    const words = ['bulk', 'run', 'x:own/invoices/list-invoices']
    expect(await run(words, 'unit_token\nu1\nu2\n')).toMatchObject({code: 0})
    expect(lines().toSorted()).toEqual(['GET /base/units/u1/invoices ', 'GET /base/units/u2/invoices '])
    expect(await shop().run(['requests', 'list', '-o', 'json'])).toMatchObject({
      stdout: expect.stringMatching(/^\[\s*\]\n$/),
    })
  })

  it('keeps the order of the rows of one resource', async () => {
    const rows = ['unit_token,amount', ...Array.from({length: 12}, (_, at) => `u${at % 2},${at + 1}`)]
    expect(await run(CREATE, rows.join('\n'))).toMatchObject({code: 0})
    const amounts = (unit: string) =>
      lines().flatMap(line => (line.includes(`/${unit}/`) ? [Number(/:(\d+)/.exec(line)?.[1])] : []))
    expect(amounts('u0')).toEqual([1, 3, 5, 7, 9, 11])
    expect(amounts('u1')).toEqual([2, 4, 6, 8, 10, 12])
  })
})

describe('the gate of the profile', () => {
  const live = async (...flags: string[]) =>
    expect(await shop().home.run(['profiles', 'edit', 'shop', ...flags])).toMatchObject({code: 0})

  it('asks for deletions with their count on live, and for a yes elsewhere', async () => {
    const words = ['bulk', 'run', 'x', 'invoices', 'drop']
    expect(await run(words, 'id\n1\n2\n')).toMatchObject({code: 2})
    await live('--kind', 'live', '--profile-audit-user', 'Aino')
    const refused = await run(words, 'id\n1\n2\n', '--yes')
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--confirm x:own/invoices/drop:COUNT'),
    })
    expect(sent()).toEqual([])
    const said = ['--confirm', 'x:own/invoices/drop:2', '--yes']
    expect(await run(words, 'id\n1\n2\n', ...said)).toMatchObject({code: 0})
    expect(sent()).toHaveLength(2)
  })

  it.each([
    [['--read-only'], 'read-only'],
    [['--second-person-for', 'destroyed'], 'second person'],
  ])('%j holds for each row', async (flags, why) => {
    await live(...flags)
    const result = await run(['bulk', 'run', 'x', 'invoices', 'drop'], 'id\n1\n', '--yes')
    expect(result).toMatchObject({code: 3, stderr: expect.stringContaining(why)})
    expect(sent()).toEqual([])
  })

  it('on live goes by the document, where a file calls a write a read', async () => {
    const effects = await file('createInvoice: read\n', 'effects.yaml')
    await shop().importPaths(pathsOf(), {}, '--effects', effects)
    await live('--kind', 'live', '--profile-audit-user', 'Aino')
    const rows = 'unit_token,amount\nu1,5\n'
    expect(await run(CREATE, rows)).toMatchObject({code: 2})
    expect(sent()).toEqual([])
    expect(await run(CREATE, rows, '--yes')).toMatchObject({code: 0})
    const {stdout} = await shop().run(['requests', 'list', '-o', 'json'])
    expect(JSON.parse(stdout)).toMatchObject([
      {effectMark: 'write', operation: 'x:own/invoices/create-invoice'},
    ])
  })
})

describe('a job', () => {
  const ROWS = 'unit_token,amount\nu1,1\nu2,2\nu3,3\n'
  const lose = () => {
    shop().answer = () => reply(502, {})
  }

  it('sends rows again with their keys, and is repeated by its job key', async () => {
    lose()
    const flags = ['--job-key', 'n1', '--retries', '0']
    expect((await run(CREATE, ROWS, ...flags)).code).not.toBe(0)
    expect(await summary()).toMatchObject({open: 3, operation: 'x:own/invoices/create-invoice'})
    const before = sent()
    shop().answer = () => reply(200, {id: 'i1'})
    const other = await run(CREATE, ROWS.replace('u3,3', 'u3,4'), ...flags)
    expect(other).toMatchObject({code: 2, stderr: expect.stringContaining('row 3')})
    expect(await run(CREATE, ROWS, ...flags)).toMatchObject({code: 0})
    const keys = new Map(before.map(({line, key}) => [line, key]))
    for (const {line, key} of sent()) expect(key).toBe(keys.get(line))
    expect(await run(CREATE, ROWS, ...flags)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('all rows were done'),
    })
    expect(sent()).toHaveLength(6)
  })

  it('without a key leaves rows with an unknown effect alone, until a person says what became of them', async () => {
    lose()
    expect(await run(REMIND, 'id\n1\n2\n', '--retries', '0')).toMatchObject({code: 10})
    expect(await summary()).toMatchObject({unknown: 2})
    shop().answer = () => reply(200, {})
    await shop().run(['bulk', 'resume', 'last'])
    expect(sent()).toHaveLength(2)
    const {stdout} = await shop().run(['bulk', 'results', 'last', '-o', 'json'])
    const [{request}] = JSON.parse(stdout)
    const found = ['--found', 'no-effect', '--because', 'not there', '--yes']
    expect(await shop().run(['requests', 'resolve', request, ...found])).toMatchObject({code: 0})
    await shop().run(['bulk', 'resume', 'last'])
    expect(lines().slice(2)).toEqual(['PUT /base/invoices/1/remind '])
  })

  it('continues only by the document that it began with, at any door', async () => {
    shop().answer = () => reply(503, {}, {'retry-after': '1'})
    const flags = ['--job-key', 'n1', '--retries', '0']
    expect((await run(CREATE, ROWS, ...flags)).code).not.toBe(0)
    shop().answer = () => reply(200, {id: 'i1'})
    const before = sent().length
    const exported = join(shop().folder, 'job.ndjson')
    const changed = {...INVOICE, properties: {...INVOICE.properties, amount: {type: 'integer'}}}
    await shop().importPaths(pathsOf(changed))
    for (const line of [
      ['bulk', 'resume', 'last'],
      [...CREATE, '--from', await file(ROWS), ...flags],
    ]) {
      const {code, stderr} = await shop().run(line)
      expect({code, stderr}).toMatchObject({code: 3, stderr: expect.stringContaining('DESCRIPTION_CHANGED')})
      expect(stderr).toContain('contract import FILE --name own')
      expect(stderr).toContain('bulk cancel')
    }
    expect(await shop().run(['bulk', 'export', 'last', '--to', exported])).toMatchObject({code: 0})
    expect(await shop().run(['bulk', 'import', exported])).toMatchObject({code: 3})
    await shop().run(['contract', 'remove', 'own', '--yes'])
    expect(await shop().run(['bulk', 'import', exported])).toMatchObject({code: 3})
    // What became of it can be seen without the document.
    expect(await summary()).toMatchObject({rows: 3, done: 0})
    expect(await shop().run(['bulk', 'list'])).toMatchObject({code: 0})
    expect(sent()).toHaveLength(before)
    // Importing the same document again changes nothing.
    await shop().importPaths(pathsOf())
    expect(await shop().run(['bulk', 'import', exported])).toMatchObject({code: 0})
    expect(await shop().run(['bulk', 'resume', 'last'])).toMatchObject({code: 0})
    expect(sent()).toHaveLength(before + 3)
  })
})
