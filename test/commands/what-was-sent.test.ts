import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {sentFields} from '../../src/cli/sent-fields.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Shown {
  readonly id: string
  readonly sent?: unknown
  readonly said?: string
}

const last = async (): Promise<Shown> => {
  const [{id} = {id: ''}] = await home.json<Shown[]>(['requests', 'list', '--limit', '1'])
  return home.json<Shown>(['requests', 'show', id])
}

const patch = (...fields: string[]) => ['accounts', 'patch', '2001', '--type', 'credit', ...fields]

describe('what a write sent', () => {
  test('is shown below the response, so that 100 is not taken for 10\u202f000', async () => {
    expect((await home.run(patch('--credit-limit', '100'))).stdout).toBe(
      "Account 2001 updated\n creditLimit  100 (the former value is not known here, so this can't be undone from here)\n",
    )
    expect((await home.run(patch('--credit-limit', '10000', '--name', 'null'))).stdout).toBe(
      'Account 2001 updated\n creditLimit  10\u202f000 (last sent from here: 100)\n name         null\n',
    )
  })

  test('leaves the reply as it is in formats for programs', async () => {
    const reply = await home.json<object>(patch('--credit-limit', '100'))
    expect(Object.keys(reply).sort()).toEqual(['description', 'id'])
  })

  test('is in requests show, field by field, with field names in the audit trail', async () => {
    await home.run(patch('--credit-limit', '10000', '--status', 'ACCOUNT_BLOCKED'))
    const {id, sent} = await last()
    expect(sent).toEqual({creditLimit: 10_000, status: 'ACCOUNT_BLOCKED'})
    const {stdout} = await home.run(['requests', 'show', id])
    expect(stdout).toMatch(/What was sent\n status +ACCOUNT_BLOCKED\n creditLimit +10\u202f000\n/)
    const [line] = await home.json<{members: string[]}[]>(['audit', 'list'])
    expect(line?.members).toEqual(['status', 'creditLimit'])
  })

  test('is shown with what was sent before for the same fields, also later', async () => {
    await home.run(patch('--status', 'ACCOUNT_BLOCKED', '--name', 'Household'))
    await home.run(['accounts', 'patch', '2002', '--type', 'debit', '--name', 'Another'])
    await home.run(['accounts', 'patch', '2099', '--type', 'credit', '--name', 'Nobody'])
    await home.run(patch('--name', 'Family', '--status', 'ACCOUNT_OK'))
    const {id} = await last()
    expect(await home.json(['requests', 'show', id])).toMatchObject({
      sent: {name: 'Family', status: 'ACCOUNT_OK'},
      before: {name: 'Household', status: 'ACCOUNT_BLOCKED'},
    })
    expect((await home.run(['requests', 'show', id])).stdout).toMatch(
      /name +Family \(last sent from here: Household\)\n/,
    )
  })

  test('includes a choice in the path', async () => {
    const {stdout} = await home.run(['accounts', 'update-property', '2001', 'DELETE_ADDRESS'])
    expect(stdout).toMatch(/^Account 2001 updated.*\n propertyToUpdate {2}DELETE_ADDRESS\n$/)
  })

  test('keeps the words of a refusal', async () => {
    await home.run(['accounts', 'patch', '2099', '--type', 'credit', '--credit-limit', '100'])
    const {id, said, sent} = await last()
    expect(said).toMatch(/404.*The sandbox has no such account/)
    expect(sent).toEqual({creditLimit: 100})
    expect((await home.run(['requests', 'show', id])).stdout).toMatch(
      /Response .*The sandbox has no such account/,
    )
  })

  test('holds no secret and no card number, on the screen, in the journal or in the trail', async () => {
    const stdin = JSON.stringify({name: 'Household 4111 1111 1111 1111'})
    expect((await home.run(patch('--data', '-'), {stdin})).stdout).toContain('name  Household 4111 11')
    expect((await last()).sent).toEqual({name: expect.not.stringContaining('1111 1111 1111')})
    await home.run(['pin', 'set', '3004'], {stdin: '8253\n'})
    expect((await last()).sent).toEqual({controlId: '[masked]', pinBlock: '[masked]'})
    const folder = join(home.folder, '.local/share/cardctl')
    const files = readdirSync(folder, {recursive: true, encoding: 'utf8'})
      .filter(name => /^journal.|^audit/.test(name) && statSync(join(folder, name)).isFile())
      .map(name => readFileSync(join(folder, name), 'latin1'))
    expect(files.length).toBeGreaterThan(2)
    for (const text of files) expect(text).not.toContain('4111 1111 1111 1111')
  })

  test('of a bulk row is kept as of any other request', async () => {
    const stdin = 'id,creditLimit\n2001,500\n'
    await home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--yes'], {stdin})
    expect((await last()).sent).toEqual({creditLimit: 500})
  })

  test('in a batch of many transfers is their number and totals', async () => {
    const rows = Array.from({length: 300}, () => '2006,2007,1.10,EUR')
    const stdin = ['from,to,amount,currency', ...rows, ''].join('\n')
    await home.run(['a2a', 'create', '--from', '-', '--yes', '--same-rows', '299', '--description', 'Rent'], {
      stdin,
    })
    const {id, sent} = await last()
    expect(sent).toEqual({
      description: expect.stringContaining('Rent'),
      transfers: {count: 300, totals: {EUR: '330.00'}},
    })
    expect((await home.run(['requests', 'show', id])).stdout).toMatch(/transfers total EUR +EUR 330\.00\n/)
  })
})

describe('sentFields', () => {
  const operation = operations['accounts.patchCredit.v4']

  test('stays small whatever is sent', () => {
    const body = {
      name: 'n'.repeat(100_000),
      ...Object.fromEntries(
        Array.from({length: 500}, (_, at) => [
          `member${at}`,
          Array.from({length: 20}, () => 'x'.repeat(900)),
        ]),
      ),
    }
    const sent = sentFields(operation, {path: {id: '2001'}, query: {}, body})
    expect(JSON.stringify(sent).length).toBeLessThan(20_000)
  })

  test('keeps the totals of transfers that are too long to keep', () => {
    const transfers = Array.from({length: 20}, () => ({amount: 1.1, currency: 'EUR', text: 'x'.repeat(900)}))
    const long = Object.fromEntries(Array.from({length: 60}, (_, at) => [`text${at}`, 'x'.repeat(300)]))
    const create = operations['a2a.create.v1']
    for (const body of [
      {transfers: transfers.map(one => ({...one, more: 'x'.repeat(900), less: 'x'.repeat(900)}))},
      {transfers: [...transfers, ...transfers.slice(0, 1)], ...long},
    ]) {
      const sent = sentFields(create, {path: {}, query: {}, body})
      expect(sent).toMatchObject({transfers: {totals: {EUR: expect.stringMatching(/^2[23]\./)}}})
    }
  })

  test('masks what is wrapped, marked or named as secret', () => {
    const body = {pinBlock: 'A1B2', note: new Secret('hush'), list: [{cvv2: '123'}]}
    const sent = sentFields(operations['pin.set.v3'], {path: {}, query: {}, body})
    expect(sent).toEqual({pinBlock: '[masked]', note: '[masked]', list: [{cvv2: '[masked]'}]})
  })

  test('says nothing of a request that has nothing to say', () => {
    expect(sentFields(operations['pricelists.delete.v1'], {path: {id: '5001'}, query: {}})).toBeUndefined()
  })
})
