import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {contractDocument} from '../helpers/contract.ts'

interface Claimed {
  id: string
  group: string
  method: string
  path: string
  summary: string
  deprecated: boolean
  idempotent: boolean
  effect: string
  direction: string
}

interface Marked {
  operationId: string
  summary: string
  deprecated?: boolean
  tags: string[]
  'x-path'?: string
  'x-group': string
  'x-effect': string
  'x-idempotent': boolean
  'x-extension': boolean
  'x-replaced-by'?: string | readonly string[]
}

type PathItems = Record<string, Record<string, Marked>>

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const contract = contractDocument as {paths: PathItems; webhooks: PathItems}
const outline: Claimed[] = JSON.parse(read('../fixtures/operations.json'))

const methods = ['get', 'post', 'patch', 'put', 'delete']

function* operationsOf(items: PathItems, direction: string): Generator<Claimed & {marks: Marked}> {
  for (const [key, item] of Object.entries(items)) {
    for (const method of methods) {
      const marks = item[method]
      if (marks === undefined) continue
      yield {
        id: marks.operationId,
        group: marks['x-group'],
        method: method.toUpperCase(),
        path: marks['x-path'] ?? key,
        summary: marks.summary,
        deprecated: marks.deprecated ?? false,
        idempotent: marks['x-idempotent'],
        effect: marks['x-effect'],
        direction,
        marks,
      }
    }
  }
}

const all = [...operationsOf(contract.paths, 'incoming'), ...operationsOf(contract.webhooks, 'outgoing')]
const described = new Map(all.map(operation => [operation.id, operation]))

describe('the contract and the outline', () => {
  test('no operation id stands twice, on either side', () => {
    expect(described.size).toBe(all.length)
    expect(new Set(outline.map(({id}) => id)).size).toBe(outline.length)
  })

  test.each(outline)('$id is in the contract as the outline has it', claimed => {
    const {id, group, method, path, summary, deprecated, idempotent, effect, direction} = claimed
    const found = described.get(id)
    expect(found).toMatchObject({group, method, path, summary, deprecated, idempotent, effect, direction})
    expect(found?.marks['x-extension']).toBe(false)
  })

  test('what the contract has beyond the outline is marked as an extension', () => {
    const known = new Set(outline.map(({id}) => id))
    const beyond = all.filter(({id}) => !known.has(id))
    expect(beyond.filter(({marks}) => !marks['x-extension'])).toEqual([])
  })

  test('45 operations come in and two webhooks go out', () => {
    const inOutline = all.filter(({marks}) => !marks['x-extension'])
    expect(inOutline.filter(({direction}) => direction === 'incoming')).toHaveLength(45)
    expect(Object.keys(contract.webhooks).sort()).toEqual(['webhook.auth', 'webhook.warmUp'])
  })

  test('the tag is the group', () => {
    for (const {marks} of all) expect(marks.tags).toEqual([marks['x-group']])
  })

  test('a deprecated operation names another, current one of its group', () => {
    const deprecated = all.filter(operation => operation.deprecated)
    expect(deprecated).not.toHaveLength(0)
    for (const {marks, group} of deprecated) {
      const successors = [marks['x-replaced-by'] ?? ''].flat()
      expect(successors, marks.operationId).not.toHaveLength(0)
      for (const id of successors) {
        expect(described.get(id), marks.operationId).toMatchObject({deprecated: false, group})
      }
    }
  })
})
