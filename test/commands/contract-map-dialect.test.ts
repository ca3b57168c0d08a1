// The first hour at another service: draft a dialect from its document, look at it, check it, use it.
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, expect, test} from 'vitest'
import type {ServiceCheck} from '../../src/commands/contract/shared/check-service.ts'
import {openHarbour} from '../dialect/harbour.ts'
import {type Home, openHome} from '../helpers/cli.ts'

const DOCUMENT = fileURLToPath(new URL('../dialect/documents/harbour.yaml', import.meta.url))

let home: Home
let harbour: Awaited<ReturnType<typeof openHarbour>>
beforeAll(async () => {
  home = await openHome()
  harbour = await openHarbour()
  const at = ['--base-url', harbour.url, '--auth', 'none', '--audit-user', 'tester']
  expect(await home.run(['profiles', 'add', 'there', '--kind', 'test', ...at])).toMatchObject({code: 0})
  expect(await home.run(['contract', 'import', DOCUMENT, '--name', 'harbour', '-p', 'there'])).toMatchObject({
    code: 0,
  })
})
afterAll(async () => {
  await harbour.close()
  await home.remove()
})

const file = (name: string): string => join(home.folder, name)

test('a draft goes to a file, not to stdout', async () => {
  const {code, stderr} = await home.run(['contract', 'map', 'none.yaml', '--write-dialect', '-'])
  expect({code, stderr}).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('takes the name of a new file'),
  })
})

test('a draft is checked, used, and undoes nothing that is there', async () => {
  const draft = file('draft.yaml')
  const drafted = await home.json(['contract', 'map', '-p', 'there', '--write-dialect', draft])
  expect(drafted).toMatchObject({contract: 'harbour', usable: true})
  expect(harbour.requests).toEqual([])
  const report = await home.json<ServiceCheck>([
    ...['contract', 'check', '-p', 'there', '--dialect', draft, '--card', 'crd_3001'],
  ])
  const of = (wanted: string) => report.operations.find(({id}) => id === wanted)
  expect(of('cards.get.v4')).toMatchObject({state: 'fits'})
  expect(of('cards.listByCustomer.v4')).toMatchObject({state: 'fits'})
  expect(of('a2a.create.v1')?.note).toBeUndefined()
  expect((await home.run(['profiles', 'edit', 'there', '--dialect', draft])).code).toBe(0)
  expect(await home.json(['cards', 'get', 'crd_3001', '-p', 'there'])).toMatchObject({
    id: 'crd_3001',
    status: 'CARD_OK',
    expiration: {year: expect.any(Number)},
  })
  const block = ['accounts', 'block', 'acc_2001', '--type', 'credit', '-p', 'there', '--yes']
  expect((await home.run(block)).code).toBe(0)
  expect(await harbour.state('account', '2001')).toMatchObject({status: 'ACCOUNT_BLOCKED'})
  const money = await home.run([
    ...['accounts', 'patch', 'acc_2001', '--type', 'credit', '-F', 'creditLimit=5', '-p', 'there', '--yes'],
  ])
  expect(money).toMatchObject({code: 2, stderr: expect.stringContaining('has no place there')})
  const again = await home.run(['contract', 'map', '-p', 'there', '--write-dialect', draft])
  expect(again).toMatchObject({code: expect.any(Number), stderr: expect.stringContaining('exists already')})
})

test('a person at a terminal decides about guesses', async () => {
  const draft = file('asked.yaml')
  const {code, stderr} = await home.run(['contract', 'map', '-p', 'there', '--write-dialect', draft], {
    columns: 120,
    typed: [
      ['where is /reason?', '\r'],
      ['where is /pinStatus?', '\u001B[A\r'],
    ],
  })
  expect({code, stderr}).toMatchObject({code: 0})
  const text = await readFile(draft, 'utf8')
  expect(text).toContain('    /reason: /state_reason # sure: chosen')
  expect(text).toContain('    # /pinStatus: /pin/state # unsure')
  expect(text).toMatch(/# .*\/creditLimit: .*# unsure/)
})

test('a document without any card says so, and writes nothing', async () => {
  const shop = fileURLToPath(new URL('../fixtures/documents/search-3.2.yaml', import.meta.url))
  const none = await home.run(['contract', 'map', shop, '-p', 'there', '--write-dialect', file('none.yaml')])
  expect(none).toMatchObject({code: 2, stderr: expect.stringContaining('no request for any operation')})
  await expect(readFile(file('none.yaml'))).rejects.toThrow()
})
