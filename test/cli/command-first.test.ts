// Global flags before the command, as kubectl, aws and git take them.
import fc from 'fast-check'
import {afterAll, beforeAll, expect, it} from 'vitest'
import {withCommandFirst} from '../../src/cli/command-first.ts'
import {globalFlags} from '../../src/cli/flags.ts'
import {commands} from '../../src/commands/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

it.each([
  '-p sandbox -o csv cards get 3001',
  '--profile=sandbox --output csv cards get 3001',
  '-psandbox -ocsv cards get 3001',
  '-qp sandbox cards -o csv get 3001',
  'cards -p sandbox get 3001 -o csv',
  '-p sandbox cards get -o csv -- 3001',
])('does the same as with the flags at the end: %s', async line => {
  const expected = await home.run(['cards', 'get', '3001', '-p', 'sandbox', '-o', 'csv'])
  const {code, stdout} = await home.run(line.split(' '))
  expect({code, stdout}).toEqual({code: 0, stdout: expected.stdout})
})

it.each(['-o json cards get 9999', '-qo json cards get 9999', '--json cards get 9999'])(
  'prints the error as JSON: %s',
  async line => {
    const {code, stderr} = await home.run(['-p', 'sandbox', ...line.split(' ')])
    expect(code).toBe(5)
    expect(JSON.parse(stderr.split('\n').findLast(each => each !== '') ?? '')).toMatchObject({
      error: {code: 'NOT_FOUND'},
    })
  },
)

it('shows the help of the command', async () => {
  const {stdout} = await home.run(['-p', 'sandbox', 'cards', 'get', '--help'])
  expect(stdout).toContain('$ cardctl cards get')
})

const isName = (id: string): boolean => Object.keys(commands).some(each => `${each}:`.startsWith(`${id}:`))
const flag = fc.constantFrom(['-p', 'prod'], ['--json'], ['-q'], ['--query=a'], ['--timeout', '5s'], ['-qy'])
const command = fc.constantFrom('cards get', 'requests list', 'sandbox state set', 'whoami', 'bulk run')
const rest = fc.array(fc.constantFrom('3001', '--limit', '-F', 'a=b', '--', 'cards'), {maxLength: 5})

it('keeps every word, and the order of flags and of arguments', () => {
  fc.assert(
    fc.property(fc.array(flag, {maxLength: 3}), command, rest, (flags, name, after) => {
      const line = [...flags.flat(), ...name.split(' '), ...after]
      const result = withCommandFirst(line, globalFlags, isName)
      const words = name.split(' ')
      expect(result.slice(0, words.length)).toEqual(words)
      const firstFlag = after.findIndex(word => word.startsWith('-'))
      const end = firstFlag === -1 ? after.length : firstFlag
      const behind = [...after.slice(0, end), ...flags.flat(), ...after.slice(end)]
      expect(result.slice(words.length)).toEqual(behind)
    }),
  )
})
