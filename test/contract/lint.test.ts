import {globSync, readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {lintContract, lintParts} from '../../tools/contract/lint.ts'
import {readContract} from '../../tools/contract/read-contract.ts'
import {contractText} from '../helpers/contract.ts'

/** The complaints after a planted fault; the plant must have changed something. */
function faultsWith(plant: (text: string) => string): string[] {
  const planted = plant(contractText)
  expect(planted).not.toBe(contractText)
  return lintContract(readContract(planted))
}

/** Takes the first line away that `pattern` matches behind `operationId: ID`. */
const without = (id: string, pattern: RegExp) => (contract: string) => {
  const at = contract.indexOf(`operationId: ${id}`)
  return contract.slice(0, at) + contract.slice(at).replace(pattern, '')
}

/** Exchanges the first `from` behind `operationId: ID`. */
const exchanging = (id: string, from: string, to: string) => (contract: string) => {
  const at = contract.indexOf(`operationId: ${id}`)
  return contract.slice(0, at) + contract.slice(at).replace(from, to)
}

const BODY = '{content: {application/json: {schema: {type: object}}}}'

describe('lintContract', () => {
  test('finds nothing in the contract', () => {
    expect(lintContract(readContract(contractText))).toEqual([])
  })

  test.each([
    ['x-effect', 'cards.get.v4', / {6}x-effect: read\n/],
    ['x-idempotent', 'accounts.patchCredit.v4', / {6}x-idempotent: true\n/],
    ['x-prefix', 'cards.get.v4', / {6}x-prefix: .*\n/],
    ['x-group', 'cards.get.v4', / {6}x-group: .*\n/],
    ['x-extension', 'cards.get.v4', / {6}x-extension: .*\n/],
    ['x-replaced-by', 'cards.get.v3', / {6}x-replaced-by: .*\n/],
    ['x-source', 'cards.get.v4', / {6}x-source: .*\n/],
    ['x-touches', 'cards.controlToken.v4', / {6}x-touches:\n {8}.*\n/],
    ['x-answers', 'cards.get.v4', / {6}x-answers:\n {8}.*\n/],
    ['x-action', 'pricelists.delete.v1', / {6}x-action: .*\n/],
    ['x-consequence', 'pin.set.v3', / {6}x-consequence: .*\n/],
    ['x-consequence', 'sandbox.reset', / {6}x-consequence: .*\n/],
  ])('misses %s', (mark, id, pattern) => {
    const faults = faultsWith(without(id, pattern))
    expect(faults.join('\n')).toContain(mark)
    expect(faults.join('\n')).toContain(id)
  })

  test.each([
    ['a kind that does not exist', 'account: path', 'acount: path', 'acount is no kind of x-touches'],
    ['a path parameter', 'path:id', 'path:accountId', 'names path:accountId, which is not there'],
    ['a member of the body', 'path:id', '/account', 'names /account, which is not there'],
    ['a member of the reply', 'path:id', 'reply:/batch', 'names reply:/batch, which is not there'],
  ])('misses what is touched at a place that is not there: %s', (_, from, to, fault) => {
    const faults = faultsWith(exchanging('accounts.patchCredit.v4', from, to))
    expect(faults.join('\n')).toContain(fault)
  })

  test.each([
    [
      'a parameter that is not in the path',
      'id: /id',
      'cardId: /id',
      'names cardId, which is not in the path',
    ],
    ['a field that no reply has', 'id: /id', 'id: /number', 'names /number, which no success reply has'],
  ])('refuses x-answers with %s', (_, from, to, fault) => {
    const faults = faultsWith(exchanging('accounts.patchCredit.v4', from, to))
    expect(faults).toContain(`accounts.patchCredit.v4: x-answers ${fault}`)
  })

  test('refuses a mark for resources on an operation without a journal entry', () => {
    const mark = "x-source: outline\n      x-touches: {card: 'path:id'}"
    const faults = faultsWith(exchanging('cards.get.v4', 'x-source: outline', mark))
    expect(faults).toContain('cards.get.v4: x-touches is for operations that leave an entry in the journal')
  })

  test('misses the mark of a secret member', () => {
    const faults = faultsWith(contract => {
      const at = contract.indexOf('    PinBlock:\n')
      return contract.slice(0, at) + contract.slice(at).replace(/ {6}x-sensitive: true\n/, '')
    })
    expect(faults).toContain('pin.set.v3: /pinBlock sounds secret and has no x-sensitive')
  })

  test('misses where a schema comes from', () => {
    const faults = faultsWith(contract => {
      const at = contract.indexOf('    PinBlock:\n')
      return contract.slice(0, at) + contract.slice(at).replace(/ {6}x-source: known\n/, '')
    })
    expect(faults).toContain('schema PinBlock: x-source must be one of outline, known, decided')
  })

  test('does not take a misspelt mark for one', () => {
    const faults = faultsWith(contract => contract.replace('x-idempotent: true', 'x-idempotant: true'))
    expect(faults.some(fault => fault.includes('x-idempotant: an unknown mark'))).toBe(true)
  })

  test.each<[string, string, (id: string) => (contract: string) => string, string]>([
    [
      'a request without its body',
      'pricelists.patch.v1',
      id => without(id, / {6}requestBody:\n(?: {8}.*\n)+/),
      'a PATCH has a body',
    ],
    [
      'an idempotent write without its header',
      'accounts.patchDebit.v4',
      id => without(id, / {8}- .*IdempotencyKey'\n/),
      'x-idempotent must go with the header x-idempotency-key',
    ],
    [
      'a request without its audit user',
      'a2a.create.v1',
      id => without(id, / {8}- .*AuditUser'\n/),
      'the query parameter auditUser is needed',
    ],
    [
      'an operation without a default reply',
      'a2a.create.v1',
      id => without(id, / {8}default:\n.*\n/),
      'a default reply is needed',
    ],
    [
      'a tag that is not the first word of the id',
      'a2a.create.v1',
      id => exchanging(id, '- a2a\n', '- cards\n'),
      'the id must begin with its tag',
    ],
    [
      'an effect nobody knows',
      'a2a.create.v1',
      id => exchanging(id, 'x-effect: write', 'x-effect: wipe'),
      'x-effect must be one of read, disclose, write, destroy',
    ],
    [
      'a GET that changes something',
      'cards.get.v4',
      id => exchanging(id, 'x-effect: read', 'x-effect: write\n      x-action: a\n      x-consequence: b'),
      'GET reads',
    ],
    [
      'a question about something that the path does not name',
      'pricelists.delete.v1',
      id => exchanging(id, 'price list {id}', 'price list {code}'),
      'x-action may name path parameters only',
    ],
    [
      'a GET with a body',
      'cards.get.v4',
      id => exchanging(id, '      responses:', `      requestBody: ${BODY}\n      responses:`),
      'a GET has no body',
    ],
  ])('refuses %s', (_, id, plant, complaint) => {
    expect(faultsWith(plant(id))).toEqual([`${id}: ${complaint}`])
  })

  test('refuses multipleOf on amounts', () => {
    const faults = faultsWith(text =>
      text.replace('    CreditLimit:\n', '    CreditLimit:\n      multipleOf: 0.01\n'),
    )
    expect(faults).toContain(
      'accounts.patchCredit.v4: /creditLimit has multipleOf, which refuses decimal numbers',
    )
  })

  test('refuses a mark without the words of its warning', () => {
    const faults = faultsWith(text => text.replace(/ +warning: ACCOUNT_TO_CLOSE .*\n/g, ''))
    expect(faults).toContain('accounts.patchDebit.v4: /status has a mark that is no list of {value, warning}')
  })

  test('knows secrets by their usual names, in lists and webhooks too', () => {
    const members = (schema: string) => new RegExp(`( {4}${schema}:\\n(?: {6}.*\\n)*? {6}properties:\\n)`)
    const faults = faultsWith(text =>
      text
        .replace(members('AuthMetadata'), '$1        clientSecret: {type: string}\n')
        .replace(members('BatchCreate'), '$1        password: {type: array, items: {type: string}}\n'),
    )
    // The sandbox shows the calls that it sent.
    expect(faults.filter(fault => !fault.includes('/webhookCall/'))).toEqual([
      'a2a.create.v1: /password/* sounds secret and has no x-sensitive',
      'webhook.auth: /metadata/clientSecret sounds secret and has no x-sensitive',
    ])
  })

  test('finds an id that stands twice', () => {
    const faults = faultsWith(contract =>
      contract.replace('operationId: cards.get.v3', 'operationId: cards.get.v4'),
    )
    expect(faults).toContain('cards.get.v4: the id stands twice')
  })
})

describe('lintParts', () => {
  const contract = readContract(contractText)

  test('finds nothing in the files of the contract', () => {
    const files = globSync('src/contract/openapi/*.yaml')
    expect(files.length).toBeGreaterThan(10)
    expect(lintParts(new Map(files.map(file => [file, readFileSync(file, 'utf8')])), contract)).toEqual([])
  })

  test('finds what no $ref leads to', () => {
    const part =
      'paths: {/v9/new: {}}\nwebhooks: {webhook.new: {}}\ncomponents: {schemas: {New: {}, Card: {}, CardV4: {}}}'
    expect(lintParts(new Map([['new.yaml', part]]), contract)).toEqual([
      'new.yaml: no $ref leads to paths//v9/new',
      'new.yaml: no $ref leads to webhooks/webhook.new',
      'new.yaml: no $ref leads to components/schemas/New',
      'new.yaml: no $ref leads to components/schemas/Card',
    ])
  })
})
