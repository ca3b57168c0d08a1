import {readdir, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {useShop} from './imported-shop.ts'

const shop = useShop()

describe('contract import', () => {
  it('says what it made, what it needs and what is never called', async () => {
    const {stdout} = await shop().importShop()
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
    const {stdout} = await shop().importPaths(paths, {info, servers}, '-o', 'json')
    const listed = await shop().run(['contract', 'list', '-o', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({facts: {title: 'Card 411111••••••1111'}})
    expect(stdout + listed.stdout).not.toContain('4111111111111111')
  })

  it('stores one file that only its owner can read; list and remove know it', async () => {
    await shop().importShop()
    const contracts = join(shop().home.folder, '.local/share/cardctl/contracts/shop')
    expect(await readdir(contracts)).toEqual(['shop.contract'])
    expect((await stat(join(contracts, 'shop.contract'))).mode & 0o777).toBe(0o600)
    expect((await stat(contracts)).mode & 0o777).toBe(0o700)
    expect(JSON.parse((await shop().run(['contract', 'list', '-o', 'json'])).stdout)).toMatchObject([
      {name: 'shop', operations: 5},
    ])
    expect(await shop().run(['contract', 'remove', 'shpo'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean shop?'),
    })
    expect(await shop().run(['contract', 'remove', 'shop'])).toMatchObject({code: 0})
    expect(await readdir(contracts)).toEqual([])
    expect(await shop().run(['x', 'orders'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no imported contract'),
    })
  })

  it('leaves out what cannot be used, says where, and keeps the rest', async () => {
    const {stdout} = await shop().importPaths({
      '/a': {get: {operationId: 'a', parameters: [{$ref: '#/components/parameters/None'}]}},
      '/b': {get: {operationId: 'b', responses: {}}},
    })
    expect(stdout).toContain('Left out (1)')
    expect(stdout).toMatch(
      /GET \/a · the reference #\/components\/parameters\/None leads to nothing · .*doc\.json:1 #\/paths/,
    )
    expect((await shop().run(['x', 'a', '--help'])).code).toBe(2)
    expect(await shop().run(['x', 'b', 'b'])).toMatchObject({code: 0})
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
    const {stdout} = await shop().importPaths(paths)
    expect(stdout).toContain('POST /v1/{tenant}/orders is x orders get-all-2: get-all was taken.')
    expect(stdout).not.toContain('\u001b')
    const {stdout: tags} = await shop().run(['x', '-o', 'json'])
    expect((JSON.parse(tags) as {tag: string}[]).map(({tag}) => tag)).toEqual([
      'orders',
      'proto',
      'things',
      'ubersicht-co',
    ])
    const commands = async (tag: string) =>
      (JSON.parse((await shop().run(['x', tag, '-o', 'json'])).stdout) as {command: string}[]).map(
        ({command}) => command,
      )
    expect(await commands('things')).toEqual(['x things get', 'x things delete'])
    expect(await commands('proto')).toEqual(['x proto constructor'])
    expect(await commands('ubersicht-co')).toEqual(['x ubersicht-co list-all-v2'])
    expect(await shop().run(['x', 'proto', 'constructor'])).toMatchObject({code: 0})
  })

  it('is undone with its profile', async () => {
    await shop().importShop()
    await shop().home.run(['profiles', 'remove', 'shop', '--yes'])
    expect(await readdir(join(shop().home.folder, '.local/share/cardctl/contracts'))).toEqual([])
  })

  it.each(['{}', '"x"', '{"/a": {"get": "x"}}'])(
    'keeps the former import if the paths are %s',
    async paths => {
      const argv = ['contract', 'import', '-', '--name', 'kept']
      const document = (some: string) => ({
        stdin: `{"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "paths": ${some}}`,
      })
      const whole = '{"/a": {"get": {"responses": {"200": {"description": "a"}}}}}'
      expect(await shop().run(argv, document(whole))).toMatchObject({code: 0})
      const empty = await shop().run(argv, document(paths))
      expect(empty).toMatchObject({code: 2, stderr: expect.stringContaining('no operation')})
      const {stdout} = await shop().run(['contract', 'list', '-o', 'json'])
      const listed = JSON.parse(stdout) as {name: string; operations: number}[]
      expect(listed.find(({name}) => name === 'kept')).toMatchObject({operations: 1})
    },
  )

  it('reads a document from stdin, and refuses what is none', async () => {
    const stdin = JSON.stringify({openapi: '3.1.0', info: {}, paths: {'/b': {get: {operationId: 'b'}}}})
    expect(await shop().run(['contract', 'import', '-', '--name', 'b'], {stdin})).toMatchObject({code: 0})
    expect(
      await shop().run(['contract', 'import', '-', '--name', 'c'], {stdin: 'swagger: "1.2"'}),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Swagger 1.2'),
    })
    expect(await shop().run(['contract', 'import', '-', '--name', '../c'], {stdin})).toMatchObject({code: 2})
  })
})
