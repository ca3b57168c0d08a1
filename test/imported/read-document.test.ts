import {execFileSync} from 'node:child_process'
import {mkdir, mkdtemp, rm, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {readDocument} from '../../src/imported/index.ts'
import {cyclicDocument} from './cyclic-document.ts'

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/documents/${name}`, import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'))
})
afterAll(() => rm(folder, {recursive: true, force: true}))

const save = async (name: string, content: unknown): Promise<string> => {
  const file = join(folder, name)
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 1))
  return file
}

const withPaths = (paths: unknown, more: object = {}) => ({
  openapi: '3.1.0',
  info: {title: 'T', version: '1'},
  paths,
  ...more,
})

const messageOf = async (source: Parameters<typeof readDocument>[0]): Promise<string> => {
  const error = await readDocument(source).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Failure)
  return (error as Failure).message
}

describe('a document', () => {
  test('of 3.0 is read with its files, and its schemas become those of today', async () => {
    const document = await readDocument({file: fixture('shop-3.0.yaml')})
    expect(document.faults).toEqual([])
    expect(document.operations.map(({method, path}) => `${method} ${path}`)).toEqual([
      'GET /orders',
      'POST /orders',
      'GET /orders/{orderId}',
      'DELETE /orders/{orderId}',
      'GET /orders/{orderId}/secret',
    ])
    const [list, , get] = document.operations
    expect(list?.parameters.map(({name, style, explode}) => [name, style, explode])).toEqual([
      ['limit', 'form', true],
      ['after', 'form', true],
      ['state', 'form', false],
      ['filter', 'deepObject', false],
    ])
    expect(get?.parameters[0]?.schema).toEqual({type: 'integer', exclusiveMinimum: 0})
    expect(document.schemas.get('order')).toMatchObject({
      properties: {
        note: {type: ['string', 'null']},
        price: {$ref: '#/$defs/Money'},
        parts: {items: {$ref: '#/$defs/order'}},
      },
    })
    expect(document.securitySchemes).toEqual({token: {type: 'http', scheme: 'bearer'}})
    expect(get?.security).toEqual([{token: []}])
  })

  test('of 3.1 may be full of cycles and strange names', async () => {
    const document = await readDocument({file: fixture('tree-3.1.json')})
    expect(document.faults).toEqual([])
    const node = document.schemas.get('Node') as {properties: Record<string, unknown>}
    expect(Object.keys(node.properties)).toEqual(['left', 'leaf', '__proto__', '$ref'])
    expect(node.properties.leaf).toEqual({$ref: '#/$defs/Leaf', description: 'The leaf'})
    expect(document.schemas.get('Leaf')).toEqual({oneOf: [{$ref: '#/$defs/Node'}, {type: 'string'}]})
  })

  test('of 3.2 may search by QUERY, and says what is not supported', async () => {
    const {operations, faults} = await readDocument({file: fixture('search-3.2.yaml')})
    expect(operations.map(({method}) => method)).toEqual(['QUERY'])
    expect(faults).toMatchObject([{operation: 'COPY /things', consequence: 'left out', line: 10}])
  })

  test('of more than 10 MB with deep cycles is read', {timeout: 60_000}, async () => {
    const text = JSON.stringify(cyclicDocument(4000))
    expect(text.length).toBeGreaterThan(10_000_000)
    const {operations, schemas, faults} = await readDocument({text, name: 'stdin'})
    expect([operations.length, schemas.size, faults]).toEqual([4000, 4000, []])
  })

  test('is refused with its line where it is no JSON or YAML', async () => {
    expect(await messageOf({file: await save('cut.json', '{\n "openapi": "3.1.0",\n "info": ')})).toMatch(
      /cut\.json is not valid JSON: its end is missing at line 3/,
    )
    expect(await messageOf({file: await save('bad.yaml', 'openapi: 3.1.0\ninfo: [\n')})).toMatch(
      /bad\.yaml is not valid YAML at line 3/,
    )
  })

  test('is refused with the reason where it is no OpenAPI 3', async () => {
    expect(await messageOf({text: '{"swagger": "1.2"}', name: 'old'})).toMatch(/Swagger 1\.2/)
    expect(await messageOf({text: '{"a": 1}', name: 'x'})).toMatch(/no field "openapi"/)
    expect(await messageOf({text: '[]', name: 'x'})).toMatch(/no object/)
    expect(await messageOf({text: '{"openapi": "4.0.0"}', name: 'x'})).toMatch(/OpenAPI 4\.0\.0/)
  })

  test('of YAML that unfolds to billions of values, or to itself, is refused', async () => {
    const lines = ['a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]']
    for (let at = 1; at < 12; at++)
      lines.push(
        `a${at}: &a${at} [${Array(9)
          .fill(`*a${at - 1}`)
          .join(', ')}]`,
      )
    expect(await messageOf({text: `openapi: 3.1.0\n${lines.join('\n')}\n`, name: 'bomb'})).toMatch(/values/)
    expect(await messageOf({text: 'openapi: 3.1.0\nx: &x [*x]\n', name: 'loop'})).toMatch(
      /loop cannot be used|not valid/,
    )
    expect(
      await messageOf({text: `{"openapi": ${'['.repeat(500)}${']'.repeat(500)}}`, name: 'deep'}),
    ).toMatch(/nested/)
  })
})

describe('a reference', () => {
  const refusals = async (reference: string): Promise<string[]> => {
    const file = await save('refers.json', withPaths({'/a': {$ref: reference}, '/b': {get: {responses: {}}}}))
    const {operations, faults} = await readDocument({file})
    // What is wrong with one operation does not touch the other.
    expect(operations.map(({path}) => path)).toEqual(['/b'])
    return faults.map(({message}) => message)
  }

  test('never leads out of the folder of the document, nor to an address', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'))
    try {
      await writeFile(join(outside, 'item.json'), '{"get": {"responses": {}}}')
      await symlink(join(outside, 'item.json'), join(folder, 'link.json')).catch(() => undefined)
      const up = `../${outside.split('/').at(-1)}/item.json`
      expect(await refusals(up)).toEqual([expect.stringContaining("leads out of the document's folder")])
      expect(await refusals('link.json')).toEqual([
        expect.stringContaining("leads out of the document's folder"),
      ])
      expect(await refusals(up.replace('..', '%2e%2e'))).toEqual([
        expect.stringContaining('cannot be followed'),
      ])
      expect(await refusals(join(outside, 'item.json'))).toEqual([
        expect.stringContaining('an absolute path'),
      ])
      expect(await refusals(`file://${join(outside, 'item.json')}`)).toEqual([
        expect.stringContaining('an address'),
      ])
      expect(await refusals('http://127.0.0.1:1/item.json')).toEqual([expect.stringContaining('an address')])
      expect(await refusals('missing.json')).toEqual([expect.stringContaining('no such file')])
    } finally {
      await rm(outside, {recursive: true, force: true})
    }
  })

  test('never leads to another machine, nor waits for a pipe', async () => {
    expect(await refusals('//example.com/item.json')).toEqual([expect.stringContaining('an address')])
    execFileSync('mkfifo', [join(folder, 'pipe.json')])
    expect(await refusals('pipe.json')).toEqual([expect.stringContaining('not a regular file')])
  })

  test.each([
    '/x/../../admin',
    '/x/%2e%2E/admin',
    '/{id}/../..',
    '/x/./y',
    '/x\\..\\admin',
    '/x%2f..%2fadmin',
  ])('the path %s is left out, because it leaves the base URL', async path => {
    const file = await save(
      'leaves.json',
      withPaths({[path]: {get: {responses: {}}}, '/a..b': {get: {responses: {}}}}),
    )
    const {operations, faults} = await readDocument({file})
    expect(operations.map(one => one.path)).toEqual(['/a..b'])
    expect(faults.map(({message}) => message)).toEqual([expect.stringContaining('. or .. as a segment')])
  })

  test('may go up and down inside of the folder', async () => {
    await mkdir(join(folder, 'a b#'), {recursive: true})
    await writeFile(join(folder, 'a b#', 'item.json'), '{"get": {"$ref": "../get.json"}}')
    await writeFile(join(folder, 'get.json'), '{"responses": {}}')
    const {operations} = await readDocument({
      file: await save('inner.json', withPaths({'/a': {$ref: 'a%20b%23/item.json'}})),
    })
    expect(operations.map(({method}) => method)).toEqual(['GET'])
  })

  test('in a document from stdin reaches no file', async () => {
    const text = JSON.stringify(withPaths({'/a': {$ref: 'item.json'}}))
    const {faults} = await readDocument({text, name: 'stdin'})
    expect(faults).toMatchObject([{message: expect.stringContaining('from stdin'), file: 'stdin'}])
  })

  test('that leads nowhere or to itself is reported with its place', async () => {
    const file = await save(
      'faults.json',
      withPaths(
        {
          '/a': {post: {requestBody: {$ref: '#/components/requestBodies/None'}}},
          '/b': {
            get: {
              responses: {
                200: {content: {'application/json': {schema: {$ref: '#/components/schemas/Loop'}}}},
              },
            },
          },
          '/c': {get: {parameters: [{name: 'q', in: 'query', schema: {type: 'strange'}}]}},
          '/d/{x}': {get: {}},
        },
        {components: {schemas: {Loop: {$ref: '#/components/schemas/Loop'}}}},
      ),
    )
    const {operations, faults} = await readDocument({file})
    expect(operations.map(({path}) => path)).toEqual(['/b', '/d/{x}'])
    expect(faults).toMatchObject([
      {operation: 'POST /a', pointer: '#/paths/~1a/post/requestBody', consequence: 'left out', line: 10},
      {operation: 'GET /b', consequence: 'unchecked', message: expect.stringContaining('itself')},
      {operation: 'GET /c', pointer: '#/paths/~1c/get/parameters/0/schema/type', consequence: 'left out'},
      {operation: 'GET /d/{x}', consequence: 'unchecked'},
    ])
    expect(faults.every(({line}) => line !== undefined)).toBe(true)
  })
})
