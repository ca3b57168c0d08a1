import {describe, expect, it} from 'vitest'
import {json, useShop} from './imported-shop.ts'

const shop = useShop()

const integer = {type: 'integer'}
const text = {type: 'string'}
const range = {
  anyOf: [{type: 'object', properties: {gt: integer, gte: integer, lt: integer, lte: integer}}, integer],
}
const query = (name: string, schema: object, more: object = {}) => ({name, in: 'query', schema, ...more})
const deep = {style: 'deepObject', explode: true}

async function importQuery(...parameters: object[]) {
  await shop().importPaths({
    '/a': {get: {operationId: 'a', parameters, responses: {200: json({type: 'object'})}}},
  })
}
const sent = (): string => decodeURIComponent(shop().service.requests.at(-1)?.url ?? '')

describe('a parameter of several types', () => {
  it.each([
    [['--created', 'gte=5', '--created', 'lt=9'], 'created[gte]=5&created[lt]=9'],
    [['--created', '{"gte": 5}'], 'created[gte]=5'],
    [['--created', '5'], 'created=5'],
    [['--ids', ''], 'ids='],
    [['--ids', 'a'], 'ids=a'],
    [['--ids', 'a', '--ids', 'b'], 'ids=a&ids=b'],
    [['--name', 'a=b'], 'name=a=b'],
    [['--name', 'like=b'], 'name[like]=b'],
    [
      ['--filter', 'tags=x', '--filter', 'tags=y', '--filter', 'by.age=3'],
      'filter[tags][]=x&filter[tags][]=y&filter[by][age]=3',
    ],
    [['--filter', '{"rows": [{"n": 1}]}'], 'filter[rows][0][n]=1'],
  ])('%j is sent as %s', async (flags, expected) => {
    await importQuery(
      query('created', range, deep),
      query('ids', {
        anyOf: [
          {type: 'array', items: text},
          {type: 'string', enum: ['']},
        ],
      }),
      query('name', {anyOf: [{type: 'object', properties: {like: text}}, text]}, deep),
      query(
        'filter',
        {
          type: 'object',
          properties: {
            tags: {type: 'array', items: text},
            by: {type: 'object', properties: {age: integer}},
            rows: {type: 'array', items: {type: 'object'}},
          },
        },
        deep,
      ),
    )
    const {code, stderr} = await shop().run(['x', 'a', 'a', ...flags])
    expect({code, stderr}).toMatchObject({code: 0})
    expect(sent()).toBe(`/base/a?${expected}`)
  })

  it('is refused where it is none of them', async () => {
    await importQuery(query('created', range, deep))
    for (const flags of [
      ['--created', 'today'],
      ['--created', '5', '--created', '6'],
      ['--created', 'gte=x'],
    ])
      expect(await shop().run(['x', 'a', 'a', ...flags])).toMatchObject({code: 2})
    expect(shop().requested()).toEqual([])
  })
})

describe('a path parameter', () => {
  const list = {type: 'array', items: integer}
  const object = {type: 'object', properties: {a: integer, b: text}}
  it.each([
    ['simple', false, list, '1,2', '/base/p/1,2/end'],
    ['label', true, list, '1,2', '/base/p/.1.2/end'],
    ['matrix', false, list, '1,2', '/base/p/;v=1,2/end'],
    ['matrix', true, list, '[1, 2]', '/base/p/;v=1;v=2/end'],
    ['simple', false, object, 'a=1,b=x', '/base/p/a,1,b,x/end'],
    ['simple', true, object, 'a=1,b=x', '/base/p/a=1,b=x/end'],
    ['label', true, object, '{"a": 1, "b": "x,y/z"}', '/base/p/.a=1.b=x,y/z/end'],
    ['matrix', true, object, 'a=1,b=x', '/base/p/;a=1;b=x/end'],
  ])('of the style %s (%s) is written so', async (style, explode, schema, given, path) => {
    const parameter = {
      name: 'v',
      in: 'path',
      required: true,
      schema: {$ref: '#/components/schemas/V'},
      style,
      explode,
    }
    await shop().importPaths(
      {
        '/p/{v}/end': {
          get: {operationId: 'p', parameters: [parameter], responses: {200: json({type: 'object'})}},
        },
      },
      {components: {schemas: {V: schema}}},
    )
    expect(await shop().run(['x', 'p', 'p', given])).toMatchObject({code: 0})
    expect(sent()).toBe(path)
    // A comma or slash inside of a value stays in its segment.
    expect(shop().service.requests.at(-1)?.url.split('/')).toHaveLength(5)
    for (const wrong of ['x,y', '..', '{"a": ".."}', '{'])
      expect(await shop().run(['x', 'p', 'p', wrong])).toMatchObject({code: 2})
    expect(shop().requested()).toHaveLength(1)
    const {stdout} = await shop().run(['x', 'p', 'p', '--help'])
    expect(stdout).toContain(schema === list ? 'Several as a,b.' : 'name=value,name=value, or JSON.')
  })
})

it('a field of several types is set whole or member by member', async () => {
  const properties = {created: range, note: {anyOf: [{type: 'object', properties: {de: text}}, text]}}
  await shop().importPaths({
    '/a': {
      post: {
        operationId: 'a',
        requestBody: json({type: 'object', properties}),
        responses: {200: json({type: 'object'})},
      },
    },
  })
  const body = async (...fields: string[]) => {
    const result = await shop().run(['x', 'a', 'a', ...fields.flatMap(field => ['-F', field])])
    expect(result).toMatchObject({code: 0})
    return JSON.parse(shop().service.requests.at(-1)?.body.toString() ?? '')
  }
  expect(await body('created.gte=5', 'created.lt=9')).toEqual({created: {gte: 5, lt: 9}})
  expect(await body('created=5', 'note=17')).toEqual({created: 5, note: '17'})
  expect(await body('created={"gte": 5}', 'note.de=17')).toEqual({created: {gte: 5}, note: {de: '17'}})
  expect(await shop().run(['x', 'a', 'a', '-F', 'created=soon'])).toMatchObject({code: 2})
})

it('help reads as words, and shows no body where there is nothing to fill in', async () => {
  const description = '<p>Lists <code>items</code>, see <<ref#x, the guide>>.</p>'
  await shop().importPaths(
    {
      '/a': {
        get: {
          operationId: 'a',
          tags: ['t'],
          summary: '<b>List</b> items',
          description,
          parameters: [query('q', text, {description})],
          requestBody: {
            content: {'application/x-www-form-urlencoded': {schema: {type: 'object', properties: {}}}},
          },
          responses: {200: json({type: 'object'})},
        },
      },
    },
    {tags: [{name: 't', description}]},
  )
  for (const line of [['x'], ['x', 't'], ['x', 't', 'a', '--help']]) {
    const {stdout} = await shop().run(line)
    expect(stdout).not.toMatch(/<\/?(?:p|b|code)>|<</)
    expect(stdout).toMatch(/Lists items, see the guide|List items/)
  }
  const {stdout} = await shop().run(['x', 't', 'a', '--help'])
  expect(stdout.slice(stdout.indexOf('EXAMPLES'))).not.toContain('x t a --skeleton')
})

describe('a discriminator', () => {
  const kind = (more: object, ...required: string[]) => ({
    type: 'object',
    required: ['kind', ...required],
    properties: {kind: text, name: text, ...more},
  })
  const schemas = {
    Dog: kind({bark: {type: 'boolean'}}, 'bark'),
    Cat: kind({lives: integer}, 'lives'),
    Bird: kind({wings: integer}),
    Pet: {
      oneOf: ['Dog', 'Cat', 'Bird'].map(name => ({$ref: `#/components/schemas/${name}`})),
      discriminator: {
        propertyName: 'kind',
        mapping: {dog: '#/components/schemas/Dog', hound: 'Dog', cat: 'Cat'},
      },
    },
  }
  const sends = async (body: object) => {
    const {code, stderr} = await shop().run(['x', 'a', 'a', '--data', JSON.stringify(body)])
    return code === 0 ? 'sent' : stderr
  }

  it('chooses the variant by its value alone', async () => {
    await shop().importPaths(
      {
        '/a': {
          post: {
            operationId: 'a',
            requestBody: json({$ref: '#/components/schemas/Pet'}),
            responses: {200: json({$ref: '#/components/schemas/Pet'})},
          },
        },
      },
      {components: {schemas}},
    )
    expect(await sends({kind: 'dog', bark: true})).toBe('sent')
    expect(await sends({kind: 'hound', bark: true})).toBe('sent')
    expect(await sends({kind: 'cat', lives: 9})).toBe('sent')
    expect(await sends({kind: 'Bird', wings: 2})).toBe('sent')
    expect(await sends({kind: 'cat', bark: true})).toMatch(/lives is missing/)
    expect(await sends({kind: 'cat', bark: true})).not.toMatch(/bark is missing|wings/)
    expect(await sends({kind: 'cow', bark: true})).toMatch(/kind must be one of/)
    expect(await sends({kind: 'Dog', bark: true})).toMatch(/kind must be one of/)
    expect(await sends({name: 'Rex'})).toMatch(/kind is missing/)
    const {stdout} = await shop().run(['x', 'a', 'a', '--skeleton'])
    expect(JSON.parse(stdout)).toHaveProperty('bark')
  })
})
