import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {operations} from '../../src/contract/operations.gen.ts'
import type {OperationId} from '../../src/contract/types.ts'
import {checkResponse} from '../../src/contract/validate.ts'
import {exampleOf, readDocument} from '../../src/imported/index.ts'
import {run as runProgram} from '../../tools/run.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {contractFile, contractText, type Differences, TREE} from '../helpers/contract.ts'

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

  test('a mistyped id gets a suggestion', async () => {
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

test('examples of answers are answers that the contract takes', async () => {
  const {operations: described, schemas} = await readDocument({file: contractFile})
  const wrong: string[] = []
  for (const {operationId, replies} of described) {
    for (const {status, contents} of replies) {
      const [content] = contents
      if (content?.schema === undefined || !/^2/.test(status)) continue
      const example = exampleOf(content.schema, schemas)
      const violations = await checkResponse(operationId as OperationId, Number(status), example)
      wrong.push(...violations.map(({pointer, message}) => `${operationId} ${pointer}: ${message}`))
    }
  }
  expect(wrong).toEqual([])
})
