// What `contract map` finds of how a service talks.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {json, useShop} from './imported-shop.ts'

const shop = useShop()

const object = (properties: object) => ({type: 'object', properties})
const text = {type: 'string'}
const error = object({error: object({code: text, message: text, param: text})})

interface Traits {
  readonly data?: object
  readonly headers?: readonly object[]
  readonly accepted?: boolean
  readonly failure?: object
}
const operation = (
  id: string,
  {data = object({data: object({id: text})}), headers = [], accepted, failure = error}: Traits,
) => ({
  operationId: id,
  tags: ['things'],
  parameters: headers,
  responses: {
    200: {description: 'Done', ...json(data)},
    ...(accepted ? {202: {description: 'Accepted', headers: {Location: {schema: text}}}} : {}),
    default: {description: 'Error', ...json(failure)},
  },
})

async function document(traits: readonly Traits[], more: object = {}): Promise<string> {
  const file = join(shop().folder, 'service.json')
  const paths = Object.fromEntries(
    traits.map((one, at) => [`/things${at}`, {get: operation(`get${at}`, one)}]),
  )
  await writeFile(file, JSON.stringify({openapi: '3.1.0', info: {title: 'T', version: '1'}, paths, ...more}))
  return file
}
const version = {in: 'header', name: 'X-Version', required: true, schema: {const: '2024-05'}}
const tenant = {in: 'header', name: 'X-Tenant', required: true, schema: text}
const common: Traits = {headers: [version, tenant]}

interface Shown {
  readonly names: readonly {kind: string; name: string; standing: string; theirs: string | null}[]
  readonly open: readonly string[]
}
const service = ({names}: Shown) =>
  Object.fromEntries(
    names.flatMap(({kind, name, standing, theirs}) =>
      kind === 'service' ? [[name, [standing, theirs]]] : [],
    ),
  )
const map = async (...flags: string[]) => {
  const {stdout, code, stderr} = await shop().run(['contract', 'map', ...flags, '-o', 'json'])
  return {code, stderr, shown: stdout === '' ? undefined : (JSON.parse(stdout) as Shown)}
}

test('what most operations have is sure, and written', async () => {
  const file = await document([common, common, {...common, accepted: true}, {...common}])
  const {shown} = await map(file, '--dry-run')
  expect(shown && service(shown)).toEqual({
    envelope: ['sure', '/data'],
    'error.code': ['sure', '/error/code'],
    'error.message': ['sure', '/error/message'],
    'error.field': ['sure', '/error/param'],
    'headers.X-Version': ['sure', '2024-05'],
  })
  expect(shown?.open).toEqual([
    expect.stringMatching(/^X-Tenant: .*--header X-Tenant=VALUE/),
    expect.stringMatching(/^1 operation answers 202 .*--accepted-state/),
  ])
  expect((await map(file)).code).toBe(0)
  expect(await shop().home.json(['profiles', 'show', 'shop'])).toMatchObject({
    service: {
      envelope: '/data',
      error: {code: '/error/code', message: '/error/message', field: '/error/param'},
      headers: {'X-Version': '2024-05'},
    },
  })
  const shownBy = async () => (await shop().run(['profiles', 'show', 'shop'])).stdout
  expect(await shownBy()).toMatch(/envelope \/data, found in \S+/)
  await shop().home.run(['profiles', 'edit', 'shop', '--envelope', '/data'])
  expect(await shownBy()).toMatch(/envelope \/data *\n/)
  expect(await shownBy()).toMatch(/header X-Version: 2024-05, found in \S+/)
  const again = await map(file, '--dry-run')
  expect(again.shown && Object.values(service(again.shown)).map(([standing]) => standing)).toEqual(
    Array.from({length: 5}, () => 'same'),
  )
})

test('what some have is unsure: nothing is written until it is answered', async () => {
  const plain: Traits = {...common, data: object({id: text})}
  const file = await document([common, common, plain, plain])
  const {code, stderr, shown} = await map(file)
  expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining('the envelope')})
  expect(shown && service(shown)).toMatchObject({envelope: ['unsure', null]})
  expect(await shop().home.json(['profiles', 'show', 'shop'])).not.toHaveProperty('service')
  const answers = join(shop().folder, 'answers.yaml')
  await writeFile(answers, 'service:\n  envelope: ""\n')
  expect((await map(file, '--answers', answers)).code).toBe(0)
  const {service: stored} = await shop().home.json<{service: object}>(['profiles', 'show', 'shop'])
  expect(stored).not.toHaveProperty('envelope')
  expect(stored).toHaveProperty('error')
})

test('a profile that says otherwise is asked about', async () => {
  await shop().home.run(['profiles', 'edit', 'shop', '--envelope', '/result'])
  const {shown} = await map(await document([common, common, common]), '--dry-run')
  expect(shown && service(shown)).toMatchObject({envelope: ['unsure', null]})
})

test('errors of the usual format, and a small document, say nothing', async () => {
  const problem = object({title: text, detail: text, status: {type: 'integer'}, code: text})
  const usual: Traits = {data: object({id: text}), failure: problem}
  const first = await map(await document([usual, usual, usual]), '--dry-run')
  expect(first.shown && service(first.shown)).toEqual({})
  const second = await map(await document([common]), '--dry-run')
  expect(second.shown && service(second.shown)).toEqual({})
})

test('the servers of a document are shown with the values of their variables', async () => {
  const servers = [
    {
      url: 'https://{region}.example/{v}',
      variables: {region: {default: 'eu', enum: ['us', 'eu']}, v: {default: 'v1'}},
    },
    {url: 'https://{unknown}.example'},
  ]
  const {stdout, stderr} = await shop().run([
    'contract',
    'import',
    await document([common], {servers}),
    '--name',
    'own',
    '-o',
    'json',
  ])
  expect(stdout + stderr).toContain('https://eu.example/v1')
  expect(JSON.parse(stdout)).toMatchObject({
    facts: {servers: ['https://eu.example/v1', 'https://us.example/v1', 'https://{unknown}.example']},
  })
})
