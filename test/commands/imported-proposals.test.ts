// Four eyes for the operations of an imported document, and for a service with several tenants.
import {chown, mkdir, readdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const document = (more = {}) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: {title: 'Shop', version: '1'},
    paths: {
      '/refunds': {
        post: {
          operationId: 'createRefund',
          tags: ['refunds'],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['order'],
                  properties: {order: {type: 'string'}, amount: {type: 'number'}, ...more},
                },
              },
            },
          },
          responses: {201: {description: 'Made', content: {'application/json': {schema: {type: 'object'}}}}},
        },
      },
      '/refunds/{id}': {
        delete: {
          operationId: 'deleteRefund',
          tags: ['refunds'],
          parameters: [{name: 'id', in: 'path', required: true, schema: {type: 'string'}}],
          responses: {204: {description: 'Gone'}},
        },
      },
    },
  })

let home: Home
let service: Service
let folder = ''
beforeEach(async () => {
  home = await openHome()
  service = await openService(({method}) =>
    method === 'DELETE' ? {status: 204, headers: {}, body: Buffer.from('')} : reply(201, {id: 'r1'}),
  )
  folder = join(home.folder, 'proposals')
  await mkdir(folder)
  const flags = ['--kind', 'test', '--auth', 'none', '--audit-user', 'aino', '--proposals', folder]
  const rules = ['--second-person-for', 'destroyed', '--header', 'x-tenant=env:TENANT']
  await home.json(['profiles', 'add', 'shop', '--base-url', service.url, ...flags, ...rules])
  await take(document())
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

async function take(text: string): Promise<void> {
  const file = join(home.folder, 'shop.json')
  await writeFile(file, text)
  const taken = ['contract', 'import', file, '--name', 'shop', '-p', 'shop', '--yes']
  expect(await home.run(taken)).toMatchObject({code: 0})
}

const env = {TENANT: 'blue'}
const run = (argv: readonly string[], more = {}) =>
  home.run([...argv, '-p', 'shop'], {env: {...env, ...more}})
const sent = () => service.requests.map(({method, url}) => `${method} ${url.split('?')[0]}`)

/** Proposes, and has the file be another user's. */
async function proposedByAnother(...argv: readonly string[]): Promise<string> {
  const {code, stdout, stderr} = await run([...argv, '--propose', '-o', 'json'])
  expect({code, stderr}).toMatchObject({code: 0})
  for (const file of await readdir(folder)) await chown(join(folder, file), 12_345, 12_345)
  return (JSON.parse(stdout) as {id: string}).id
}
const REFUND = ['x', 'refunds', 'create-refund', '-F', 'order=o-7', '-F', 'amount=12.5']
const approve = (id: string, more = {}) =>
  run(['requests', 'approve', id, '--yes', '--audit-user', 'pekka'], more)

test.skipIf(process.getuid?.() !== 0)(
  'a request of a document is proposed, shown and sent once',
  async () => {
    const id = await proposedByAnother(...REFUND)
    expect(sent()).toEqual([])
    const listed = await run(['requests', 'proposals'])
    expect(listed.stdout).toContain('POST /refunds')
    expect(await approve(id)).toMatchObject({code: 0})
    expect(sent()).toEqual(['POST /refunds'])
    expect(JSON.parse(String(service.requests.at(-1)?.body))).toEqual({order: 'o-7', amount: 12.5})
    expect((await approve(id)).code).not.toBe(0)
    expect(sent()).toHaveLength(1)
  },
)

test.skipIf(process.getuid?.() !== 0)(
  'what needs a second person is refused alone, and goes with one',
  async () => {
    const alone = await run(['x', 'refunds', 'delete-refund', 'r1', '--yes', '--confirm', 'r1'])
    expect(alone).toMatchObject({code: 3, stderr: expect.stringContaining('--propose')})
    expect(sent()).toEqual([])
    const id = await proposedByAnother('x', 'refunds', 'delete-refund', 'r1')
    expect(
      await run(['requests', 'approve', id, '--yes', '--confirm', 'r1', '--audit-user', 'pekka']),
    ).toMatchObject({code: 0})
    expect(sent()).toEqual(['DELETE /refunds/r1'])
  },
)

test.skipIf(process.getuid?.() !== 0)('another document of that name does not send it', async () => {
  const id = await proposedByAnother(...REFUND)
  await take(document({memo: {type: 'string'}}))
  expect((await run(['requests', 'proposals'])).stdout).toContain(
    'of a document that this profile does not have',
  )
  expect(await approve(id)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('says something else of it'),
  })
  await take(document())
  expect(await approve(id)).toMatchObject({code: 0})
  expect(sent()).toHaveLength(1)
})

test.skipIf(process.getuid?.() !== 0)('a proposal of one tenant is not sent to another', async () => {
  const id = await proposedByAnother(...REFUND)
  for (const file of await readdir(folder)) expect(file).not.toContain('blue')
  expect(await approve(id, {TENANT: 'green'})).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('another tenant'),
  })
  expect(sent()).toEqual([])
  expect(await approve(id)).toMatchObject({code: 0})
  expect(service.requests.at(-1)?.headers).toMatchObject({'x-tenant': 'blue'})
})
