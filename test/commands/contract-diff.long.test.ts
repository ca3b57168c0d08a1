import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {parse, stringify} from 'yaml'
import {type Home, openHome} from '../helpers/cli.ts'
import {contractFile, contractText, type Differences, TREE} from '../helpers/contract.ts'
import {part} from '../helpers/whole.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

// biome-ignore lint/suspicious/noExplicitAny: changes reach into it at any depth.
type Document = Record<string, any>

describe('contract diff', () => {
  let count = 0
  /** Our own contract with a change, as a file. */
  async function changed(change: (document: Document) => void): Promise<string> {
    const document = parse(contractText) as Document
    change(document)
    const file = join(home.folder, `changed-${count++}.yaml`)
    await writeFile(file, stringify(document, {aliasDuplicateObjects: false}))
    return file
  }
  const diff = async (...argv: string[]): Promise<Differences & {code: number}> => {
    const {code, stdout, stderr} = await home.run(['contract', 'diff', ...argv, '-o', 'json'])
    if (stdout === '') throw new Error(stderr)
    return {...(JSON.parse(stdout) as Differences), code}
  }
  const schemasOf = (document: Document) => document.components.schemas
  const cardsGet = (document: Document) => document.paths['/v4/{id}'].get

  test('a contract and itself', async () => {
    const same = await changed(() => undefined)
    expect(await diff(same)).toMatchObject({code: 0, breaks: false, operations: []})
    expect(await diff(same, contractFile)).toMatchObject({code: 0, breaks: false, operations: []})
    expect((await home.run(['contract', 'diff', same])).stdout).toContain('No difference.')
  })

  /** What is changed, and what comes of it for the commands. */
  const cases: readonly (readonly [
    string,
    (document: Document) => void,
    Partial<Differences>,
    string,
    string,
    string,
  ])[] = [
    [
      'an operation that is gone',
      document => delete document.paths['/v1/a2a/batches/{id}'],
      {breaks: true, removed: 1, broken: ['a2a get', 'a2a status'].slice(0, 1)},
      '',
      '',
      '',
    ],
    [
      'a new required parameter',
      document =>
        cardsGet(document).parameters.push({
          name: 'tenant',
          in: 'query',
          required: true,
          schema: {type: 'string'},
        }),
      {breaks: true, changed: 1, broken: ['cards get']},
      'request',
      'query:tenant',
      'is new and required',
    ],
    [
      'a new optional parameter',
      document => cardsGet(document).parameters.push({name: 'tenant', in: 'query', schema: {type: 'string'}}),
      {breaks: false, changed: 1},
      'request',
      'query:tenant',
      'is new',
    ],
    [
      'a new required member of a body',
      document => schemasOf(document).BatchCreate.required.push('purpose'),
      {breaks: true, changed: 1},
      'request',
      '/purpose',
      'is new and required',
    ],
    [
      'a narrower enum of a body',
      document => {
        schemasOf(document).PaymentReference.properties.type = {type: 'string', enum: ['MOD10']}
      },
      {breaks: true},
      'request',
      '/paymentReference/type',
      'no longer "FINNISH_7_3_1"',
    ],
    [
      'another type of an answer that no command needs',
      document => {
        schemasOf(document).CardV4.properties.referenceNumber = {type: 'integer'}
      },
      {breaks: false},
      'answer',
      '/referenceNumber',
      'integer instead of null or string',
    ],
    [
      'a needed member of an answer that is gone',
      document => {
        delete schemasOf(document).BatchList.properties.items
        schemasOf(document).BatchList.required = ['size']
      },
      {breaks: true, broken: ['a2a list']},
      'answer',
      '/items',
      'is not there, and a command needs it',
    ],
    [
      'a needed list that is a text',
      document => {
        schemasOf(document).BatchList.properties.items = {type: 'string'}
      },
      {breaks: true, broken: ['a2a list']},
      'answer',
      '/items',
      'is string now, and a command needs it as it was',
    ],
    [
      'a list in the place of an object',
      document => {
        const content = cardsGet(document).responses['200'].content['application/json']
        content.schema = {type: 'array', items: content.schema}
      },
      {breaks: true, broken: ['cards get']},
      'answer',
      '',
      'the response is array instead of object',
    ],
    [
      'a deprecation',
      document => {
        cardsGet(document).deprecated = true
      },
      {breaks: false, deprecated: 1},
      'operation',
      '',
      'is deprecated',
    ],
  ]

  test.each(part(cases, 2))('%s', async (_, change, expected, side, pointer, message) => {
    const differences = await diff(await changed(change))
    expect(differences).toMatchObject(expected)
    expect(differences.code).toBe(differences.breaks ? 11 : 0)
    if (message === '') return
    const found = differences.operations.flatMap(operation => operation.differences)
    expect(found).toContainEqual(expect.objectContaining({side, pointer, message}))
  })

  test('an operation that is new', async () => {
    const file = await changed(document => {
      document.paths['/v9/exchangeRates'] = {
        get: {operationId: 'rates.get', responses: {200: {description: 'Rates'}}},
      }
    })
    expect(await diff(file)).toMatchObject({
      code: 0,
      breaks: false,
      added: 1,
      operations: [{request: 'GET /v9/exchangeRates'}],
    })
  })

  test('paths with the prefix of the group, and with other names of parameters, are the same operations', async () => {
    const file = await changed(document => {
      const moved: [string, Document][] = Object.entries<Document>(document.paths).flatMap(([path, item]) =>
        Object.entries<Document>(item)
          .filter(([method]) => method !== 'parameters')
          .map(([method, operation]): [string, Document] => [
            `${operation['x-prefix'] ?? ''}${path}`.replaceAll('{id}', '{theId}'),
            {
              [method]: operation,
              parameters: JSON.parse(
                JSON.stringify(item.parameters ?? []).replaceAll('parameters/Id"', 'parameters/TheId"'),
              ),
            },
          ]),
      )
      document.components.parameters.TheId = {...document.components.parameters.Id, name: 'theId'}
      document.paths = {}
      for (const [path, item] of moved) document.paths[path] = {...document.paths[path], ...item}
      for (const item of Object.values<Document>(document.paths)) {
        for (const operation of Object.values<Document>(item)) delete operation.operationId
      }
    })
    const differences = await diff(file, '--topic', 'cards')
    expect(differences).toMatchObject({breaks: false, removed: 0})
  })

  test('an unrelated document: every operation is missing', async () => {
    const file = join(home.folder, 'tree.yaml')
    await writeFile(file, TREE)
    const differences = await diff(file)
    expect(differences).toMatchObject({code: 11, breaks: true, added: 1})
    expect(differences.broken).toContain('remotecheckout enroll')
    expect(await diff(file, file)).toMatchObject({code: 0, operations: []})
    expect(await diff(file, '--topic', 'none')).toMatchObject({code: 0, breaks: false})
  })

  test('a screen of 80 columns is enough', async () => {
    const file = await changed(document => schemasOf(document).BatchCreate.required.push('purpose'))
    const {code, stdout, stderr} = await home.run(['contract', 'diff', file, '--topic', 'a2a'], {columns: 80})
    expect(code).toBe(11)
    expect(stdout).toContain(
      ' Breaks\n POST /v1/a2a/batches  a2a create\n   request /purpose  is new and required\n',
    )
    expect(stderr).toContain('COMMANDS_BREAK')
  })
})
