import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, it} from 'vitest'
import {reply} from '../helpers/service.ts'
import {useShop} from './imported-shop.ts'

const shop = useShop()

const PETS = `swagger: "2.0"
info: {title: Pets, version: "1"}
host: api.example
basePath: /v2
schemes: [https]
consumes: [application/json]
produces: [application/json]
securityDefinitions:
  key: {type: apiKey, in: header, name: X-Key}
parameters:
  Limit: {name: limit, in: query, type: integer, maximum: 50}
  Pet:
    name: body
    in: body
    required: true
    schema: {$ref: "#/definitions/Pet"}
definitions:
  Pet:
    type: object
    required: [name]
    properties:
      name: {type: string, minLength: 2}
      age: {type: integer, x-nullable: true}
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - {$ref: "#/parameters/Limit"}
        - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}
        - {name: ids, in: query, type: array, items: {type: integer}}
      responses: {"200": {description: ok, schema: {type: array, items: {$ref: "#/definitions/Pet"}}}}
    post:
      operationId: addPet
      parameters: [{$ref: "#/parameters/Pet"}]
      responses: {"201": {description: ok, schema: {$ref: "#/definitions/Pet"}}}
  /broken:
    get:
      operationId: broken
      parameters:
        - {name: q, in: query, type: string}
        - {name: r, in: nowhere, type: string}
      responses: {"200": {description: ok}}
  /pets/{id}/photo:
    parameters:
      - {name: id, in: path, required: true, type: string}
      - {name: body, in: body, required: true, schema: {$ref: "#/definitions/Pet"}}
    put:
      operationId: replacePet
      responses: {"204": {description: ok}}
    post:
      operationId: addPhoto
      consumes: [multipart/form-data]
      produces: [image/png]
      parameters:
        - {name: photo, in: formData, type: file, required: true}
        - {name: note, in: formData, type: string}
      responses: {"200": {description: ok, schema: {type: file}}}
`

async function start(text: string) {
  const file = join(shop().folder, 'pets.yaml')
  await writeFile(file, text)
  return shop().run(['contract', 'import', file, '--name', 'pets', '--prefix', '/v2', '-o', 'json'])
}
const last = () => {
  const request = shop().service.requests.at(-1)
  return `${request?.method} ${decodeURIComponent(request?.url ?? '')} ${request?.body}`.trim()
}

it('a Swagger document becomes commands that send what it says', async () => {
  const imported = await start(PETS)
  expect(imported).toMatchObject({code: 0})
  expect(JSON.parse(imported.stdout)).toMatchObject({
    facts: {openapi: '2.0', servers: ['https://api.example/v2']},
  })
  shop().answer = () => reply(200, [{name: 'Rex', age: null}])
  const list = await shop().run([
    'x',
    'pets',
    'list-pets',
    '--limit',
    '3',
    '--tags',
    'a',
    '--tags',
    'b',
    '--ids',
    '1',
    '--ids',
    '2',
  ])
  expect(list).toMatchObject({code: 0})
  expect(last()).toBe('GET /base/v2/pets?limit=3&tags=a&tags=b&ids=1,2')
  expect(list.stderr).not.toContain('differs')
  shop().answer = () => reply(201, {name: 'Rex'})
  expect(await shop().run(['x', 'pets', 'add-pet', '-F', 'name=Rex', '-F', 'age=3'])).toMatchObject({code: 0})
  expect(last()).toBe('POST /base/v2/pets {"name":"Rex","age":3}')
  expect(await shop().run(['x', 'pets', 'add-pet'])).toMatchObject({code: 2})
  expect(await shop().run(['x', 'pets', 'add-pet', '-F', 'name=R'])).toMatchObject({code: 2})
  shop().answer = () => ({status: 204, headers: {}, body: Buffer.alloc(0)})
  expect(await shop().run(['x', 'pets', 'replace-pet', '7', '-F', 'name=Rex'])).toMatchObject({code: 0})
  expect(last()).toBe('PUT /base/v2/pets/7/photo {"name":"Rex"}')
  shop().answer = () => ({
    status: 200,
    headers: {'content-type': 'image/png'},
    body: Buffer.from([0x89, 0xff]),
  })
  const photo = await shop().run([
    'x',
    'pets',
    'add-photo',
    '7',
    '-F',
    `photo=@${join(shop().folder, 'pets.yaml')}`,
    '-F',
    'note=x',
  ])
  expect(photo).toMatchObject({code: 0})
  expect(last()).toContain('name="photo"; filename="pets.yaml"')
  expect(last()).not.toContain('name="name"')
})

it('faults are reported where they stand in the given document', async () => {
  const {stdout} = await start(PETS)
  const line = (text: string): number => PETS.slice(0, PETS.indexOf(text)).split('\n').length
  const {faults} = JSON.parse(stdout) as {faults: {pointer: string; line: number}[]}
  expect(faults).toMatchObject([
    {pointer: expect.stringMatching(/^#\/paths\/~1broken\/get\/parameters/), line: expect.any(Number)},
  ])
  expect(faults[0]?.line).toBeGreaterThanOrEqual(line('/broken:'))
  expect(faults[0]?.line).toBeLessThanOrEqual(line('in: nowhere'))
})

it.each([
  ['swagger: "1.2"\ninfo: {}\npaths: {}', 'is a Swagger 1.2 document'],
  ['swagger: "2.0"\ninfo: {}\npaths: {/a: {$ref: "a.yaml#/b"}}', 'for a path'],
  ['swagger: "2.0"\ninfo: {}\npaths: {/a: {get: {parameters: [{$ref: "a.yaml#/b"}]}}}', 'for a parameter'],
])('what cannot be converted is refused', async (text, why) => {
  const {code, stderr} = await start(text)
  expect(code).toBe(2)
  expect(stderr).toContain(why)
})

it('a strange Swagger document is read or refused, and breaks nothing', async () => {
  for (const paths of [
    'null',
    '[]',
    '{/a: 5}',
    '{/a: {get: 5, parameters: 7}}',
    '{/a: {post: {parameters: [null, 5, {in: body}]}}}',
    '{/a: {get: {responses: []}}}',
  ])
    expect([0, 2]).toContain(
      (await start(`swagger: 2.0\ninfo: {title: T, version: 1}\npaths: ${paths}`)).code,
    )
})
