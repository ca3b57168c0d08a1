// Documents that describe everything by everything else: what walks along references must not take every path.
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {compareDocuments, exampleOf, fieldsOf, readDocument} from '../../src/imported/index.ts'

const KINDS = 60

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardctl-compare-'))
})
afterAll(() => rm(folder, {recursive: true, force: true}))

/** Kinds of things that each may hold all the others, and a base that is any of them and a part of each. */
async function tangled(change: (schemas: Record<string, unknown>) => void = () => undefined) {
  const names = Array.from({length: KINDS}, (_, at) => `Kind${at}`)
  const ref = (name: string) => ({$ref: `#/components/schemas/${name}`})
  const schemas: Record<string, unknown> = {
    Base: {type: 'object', oneOf: names.map(ref), properties: {kind: {type: 'string'}}},
    ...Object.fromEntries(
      names.map(name => [
        name,
        {
          allOf: [ref('Base')],
          type: 'object',
          properties: Object.fromEntries(names.map(other => [`to${other}`, ref(other)])),
        },
      ]),
    ),
  }
  change(schemas)
  const operation = (name: string) => ({
    get: {
      operationId: `get${name}`,
      responses: {200: {description: name, content: {'application/json': {schema: ref(name)}}}},
    },
  })
  const document = {
    openapi: '3.1.0',
    info: {title: 'Tangled', version: '1'},
    paths: Object.fromEntries(names.map(name => [`/${name}`, operation(name)])),
    components: {schemas},
  }
  const file = join(folder, `${crypto.randomUUID()}.json`)
  await writeFile(file, JSON.stringify(document))
  return readDocument({file})
}

test('a tangle and itself are the same', async () => {
  expect(compareDocuments(await tangled(), await tangled())).toEqual([])
})

test('a change is found from everywhere, once for each operation', async () => {
  const after = await tangled(schemas => {
    schemas.Base = {type: 'object'}
    schemas.Kind7 = {type: 'object', properties: {other: {type: 'string'}}}
  })
  const before = await tangled(schemas => {
    schemas.Base = {type: 'object'}
  })
  const changes = compareDocuments(before, after)
  expect(changes).toHaveLength(KINDS)
  for (const {differences} of changes) {
    expect(differences.filter(({pointer}) => pointer.endsWith('/other'))).toHaveLength(1)
  }
})

test('members and examples of a tangle have an end', async () => {
  const {operations, schemas} = await tangled()
  const schema = operations[0]?.replies[0]?.contents[0]?.schema
  expect(fieldsOf(schema, schemas).length).toBeLessThan(1000)
  expect(JSON.stringify(exampleOf(schema, schemas)).length).toBeLessThan(100_000)
})
