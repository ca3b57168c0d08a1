import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {parse, stringify} from 'yaml'
import {operations} from '../../src/contract/operations.gen.ts'
import type {OperationId} from '../../src/contract/types.ts'
import {checkReply} from '../../src/contract/validate.ts'
import {exampleOf, readDocument} from '../../src/imported/index.ts'
import {run as runProgram} from '../../tools/run.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {contractFile, contractText} from '../helpers/contract.ts'

interface Differences {
  readonly breaks: boolean
  readonly broken: readonly string[]
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly deprecated: number
  readonly operations: readonly {
    readonly id: string | null
    readonly request: string
    readonly nowAt?: string
    readonly change: string
    readonly breaks: boolean
    readonly commands: readonly string[]
    readonly differences: readonly {
      side: string
      change: string
      pointer: string
      message: string
      breaks: boolean
    }[]
  }[]
}

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

describe('contract export', () => {
  test('YAML is the text as it is written, JSON is the same document', async () => {
    expect((await home.run(['contract', 'export'])).stdout).toBe(contractText)
    expect((await home.run(['contract', 'export', '-o', 'yaml'])).stdout).toBe(contractText)
    expect(await home.json(['contract', 'export'])).toEqual(parse(contractText))
  })

  test('what is exported is valid', async () => {
    const file = join(home.folder, 'exported.json')
    await writeFile(file, (await home.run(['contract', 'export', '-o', 'json'])).stdout)
    const {code, output} = runProgram('redocly', ['lint', file, '--config', 'redocly.yaml'], {quiet: true})
    expect(code, output).toBe(0)
  })

  test('a query looks into it', async () => {
    const ids = await home.json<string[]>(['contract', 'export', '--query', 'paths.*.*.operationId[]'])
    expect(ids.sort()).toEqual(Object.keys(operations).sort())
  })
})

describe('contract show', () => {
  const EACH_TOPIC = new Map(Object.values(operations).map(({topic, id}) => [topic, id]))
  test.each([...EACH_TOPIC.values()])('%s fits a terminal', async id => {
    const {code, stdout} = await home.run(['contract', 'show', id], {columns: 80})
    expect(code).toBe(0)
    const [answer] = stdout.split('Example of')
    for (const line of (answer ?? '').split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(stdout).toContain(id)
  })

  test('says how it is called, what goes in and what comes out', async () => {
    const shown = await home.json<Record<string, unknown>>(['contract', 'show', 'a2a.create.v1'])
    expect(shown).toMatchObject({
      id: 'a2a.create.v1',
      method: 'POST',
      effect: 'write',
      commands: ['a2a create'],
      needs: ['/id'],
      request: {
        mediaType: 'application/json',
        required: true,
        members: expect.arrayContaining([expect.objectContaining({name: 'description'})]),
      },
      answers: expect.arrayContaining([expect.objectContaining({status: 'default'})]),
    })
  })

  test.each([['GET', '/v4/{id}'], ['get /v4/{id}'], ['cards', 'plastics']])(
    'is found as %s %s',
    async (...words) => {
      const shown = await home.json<{id: string}>(['contract', 'show', ...words])
      expect(shown.id).toBe(words.includes('plastics') ? 'cards.plastics.v3' : 'cards.get.v4')
    },
  )

  test('a command that sends several asks which', async () => {
    expect(await home.run(['contract', 'show', 'accounts', 'patch'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('accounts.patchCredit.v4, accounts.patchDebit.v4'),
    })
  })

  test('a slip is met with the nearest id', async () => {
    expect(await home.run(['contract', 'show', 'cards.gte.v4'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Did you mean cards.get.v4?'),
    })
  })

  test('an operation of a document of one’s own, with a schema that can be used by itself', async () => {
    const file = join(home.folder, 'tree.yaml')
    await writeFile(file, TREE)
    const shown = await home.json<{answers: {schema: object; members: {name: string}[]; example: unknown}[]}>(
      [...['contract', 'show', 'getTree', '--contract', file]],
    )
    const [answer] = shown.answers
    expect(answer?.schema).toEqual({$ref: '#/$defs/Node', $defs: {Node: expect.anything()}})
    expect(answer?.members.map(({name}) => name)).toEqual(['name', 'children'])
    expect(answer?.example).toEqual({name: 'text', children: [null]})
    const fromStdin = await home.run(['contract', 'show', 'getTree', '--contract', '-'], {stdin: TREE})
    expect(fromStdin.code).toBe(0)
  })
})

describe('a contract that was imported', () => {
  beforeAll(async () => {
    const file = join(home.folder, 'imported.yaml')
    await writeFile(file, TREE)
    expect(await home.run(['contract', 'import', file, '--name', 'trees'])).toMatchObject({code: 0})
  })

  test.each([['getTree'], ['GET /tree'], ['x tree get-tree']])('is looked into for %s', async words => {
    const shown = await home.json<{commands: string[]; effect: string; answers: {example: unknown}[]}>([
      ...['contract', 'show', ...words.split(' ')],
    ])
    expect(shown).toMatchObject({commands: ['x tree get-tree'], effect: 'read'})
    expect(shown.answers[0]?.example).toEqual({name: 'text', children: [null]})
  })

  test('is compared by its name, with the built-in one or with a newer version', async () => {
    const own = await home.run(['contract', 'diff', '-o', 'json'])
    expect(own.code).toBe(11)
    expect(JSON.parse(own.stdout)).toMatchObject({to: 'trees', added: 1})
    const file = join(home.folder, 'newer.yaml')
    await writeFile(file, TREE.replace('name: {type: string}', 'name: {type: integer}'))
    const newer = await home.json<Differences>(['contract', 'diff', 'trees', file])
    expect(newer).toMatchObject({
      from: 'trees',
      breaks: false,
      changed: 1,
      operations: [{commands: [], imported: 'x tree get-tree', differences: [{pointer: '/name'}]}],
    })
  })
})

const TREE = `
openapi: 3.1.0
info: {title: Tree, version: '1'}
paths:
  /tree:
    get:
      operationId: getTree
      responses:
        '200':
          description: The tree
          content: {application/json: {schema: {$ref: '#/components/schemas/Node'}}}
components:
  schemas:
    Node:
      type: object
      required: [name]
      properties:
        name: {type: string}
        children: {type: array, items: {$ref: '#/components/schemas/Node'}}
`

test('examples of answers are answers that the contract takes', async () => {
  const {operations: described, schemas} = await readDocument({file: contractFile})
  const wrong: string[] = []
  for (const {operationId, replies} of described) {
    for (const {status, contents} of replies) {
      const [content] = contents
      if (content?.schema === undefined || !/^2/.test(status)) continue
      const example = exampleOf(content.schema, schemas)
      const violations = await checkReply(operationId as OperationId, Number(status), example)
      wrong.push(...violations.map(({pointer, message}) => `${operationId} ${pointer}: ${message}`))
    }
  }
  expect(wrong).toEqual([])
})

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

  test.each(cases)('%s', async (_, change, expected, side, pointer, message) => {
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

  test('a document of something else: everything of ours is missing', async () => {
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
