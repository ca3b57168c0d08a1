// Whatever a client sends, the server answers in the protocol, goes on, and never with a fault of its own.
import fc from 'fast-check'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {wordsFor} from '../../../src/commands/mcp/shared/input-words.ts'
import {type Home, openHome} from '../../helpers/cli.ts'
import {codePoint} from '../../helpers/code-point.ts'
import {type McpClient, openMcp, startMcp} from '../../helpers/mcp.ts'
import {runs} from '../../helpers/whole.ts'
import {fuzzInputs, hostileValue} from './fuzz-inputs.ts'

let home: Home
let mcp: McpClient
beforeAll(async () => {
  home = await openHome()
  mcp = await openMcp(home)
})
afterAll(async () => {
  expect(await mcp.leave()).toMatchObject({code: 0})
  await home.remove()
})

test('calls of tools', async () => {
  const {tools} = await mcp.client.listTools()
  await fc.assert(
    fc.asyncProperty(fuzzInputs(tools), async ({name, input}) => {
      const answered = mcp.client.callTool({name, arguments: input})
      // A message with a number that JSON can't keep is refused as a whole.
      const result = await answered.catch((error: unknown) => {
        expect(String(error)).toMatch(/digits/)
        return undefined
      })
      if (!result) return
      const {structuredContent, isError} = result
      const {error} = structuredContent as {error?: {code: string; message: string}}
      expect(isError === true).toBe(error !== undefined)
      expect(error?.code).not.toBe('INTERNAL')
    }),
    {numRuns: runs(60)},
  )
})

test('lines', async () => {
  const {write, input, ended, lines} = startMcp(home)
  const line = fc.oneof(
    fc.string({unit: codePoint, maxLength: 60}).map(text => text.replaceAll('\n', ' ')),
    fc.json().map(text => text.replaceAll('\n', ' ')),
    fc
      .record(
        {
          jsonrpc: fc.constantFrom('2.0', '1.0', 2),
          id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.constant({})),
          method: fc.constantFrom(
            'ping',
            'tools/list',
            'tools/call',
            'initialize',
            'resources/read',
            'no/such',
          ),
          params: fc.oneof(fc.object({maxDepth: 2}), fc.constant([]), fc.constant(7)),
        },
        {requiredKeys: []},
      )
      .map(value => JSON.stringify(value)),
  )
  for (const each of fc.sample(line, 400)) write(each)
  write('{"jsonrpc":"2.0","id":"last","method":"ping"}')
  while (!lines.received.some(received => received.includes('"last"')))
    await new Promise(resolve => setImmediate(resolve))
  for (const received of lines.received) expect(JSON.parse(received)).toMatchObject({jsonrpc: '2.0'})
  input.end()
  expect(await ended).toMatchObject({code: 0, stderr: ''})
})

test('a value is never read as a flag', () => {
  const text = {type: 'string', maxLength: 10_000}
  const parameters = [
    {name: 'id', schema: text, required: false},
    {name: 'note', flag: '--note', schema: text, required: false},
    {name: 'data', flag: '--data', schema: {type: 'object'}, required: false},
  ]
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('id', 'note', 'data', 'other'), hostileValue), given => {
      let words: readonly string[]
      try {
        words = wordsFor(parameters, given)
      } catch {
        return
      }
      const end = words.indexOf('--')
      const flags = end === -1 ? words : words.slice(0, end)
      for (const word of flags) expect(word).toMatch(/^--(note|data)=/)
      expect(end === -1 ? 0 : words.length - end - 1).toBe(given.id === undefined ? 0 : 1)
      const data = words.find(word => word.startsWith('--data='))
      if (data !== undefined) expect(data[7]).toBe('{')
    }),
    {numRuns: runs(500)},
  )
})
