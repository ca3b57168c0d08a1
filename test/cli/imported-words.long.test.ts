// Words for what the built-in contract doesn't have lead to the operations of an imported document.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, it, onTestFinished} from 'vitest'
import {AREAS, areaOf} from '../../src/cli/areas.ts'
import {complete} from '../../src/cli/completion/complete.ts'
import {knownValues} from '../../src/cli/completion/known-values.ts'
import {readManifest} from '../../src/cli/help/manifest.ts'
import {helpTopics} from '../../src/cli/help/topics.ts'
import {topics} from '../../src/cli/package-files.ts'
import {commands} from '../../src/commands/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'

/** `resource` of a path, its tag, and the name of its operation. */
const document = (rows: readonly (readonly [path: string, tag: string, id: string, method?: string])[]) => ({
  openapi: '3.1.0',
  info: {title: 'Ledger', version: '1'},
  paths: Object.fromEntries(
    rows.map(([path, tag, operationId, method = 'get']) => [
      path,
      {
        [method]: {
          operationId,
          tags: [tag],
          summary: `Runs ${operationId}`,
          parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
            name,
            in: 'path',
            required: true,
            schema: {type: 'string'},
          })),
          responses: {200: {description: 'OK', content: {'application/json': {schema: {type: 'object'}}}}},
        },
      },
    ]),
  ),
})

const ROWS = [
  ['/v1/transactions', 'card-transactions', 'listTransactions'],
  ['/v1/transactions/{id}', 'card-transactions', 'getTransaction'],
  ['/v1/accounts/{id}/purchases', 'accounts', 'listPurchases'],
  ['/v1/accounts', 'accounts', 'openAccount', 'post'],
  ['/v1/cards/{id}/freeze', 'cards', 'freezeCard', 'post'],
  ['/v1/oauth/clients', 'clients', 'listClients'],
  ['/v1/interest-rates', 'interest-rates', 'listInterestRates'],
  ['/v1/loans', 'loans', 'listLoans'],
] as const

let home: Home
let without: Home
beforeAll(async () => {
  home = await openHome()
  without = await openHome()
  const file = join(home.folder, 'ledger.json')
  await writeFile(file, JSON.stringify(document(ROWS)))
  const {code, stderr} = await home.run(['contract', 'import', file, '--name', 'ledger', '-p', 'sandbox'])
  expect({code, stderr}).toMatchObject({code: 0})
})
afterAll(() => Promise.all([home.remove(), without.remove()]))

const run = async (line: string, from = home) => {
  const {code, stdout, stderr} = await from.run(line.split(' '))
  return {code, text: stdout + stderr}
}

describe('with a document that has operations for the area', () => {
  it.each(['transactions', 'transaction', 'purchases', 'Transactions'])('%s lists them', async word => {
    const {code, text} = await run(word)
    expect(code).toBe(0)
    expect(text).toContain('x card-transactions list-transactions')
    expect(text).toContain('x accounts list-purchases')
    expect(text).not.toContain('open-account')
  })

  it('a command after the word runs, with the flags of any profile', async () => {
    for (const line of [
      'transactions get-transaction 17 --dry-run',
      'transactions get-transaction 17 --dry-run -p sandbox',
      '-p sandbox transactions get-transaction 17 --dry-run',
      'transactions get-transaction 17 --dry-run -psandbox',
    ]) {
      const {code, text} = await run(line)
      expect({code, text}).toMatchObject({code: 0, text: expect.stringContaining('/v1/transactions/17')})
    }
  })

  it('help, its search and find know the words', async () => {
    const list = 'x card-transactions list-transactions'
    expect((await run('transactions --help')).text).toContain(list)
    expect((await run('help transactions')).text).toContain(list)
    expect((await run('transactions get-transaction --help')).text).toContain('GET /v1/transactions/{id}')
    expect((await run('help --search transaction')).text.slice(0, 200)).toContain('x card-transactions')
    expect((await run('help --search purchase-details')).text).toContain('x card-transactions')
    expect((await run('find transactions')).text).toContain(
      'For commands about transactions: cardctl transac',
    )
  })

  it('the menu finds them by name and by word, asks for their arguments, and lists them to nobody else', async () => {
    const menu = 'What do you want to do?'
    const {stderr} = await home.run([], {columns: 80, typed: [[menu, '\u0004']]})
    expect(stderr).not.toContain('x card-transactions')
    const get = {
      columns: 80,
      typed: [
        [menu, 'card-transactions get'],
        ['get-transaction', '\r'],
        ['id', '\u0004'],
      ] as const,
    }
    expect((await home.run([], get)).stderr).toContain('✔ What do you want to do? x card-transactions get')
    const byWord = {
      columns: 80,
      typed: [
        [menu, 'purchase-details'],
        ['card-transactions', '\u0004'],
      ] as const,
    }
    expect((await home.run([], byWord)).stderr).toContain('x card-transactions')
  })

  it('a word in the document that means something else leads nowhere', async () => {
    for (const word of ['clients', 'customers', 'fx', 'exchange-rates', 'invoices']) {
      const {code, text} = await run(word)
      expect({code, text}).toMatchObject({code: 2, text: expect.stringContaining('has no operation for')})
    }
    expect((await run('rates')).code).toBe(2)
  })

  it('what a topic of cardctl lacks is named where the document has it', async () => {
    expect(await run('cards freeze 3001')).toMatchObject({
      code: 2,
      text: expect.stringContaining('An imported contract has it: cardctl x cards freeze-card'),
    })
    expect((await run('accounts open')).text).toContain('cardctl x accounts open-account')
    expect((await run('loans')).text).toContain('An imported contract has the tag: cardctl x loans')
  })

  it('completion offers the word, then its commands, then their arguments', () => {
    const known = knownValues({
      env: {HOME: home.folder},
      platform: 'linux',
      homedir: home.folder,
      osUser: 'user',
    })
    const facts = {...readManifest(), topics, helpTopics, known}
    const values = (line: string) => complete(line.split(' '), facts).candidates.map(({value}) => value)
    expect(values('tra')).toEqual(['transactions'])
    expect(values('inv')).toEqual([])
    expect(values('transactions list-')).toEqual(['list-transactions', 'list-purchases'])
    expect(values('transactions get-transaction 1 --dry')).toEqual(['--dry-run'])
  })
})

it('a tag of that name hides nothing of the area, and a wrong profile is named', async () => {
  const own = await openHome()
  onTestFinished(() => own.remove())
  const bring = async (name: string, rows: Parameters<typeof document>[0]) => {
    const file = join(own.folder, `${name}.json`)
    await writeFile(file, JSON.stringify(document(rows)))
    await own.run(['contract', 'import', file, '--name', name, '-p', 'sandbox'])
  }
  await bring('first', [['/v1/transactions/{id}', 'card-transactions', 'getTx']])
  await bring('second', [['/v2/transactions', 'transactions', 'list']])
  expect((await run('transactions get-tx 7 --dry-run', own)).code).toBe(0)
  expect((await run('transactions list --dry-run', own)).code).toBe(0)
  expect((await run('transactions', own)).text).toMatch(/transactions list.*card-transactions get-tx/s)
  for (const flag of ['-p nope', '-pnope', '--profile=nope'])
    expect((await run(`transactions ${flag}`, own)).text).toContain('PROFILE_NOT_FOUND')
})

describe('without such a document', () => {
  it.each(AREAS.map(({name}) => name))('%s says which two commands bring one in', async word => {
    const {code, text} = await run(word, without)
    expect(code).toBe(2)
    expect(text).toContain('cardctl api')
    expect(text).toContain('cardctl contract import')
  })

  it('other words are unknown as before', async () => {
    expect((await run('loans', without)).text).toContain('Unknown command "loans"')
    expect((await run('find transactions', without)).text).not.toContain('cardctl transactions')
    expect((await run('cards freeze 3001', without)).text).toContain('accounts block ID')
  })
})

it('no word is a command of cardctl, and none names two areas', () => {
  const words = AREAS.flatMap(({words: each}) => each)
  expect(new Set(words).size).toBe(words.length)
  const names = new Set([...Object.keys(commands), ...Object.keys(topics)])
  expect(words.filter(word => names.has(word))).toEqual([])
  expect(words.every(word => areaOf(word.toUpperCase()) !== undefined)).toBe(true)
})
