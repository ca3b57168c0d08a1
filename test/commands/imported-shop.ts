import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterEach, beforeEach, expect} from 'vitest'
import type {PlainRequest} from '../../src/sandbox/index.ts'
import {openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'

export const SHOP = fileURLToPath(new URL('../fixtures/documents/shop-3.0.yaml', import.meta.url))

async function openShop() {
  const home = await openHome()
  const folder = await mkdtemp(join(tmpdir(), 'imported-'))
  const shop = {answer: (_request: PlainRequest): ReturnType<typeof reply> | undefined => reply(200, {})}
  const service = await openService(request => shop.answer(request))
  const flags = ['--base-url', `${service.url}/base`, '--kind', 'test', '--auth', 'none']
  await home.run(['profiles', 'add', 'shop', ...flags])
  const run = (argv: readonly string[], options?: RunOptions) => home.run([...argv, '-p', 'shop'], options)
  const imported = async (...argv: string[]) => {
    const result = await run(['contract', 'import', ...argv])
    expect(result).toMatchObject({code: 0})
    return result
  }
  return Object.assign(shop, {
    home,
    folder,
    service,
    run,
    /** What the service was asked for: `GET /base/orders`. */
    requested: () => service.requests.map(({method, url}) => `${method} ${url}`),
    importShop: (...more: string[]) => imported(SHOP, '--name', 'shop', ...more),
    /** Imports a document of these paths. */
    importPaths: async (paths: unknown, more: object = {}, ...flags: string[]) => {
      const file = join(folder, 'doc.json')
      const document = {openapi: '3.1.0', info: {title: 'T', version: '1'}, paths, ...more}
      await writeFile(file, JSON.stringify(document))
      return imported(file, '--name', 'own', ...flags)
    },
    async close() {
      await service.close()
      await home.remove()
      await rm(folder, {recursive: true, force: true})
    },
  })
}

/** A home with the profile `shop` and its service, new for each test of a file. */
export function useShop() {
  let shop: Awaited<ReturnType<typeof openShop>>
  beforeEach(async () => {
    shop = await openShop()
  })
  afterEach(() => shop.close())
  return () => shop
}

export const json = (schema: unknown) => ({content: {'application/json': {schema}}})
