import {afterAll, beforeAll, expect, test} from 'vitest'
import type {PlainResponse} from '../../../src/sandbox/index.ts'
import {type Home, openHome} from '../../helpers/cli.ts'
import {type McpClient, openMcp} from '../../helpers/mcp.ts'
import {openService, reply, type Service} from '../../helpers/service.ts'

let home: Home
let mcp: McpClient
let service: Service
let change: (own: unknown) => unknown = own => own

beforeAll(async () => {
  home = await openHome()
  const changed = (own: PlainResponse): PlainResponse =>
    own.status < 300 ? reply(own.status, change(JSON.parse(Buffer.from(own.body).toString()))) : own
  service = await openService(undefined, changed)
  await home.json([
    ...['profiles', 'add', 'odd', '--kind', 'test', '--base-url', service.url, '--auth', 'none'],
    ...['--profile-audit-user', 'Aino'],
  ])
  // The client's own validator, which throws away a result that doesn't fit.
  mcp = await openMcp(home, ['-p', 'odd'], {validates: true})
  await mcp.client.listTools()
})
afterAll(async () => {
  await mcp.leave()
  await service.close()
  await home.remove()
})

/** Each member, at any depth. */
const each =
  (alter: (name: string, value: unknown) => readonly [name: string, value: unknown][]) =>
  (own: unknown): unknown => {
    if (Array.isArray(own)) return own.map(each(alter))
    if (typeof own !== 'object' || own === null) return own
    // A response about something else is no response.
    return Object.fromEntries(
      Object.entries(own).flatMap(([name, value]) =>
        name === 'id' ? [[name, value]] : alter(name, each(alter)(value)),
      ),
    )
  }

const oddities: Readonly<Record<string, (own: unknown) => unknown>> = {
  'missing members': own => {
    const {id} = own as {id?: unknown}
    return id === undefined ? own : {id}
  },
  nulls: each((name, value) => [[name, typeof value === 'object' ? value : null]]),
  'members that no contract has': each((name, value) => [
    [name, value],
    [`${name}2`, {a: [1, null]}],
  ]),
  'values of another type': each((name, value) => [
    [name, typeof value === 'string' ? 7 : typeof value === 'object' ? value : 'x'],
  ]),
  'objects for values': each((name, value) => [[name, typeof value === 'object' ? value : {a: value}]]),
  'names of no enum': each((name, value) => [[name, typeof value === 'string' ? 'QQ' : value]]),
}

const calls: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ['accounts_patch', {id: '2001', type: 'credit', data: {creditLimit: 4000}}],
  ['cards_get', {id: '3001'}],
  ['cards_list', {customer: '1003'}],
  ['find', {text: '900000000003001'}],
  ['requests_list', {}],
]

test.each(Object.keys(oddities))('%s reach the client', async name => {
  change = oddities[name] ?? change
  for (const [tool, input] of calls) {
    const {structuredContent} = await mcp.client.callTool({name: tool, arguments: input})
    const members = Object.keys(structuredContent as object)
    expect(
      members.filter(member => ['data', 'items', 'error'].includes(member)),
      tool,
    ).toHaveLength(1)
  }
})

test('a write that was done has a result', async () => {
  change = oddities['missing members'] ?? change
  const result = await mcp.client.callTool({name: 'accounts_patch', arguments: calls[0]?.[1] ?? {}})
  expect(result.structuredContent).toMatchObject({data: {id: '2001'}, warnings: [{code: 'ANSWER_DIFFERS'}]})
  expect(result.isError).toBeUndefined()
})
