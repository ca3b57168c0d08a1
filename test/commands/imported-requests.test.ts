import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import type {PlainRequest} from '../../src/sandbox/index.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {isWhole} from '../helpers/whole.ts'
import {cyclicDocument} from '../imported/cyclic-document.ts'

let home: Home
let service: Service
let answer: (request: PlainRequest) => ReturnType<typeof reply> | undefined
let folder: string

beforeEach(async () => {
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'imported-'))
  answer = () => reply(200, {})
  service = await openService(request => answer(request))
})
afterEach(async () => {
  await service.close()
  await home.remove()
  await rm(folder, {recursive: true, force: true})
})

const run = (argv: readonly string[], options?: RunOptions) => home.run([...argv, '-p', 'own'], options)

async function start(document: object, ...auth: string[]) {
  const file = join(folder, 'doc.json')
  await writeFile(file, JSON.stringify({openapi: '3.1.0', info: {title: 'T', version: '1'}, ...document}))
  const flags = [
    '--base-url',
    service.url,
    '--kind',
    'test',
    ...(auth.length > 0 ? auth : ['--auth', 'none']),
  ]
  await home.run(['profiles', 'add', 'own', ...flags], {env})
  const result = await run(['contract', 'import', file, '--name', 'own'])
  expect(result).toMatchObject({code: 0})
  return result
}

const env = {THE_KEY: 'key-of-the-profile', OTHER_KEY: 'key-of-a-flag'}
const text = {type: 'string'}

describe('the credential of a profile', () => {
  const paths = {'/a': {get: {operationId: 'a', security: [{k: []}]}}}
  const scheme = (place: string, name: string) => ({
    paths,
    components: {securitySchemes: {k: {type: 'apiKey', in: place, name}}},
  })
  const header = (name: string) => ['--auth', 'header', '--header-name', name, '--secret', 'env:THE_KEY']

  it('is sent where the document wants a key of its name', async () => {
    await start(scheme('query', 'apiKey'), ...header('apiKey'))
    const {code, stderr, stdout} = await run(['x', 'a', 'a', '--debug'], {env})
    expect(code).toBe(0)
    expect(service.requests[0]).toMatchObject({url: '/a?apiKey=key-of-the-profile'})
    expect(service.requests[0]?.headers.apikey).toBeUndefined()
    expect(stderr + stdout).not.toContain('key-of-the-profile')
  })

  it('is sent in a cookie or a header', async () => {
    await start(scheme('cookie', 'session'), ...header('session'))
    await run(['x', 'a', 'a'], {env})
    expect(service.requests[0]?.headers.cookie).toBe('session=key-of-the-profile')
  })

  it('never goes to a place of another name, nor to the servers of the document', async () => {
    await start({...scheme('query', 'other'), servers: [{url: 'http://127.0.0.1:9'}]}, ...header('x-key'))
    expect(await run(['x', 'a', 'a'], {env})).toMatchObject({code: 0})
    expect(service.requests[0]).toMatchObject({url: '/a', headers: {'x-key': 'key-of-the-profile'}})
  })

  it('may have others beside it, which flags refer to', async () => {
    const schemes = {
      id: {type: 'apiKey', in: 'header', name: 'X-Client-Id'},
      key: {type: 'apiKey', in: 'header', name: 'X-Key'},
    }
    const both = {'/a': {get: {operationId: 'a', security: [{id: [], key: []}]}}}
    await start({paths: both, components: {securitySchemes: schemes}}, ...header('X-Key'))
    expect(await run(['x', 'a', 'a', '--x-client-id', 'plain'], {env})).toMatchObject({code: 2})
    expect(await run(['x', 'a', 'a', '--x-client-id', 'env:OTHER_KEY'], {env})).toMatchObject({code: 0})
    expect(service.requests[0]?.headers).toMatchObject({
      'x-key': 'key-of-the-profile',
      'x-client-id': 'key-of-a-flag',
    })
  })
})

describe('a body', () => {
  const body = (type: string, schema: object, more: object = {}) => ({
    paths: {
      '/a': {
        post: {
          operationId: 'send',
          requestBody: {required: true, content: {[type]: {schema, ...more}}},
          responses: {},
        },
      },
    },
  })

  it('is a form where the document says so', async () => {
    await start(
      body('application/x-www-form-urlencoded', {
        type: 'object',
        properties: {
          name: text,
          tags: {type: 'array', items: text},
          card: {type: 'object', properties: {name: text}},
        },
      }),
    )
    const line = ['x', 'a', 'send', '-F', 'name=A & B', '-F', 'tags=["x","y"]', '-F', 'card.name=é']
    expect(await run(line)).toMatchObject({code: 0})
    expect(service.requests[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect([...new URLSearchParams(service.requests[0]?.body.toString())]).toEqual([
      ['name', 'A & B'],
      ['tags', 'x'],
      ['tags', 'y'],
      ['card[name]', 'é'],
    ])
  })

  it('is several parts with files, of which nothing is kept', async () => {
    await start(
      body('multipart/form-data', {
        type: 'object',
        properties: {note: text, file: {type: 'string', format: 'binary'}},
      }),
    )
    const file = join(folder, 'photo.bin')
    await writeFile(file, Buffer.from([0, 255, 10, 13, 1]))
    const {code, stderr} = await run(['x', 'a', 'send', '-F', 'note=hello', '-F', `file=@${file}`, '--debug'])
    expect({code}).toEqual({code: 0})
    const {body: sent, headers} = service.requests[0] ?? {
      body: Buffer.alloc(0),
      headers: {} as Record<string, string>,
    }
    const form = await new Response(sent, {
      headers: {'content-type': headers['content-type'] ?? ''},
    }).formData()
    expect(form.get('note')).toBe('hello')
    const part = form.get('file') as File
    expect(part.name).toBe('photo.bin')
    expect([...new Uint8Array(await part.arrayBuffer())]).toEqual([0, 255, 10, 13, 1])
    expect(stderr).toContain('[masked]')
  })

  it('has a part for each file of a list, with its name and type', async () => {
    const list = {type: 'array', items: {type: 'string', format: 'binary'}}
    await start(
      body(
        'multipart/form-data',
        {
          type: 'object',
          properties: {photos: list, scan: {type: 'string', format: 'binary'}, 'docs[]': list},
        },
        {
          encoding: {
            photos: {contentType: 'image/png, image/jpeg'},
            'docs[]': {contentType: 'application/*'},
          },
        },
      ),
    )
    for (const name of ['a.PNG', 'b.jpg', 'c.gif', 'd "é".pdf'])
      await writeFile(join(folder, name), `in ${name}`)
    const files = ['photos=@a.PNG', 'photos=@b.jpg', 'photos=@c.gif', 'docs[]=@d "é".pdf', 'scan=@c.gif']
    const line = ['x', 'a', 'send', ...files.flatMap(one => ['-F', one.replace('@', `@${folder}/`)])]
    expect(await run(line)).toMatchObject({code: 0})
    const [request] = service.requests
    const type = request?.headers['content-type'] ?? ''
    const sent = new Uint8Array(request?.body ?? Buffer.alloc(0))
    const form = await new Response(sent, {headers: {'content-type': type}}).formData()
    const parts = await Promise.all(
      [...form].map(async ([name, one]) => {
        const file = one as File
        return [name, file.name, file.type, await file.text()]
      }),
    )
    expect(parts).toEqual([
      ['photos', 'a.PNG', 'image/png', 'in a.PNG'],
      ['photos', 'b.jpg', 'image/jpeg', 'in b.jpg'],
      ['photos', 'c.gif', 'image/png', 'in c.gif'],
      ['docs[]', 'd "é".pdf', 'application/pdf', 'in d "é".pdf'],
      ['scan', 'c.gif', 'image/gif', 'in c.gif'],
    ])
    // A list of one file is a list, too.
    await run(['x', 'a', 'send', '-F', `photos[0]=@${folder}/b.jpg`])
    expect(service.requests[1]?.body.toString()).toContain('name="photos"; filename="b.jpg"')
  })

  it('is anything else as the bytes of a file', async () => {
    await start(body('application/xml', text))
    const file = join(folder, 'a.xml')
    await writeFile(file, '<a/>')
    expect(await run(['x', 'a', 'send', '--data', `@${file}`])).toMatchObject({code: 0})
    expect(service.requests[0]).toMatchObject({headers: {'content-type': 'application/xml'}})
    expect(service.requests[0]?.body.toString()).toBe('<a/>')
  })

  it('carries the key in the header that the document describes, and only then is sent again', async () => {
    const parameters = [{name: 'Idempotency-Key', in: 'header', schema: text}]
    await start({
      paths: {
        '/a': {post: {operationId: 'send', parameters, responses: {}}},
        '/b': {post: {operationId: 'other', responses: {}}},
      },
    })
    let tries = 0
    answer = () => (++tries % 2 === 1 ? reply(500, {}) : reply(200, {}))
    expect(await run(['x', 'a', 'send', '--idempotency-key', 'k1'])).toMatchObject({code: 0})
    expect(service.requests.map(({headers}) => headers['idempotency-key'])).toEqual(['k1', 'k1'])
    expect(await run(['x', 'b', 'other'])).toMatchObject({code: 10})
  })
})

describe('pages of an imported list', () => {
  const query = (...names: string[]) =>
    names.map(name => ({name, in: 'query', schema: name === 'limit' ? {type: 'integer', maximum: 3} : text}))
  const listed = (parameters: object[]) => ({
    paths: {
      '/a': {
        get: {
          operationId: 'list',
          parameters,
          responses: {
            200: {
              description: '',
              content: {
                'application/json': {
                  schema: {type: 'object', properties: {data: {type: 'array', items: {type: 'object'}}}},
                },
              },
            },
          },
        },
      },
    },
  })
  const all = Array.from({length: 7}, (_, at) => ({id: at}))
  const asked = (request: PlainRequest) => new URL(request.url, 'http://x').searchParams
  const ids = async (...more: string[]) => {
    const {code, stdout, stderr} = await run(['x', 'a', 'list', '-o', 'json', ...more])
    expect({code, stderr}).toMatchObject({code: 0})
    return (JSON.parse(stdout) as {id: number}[]).map(({id}) => id)
  }

  it.each<[string, string[], (request: PlainRequest) => ReturnType<typeof reply>]>([
    [
      'a cursor',
      ['cursor', 'limit'],
      request => {
        const from = Number(asked(request).get('cursor') ?? 0)
        return reply(200, {
          data: all.slice(from, from + 3),
          meta: {next_cursor: from + 3 < 7 ? String(from + 3) : null},
        })
      },
    ],
    [
      'the last id',
      ['starting_after', 'limit'],
      request => {
        const from = Number(asked(request).get('starting_after') ?? -1) + 1
        return reply(200, {data: all.slice(from, from + 3), has_more: from + 3 < 7})
      },
    ],
    [
      'pages',
      ['page', 'limit'],
      request => {
        const page = Number(asked(request).get('page') ?? 1)
        return reply(200, {data: all.slice((page - 1) * 3, page * 3)})
      },
    ],
    [
      'pages from zero',
      ['page', 'limit'],
      request => {
        const page = Number(asked(request).get('page') ?? 0)
        return reply(200, {data: all.slice(page * 3, page * 3 + 3), page, totalPages: 3})
      },
    ],
    [
      'an offset',
      ['offset', 'limit'],
      request => {
        const from = Number(asked(request).get('offset') ?? 0)
        return reply(200, {data: all.slice(from, from + 3), total: 7})
      },
    ],
    [
      'a Link header',
      ['limit', 'token'],
      request => {
        const from = Number(asked(request).get('token') ?? 0)
        const link = `<${service.url}/a?token=${from + 3}>; rel="next"`
        return reply(200, {data: all.slice(from, from + 3)}, from + 3 < 7 ? {link} : {})
      },
    ],
    [
      'links in the answer',
      ['offset', 'limit'],
      request => {
        const from = Number(asked(request).get('offset') ?? 0)
        return reply(200, {
          data: all.slice(from, from + 3),
          ...(from + 3 < 7 ? {_links: {next: {href: `/a?offset=${from + 3}`}}} : {}),
        })
      },
    ],
  ])('follow %s to the end', async (_, parameters, respond) => {
    await start(listed(query(...parameters)))
    answer = respond
    expect(await ids('--all')).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(await ids('--limit', '5')).toEqual([0, 1, 2, 3, 4])
    expect(new Set(service.requests.map(({url}) => url.split('?')[0]))).toEqual(new Set(['/a']))
    expect(asked(service.requests.at(-1) as PlainRequest).get('limit')).toBe('3')
  })

  it('end with an error where a cursor comes again', async () => {
    await start(listed(query('cursor')))
    answer = () => reply(200, {data: [{id: 1}], next_cursor: 'same'})
    expect(await run(['x', 'a', 'list', '--all'])).toMatchObject({code: 8})
    expect(service.requests.length).toBe(2)
  })
})

describe('answers of an imported contract', () => {
  const document = {
    paths: {
      '/a': {
        get: {
          operationId: 'get',
          responses: {
            200: {
              description: '',
              content: {
                'application/json': {
                  schema: {type: 'object', required: ['id'], properties: {id: {type: 'integer'}}},
                },
              },
            },
          },
        },
        post: {
          operationId: 'make',
          responses: {
            200: {
              description: '',
              content: {'application/json': {schema: {type: 'object', properties: {id: {type: 'integer'}}}}},
            },
          },
        },
      },
    },
  }

  it('are accepted, with a note of the differences', async () => {
    await start(document)
    answer = () => reply(200, {id: 'seven', more: true})
    const {code, stdout, stderr} = await run(['x', 'a', 'get', '-o', 'json'])
    expect({code, reply: JSON.parse(stdout)}).toEqual({code: 0, reply: {id: 'seven', more: true}})
    expect(stderr).toMatch(/differs from the contract.*id must be a whole number/)
    expect(await run(['x', 'a', 'get', '--strict'])).toMatchObject({code: 8})
  })

  it('prove nothing where they are a page or an error', async () => {
    await start(document)
    answer = () => reply(200, {error: 'rejected'})
    expect(await run(['x', 'a', 'make'])).toMatchObject({code: 10})
    answer = () => ({
      status: 200,
      headers: {'content-type': 'text/html'},
      body: Buffer.from('<html>Log in</html>'),
    })
    expect(await run(['x', 'a', 'make'])).toMatchObject({code: 10})
    expect(await run(['x', 'a', 'get'])).toMatchObject({code: 8})
  })
})

describe('a GET that discloses', () => {
  const schema = {type: 'object', properties: {password: text}}
  const content = {'application/json': {schema}}
  const paths = {'/a': {get: {operationId: 'list', responses: {200: {description: '', content}}}}}

  it('has disclosed nothing where a page came', async () => {
    await start({paths})
    answer = () => ({status: 200, headers: {'content-type': 'text/html'}, body: Buffer.from('<p>Log in</p>')})
    const {code, stderr} = await run(['x', 'a', 'list', '--yes', '-o', 'json'])
    expect(code, stderr).toBe(8)
    expect(stderr).toContain('"effect":"none"')
    expect(service.requests).toHaveLength(1)
  })

  it('may have disclosed something where another value came', async () => {
    await start({paths})
    answer = () => reply(200, [{password: 'x'}])
    const {code, stderr} = await run(['x', 'a', 'list', '--yes', '-o', 'json'])
    expect(code, stderr).toBe(10)
    expect(stderr).toContain('may count as another disclosure')
  })
})

describe('a 503 that names a time', () => {
  const schema = {
    type: 'object',
    required: ['code', 'message'],
    properties: {code: text, message: text, retry: {type: 'boolean'}},
  }
  const make = (problem: object) => ({
    paths: {
      '/a': {
        post: {
          operationId: 'make',
          responses: {
            200: {description: '', content: {'application/json': {schema: {type: 'object'}}}},
            default: {description: '', content: {'application/json': {schema: problem}}},
          },
        },
      },
    },
  })
  const sendBusy = async (problem: object, body: unknown) => {
    await start(make(problem))
    answer = () => reply(503, body, {'retry-after': '5'})
    return (await run(['x', 'a', 'make'])).code
  }

  it.each([
    ['with what the document requires', schema, {code: 'BUSY', message: 'Later'}],
    [
      'with all that it describes, of which nothing is required',
      {...schema, required: []},
      {code: 'B', message: 'L', retry: true},
    ],
  ])('proves that nothing happened in the format of the document: %s', async (_, problem, body) =>
    expect(await sendBusy(problem, body)).toBe(8),
  )

  it.each([
    ['a field is missing', schema, {message: 'Service Unavailable'}],
    ['a field is of another type', schema, {code: 503, message: 'Service Unavailable'}],
    ['there is another field', schema, {code: 'BUSY', message: 'Later', request_id: 'c0ffee'}],
    ['no field is required, and one is missing', {...schema, required: []}, {message: 'Service Unavailable'}],
    ['the document describes no field', {type: 'object'}, {message: 'Service Unavailable'}],
    ['it is no object', schema, ['Service Unavailable']],
  ])('proves nothing where %s', async (_, problem, body) => expect(await sendBusy(problem, body)).toBe(10))
})

it('a pattern that would hold up other engines is run in linear time, or not at all', async () => {
  const parameters = [
    {name: 'evil', in: 'query', schema: {type: 'string', pattern: '^(a+)+$'}},
    {name: 'behind', in: 'query', schema: {type: 'string', pattern: '(?<=a)(b)\\1'}},
    {name: 'plain', in: 'query', schema: {type: 'string', pattern: '^[A-Z]{3}\\d*$'}},
  ]
  const {stdout} = await start({paths: {'/a': {get: {operationId: 'get', parameters, responses: {}}}}})
  expect(stdout).toContain('cannot be run in linear time')
  const line = ['x', 'a', 'get']
  expect(await run([...line, '--evil', `${'a'.repeat(50_000)}b`])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--evil must be'),
  })
  expect(await run([...line, '--evil', 'aaa', '--behind', 'x', '--plain', 'ABC12'])).toMatchObject({code: 0})
  expect(await run([...line, '--plain', 'ABCD'])).toMatchObject({code: 2})
})

it.runIf(isWhole)('a document of 10 MB with deep cycles becomes commands', {timeout: 60_000}, async () => {
  const document = cyclicDocument(400, 1000)
  expect(JSON.stringify(document).length).toBeGreaterThan(10_000_000)
  const {stdout} = await start(document)
  expect(stdout).toContain('400 commands')
  answer = () => reply(200, {id: 'abc', next: {id: 'd', next: {id: 7}}})
  const {code, stderr} = await run(['x', 'tag0', 'get-thing0', 'abc'])
  expect({code, stderr}).toEqual({code: 0, stderr: expect.stringContaining('/next/next/id must be text')})
  expect(await run(['x', 'tag1', 'get-thing1', 'abc', '-F', 'id=x', '-F', 'next.id=Y'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('next.id must be'),
  })
})
