// A caller that has the data of the tool and nothing else, as a program that reads `cardctl help COMMAND -o json`.
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import type {CommandData, FlagData} from '../../src/cli/help/tool-data.ts'
import {fieldSchemas, requestSchema} from '../../src/contract/schema.ts'
import type {OperationId} from '../../src/contract/types.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const dataOf = (command: string) => home.json<CommandData>(['help', ...command.split(' ')])

/** What is wanted, by the names of arguments, of flags, or of fields of the body. */
type Wanted = Readonly<Record<string, string | true>>

/** A command line by the data alone; throws where that says that it would be refused. */
function lineFor(data: CommandData, wanted: Wanted): readonly string[] {
  const names = new Set<string>()
  const words: string[] = []
  const values = Object.entries(wanted)
  for (const {name, required} of data.arguments) {
    const value = wanted[name]
    if (value === undefined && required) throw new Error(`${data.name} needs ${name}`)
    if (value !== undefined) {
      words.push(String(value))
      names.add(name)
    }
  }
  for (const [name, value] of values) {
    if (data.arguments.some(argument => argument.name === name)) continue
    const flag = data.flags.find(each => each.name === name) ?? data.flags.find(each => each.sets === name)
    if (flag === undefined) words.push('--field', `${name}=${value}`)
    else words.push(flag.name, ...(flag.type === 'boolean' ? [] : [String(value)]))
    names.add(flag?.name ?? '--field')
  }
  for (const flag of data.flags) {
    if (flag.required && !names.has(flag.name)) throw new Error(`${data.name} needs ${flag.name}`)
    if (!names.has(flag.name)) continue
    const excluded = flag.excludes?.find(other => names.has(other))
    if (excluded !== undefined) throw new Error(`${flag.name} excludes ${excluded}`)
    const lacking = flag.needs?.find(other => !names.has(other))
    if (lacking !== undefined) throw new Error(`${flag.name} needs ${lacking}`)
  }
  for (const {anyOf, exactlyOne, sometimes} of data.needs ?? []) {
    const given = anyOf.filter(name => names.has(name)).length
    if (given === 0 && !sometimes) throw new Error(`${data.name} needs one of ${anyOf.join(', ')}`)
    if (given > 1 && exactlyOne) throw new Error(`${data.name} takes one of ${anyOf.join(', ')}`)
  }
  return [...data.name.split(' '), ...words, ...(data.confirms === undefined ? [] : ['--yes'])]
}

const TASKS: readonly (readonly [task: string, command: string, wanted: Wanted])[] = [
  ['show a card', 'cards get', {ID: '3001'}],
  ['list the cards of a customer', 'cards list', {'--customer': '1003', '--limit': '5'}],
  ['list the plastics of a card', 'cards plastics', {ID: '3001'}],
  ['set a credit limit', 'accounts patch', {ID: '2001', '--type': 'credit', creditLimit: '5500'}],
  ['set a limit by its command', 'accounts limit', {ID: '2001', AMOUNT: '5600', '--type': 'credit'}],
  ['block an account', 'accounts block', {ID: '2001', '--type': 'credit'}],
  ['unblock it', 'accounts unblock', {ID: '2001', '--type': 'credit'}],
  ['rename a price list', 'pricelists patch', {ID: '5001', code: 'NEW'}],
  ['change a period', 'pricelists period patch', {ID: '6003', value: '2.5'}],
  ['send a transfer', 'a2a create', {'--transfer': '2006:2007:1:EUR:rent', description: 'July'}],
  ['list batches', 'a2a list', {'--limit': '3'}],
  ['show a batch', 'a2a get', {ID: '88000'}],
  [
    'authorise a purchase',
    'sandbox authorize',
    {cardId: '3001', amount: '12.50', currency: 'EUR', scenario: 'contactless'},
  ],
  ['post a clearing alone', 'sandbox authorizations clear', {cardId: '3001', amount: '2', currency: 'EUR'}],
  [
    'have a read fail',
    'sandbox faults add',
    {operation: 'cards.get.v4', status: '503', headers: 'Retry-After:1', count: '1'},
  ],
  ['move the clock', 'sandbox clock advance', {BY: '1h'}],
  [
    'enrol a customer',
    'remotecheckout enroll',
    {'--customer': '1001', cardId: '3001', customerBID: 'ISSUER-1'},
  ],
  ['look for an id', 'find', {TEXT: '3001'}],
  ['see what was sent', 'requests list', {'--limit': '5'}],
  ['read the audit trail', 'audit list', {'--limit': '5'}],
  ['check the trail', 'audit verify', {}],
]

describe('a task that is done from the data alone', () => {
  it.each(TASKS)('%s', async (_, command, wanted) => {
    const line = lineFor(await dataOf(command), wanted)
    const {code, stderr} = await home.run([...line, '-o', 'json'])
    expect({line, code, stderr: code === 0 ? '' : stderr}).toEqual({line, code: 0, stderr: ''})
  })
})

/** Commands whose flags set fields of a body, with values that fit, and fields that no flag sets. */
const BODIES: readonly (readonly [command: string, first: readonly string[], flags: Wanted])[] = [
  [
    'sandbox authorize',
    [],
    {
      '--card': '3001',
      '--amount': '1',
      '--currency': 'EUR',
      '--scenario': 'atm',
      '--transaction': 't_1',
      '--wrong-pin': true,
    },
  ],
  ['sandbox authorizations clear', [], {'--card': '3001', '--amount': '1', '--currency': 'EUR'}],
  ['sandbox authorizations clear', ['a_0'], {'--not-final': true, '--amount': '1'}],
  [
    'sandbox faults add',
    ['--status', '503'],
    {
      '--operation': 'cards.get.v4',
      '--match': 'path:id=1',
      '--header': 'a:b',
      '--body-text': 'x',
      '--delay': '1s',
      '--drop': 'after',
      '--probability': '1',
      '--count': '1',
    },
  ],
  ['a2a create', ['--transfer', '2006:2007:1:EUR:x'], {'--description': 'x'}],
  ['remotecheckout delete', ['--card', '3101'], {'--bid': 'SANDBOX'}],
]

it.each(BODIES)(
  '%s names the field of each flag, which -F may not set, too',
  async (command, first, flags) => {
    const data = await dataOf(command)
    const known = new Map(data.flags.map((flag: FlagData) => [flag.name, flag.sets]))
    const schemas = await Promise.all(data.operations.map(id => requestSchema(id as OperationId)))
    const fields = schemas.flatMap(schema => (schema === undefined ? [] : Object.keys(fieldSchemas(schema))))
    expect(fields.length).toBeGreaterThan(0)
    for (const [name, value] of Object.entries(flags)) {
      const own = [name, ...(value === true ? [] : [String(value)])]
      const rest = command === 'sandbox authorize' && name !== '--card' ? ['--card', '3001'] : []
      const line = [...command.split(' '), ...first, ...rest, ...own, '--dry-run']
      const twice: string[] = []
      for (const field of new Set(fields.filter(each => !/[./]/.test(each)))) {
        const {stderr} = await home.run([...line, '-F', `${field}=1`])
        if (stderr.includes(`${field} is set twice`)) twice.push(field)
      }
      const others = line.flatMap(word => known.get(word) ?? [])
      expect({name, twice: twice.sort()}).toEqual({name, twice: [...new Set(others)].sort()})
    }
  },
)
