// The whole tool as data: what `help -o json` prints is what runs, and fits its own schema.
import {Ajv2020} from 'ajv/dist/2020.js'
import {afterAll, expect, test} from 'vitest'
import {readManifest} from '../../src/cli/help/manifest.ts'
import {commands} from '../../src/commands/index.ts'
import type {DescribedCommand, WholeTool} from '../../src/commands/schema/shared/whole-tool.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {errorRegistry} from '../../src/errors/registry.ts'
import {openHome} from '../helpers/cli.ts'

const home = await openHome()
afterAll(() => home.remove())
const tool = await home.json<WholeTool>(['help'])
const one = (name: string): DescribedCommand | undefined =>
  tool.commands.find(command => command.name === name)

test('has every command, and each with the same flags as its own help', async () => {
  const shown = Object.values(readManifest().commands).filter(({hidden}) => !hidden)
  expect(tool.commands.map(({name}) => name)).toEqual(shown.map(({id}) => id.replaceAll(':', ' ')))
  expect(tool.commands).toHaveLength(Object.keys(commands).length)
  expect(await home.json(['help', 'cards', 'get'])).toEqual(one('cards get'))
})

test('is the same from schema, with the schema of each result', async () => {
  expect(await home.json(['schema'])).toEqual(tool)
  const ajv = new Ajv2020({strict: false, validateFormats: false})
  for (const {name, result} of tool.commands) {
    if (result !== undefined) expect(ajv.compile(result), name).toBeTypeOf('function')
  }
  expect(one('cards get')?.result).toEqual(await home.json(['schema', 'cards', 'get']))
  expect(one('mcp')?.result).toBeUndefined()
})

test('fits the schema that cardctl prints for it', async () => {
  const schema = await home.json<object>(['schema', 'help'])
  const validate = new Ajv2020({strict: false}).compile(schema)
  for (const data of [tool, one('accounts patch')]) {
    expect(validate(data), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true)
  }
})

test('says what each command does at the service, as the contract has it', () => {
  for (const {name, effects, operations: ids} of tool.commands) {
    expect(effects.length, name).toBeGreaterThan(0)
    for (const id of ids) {
      const {effect} = operations[id as keyof typeof operations]
      if (!effects.includes('local')) expect(effects, name).toContain(effect)
    }
  }
  expect(one('cards get')?.effects).toEqual(['read'])
  expect(one('a2a create')?.effects).toEqual(['write', 'money'])
  expect(one('pin view')?.effects).toEqual(['disclose'])
  expect(one('pricelists delete')?.effects).toEqual(['destroy'])
  expect(one('a2a plan')?.effects).toEqual(['local'])
  expect(one('bulk run')?.effects).toEqual(['any'])
})

test('says what a flag takes, and which input is secret', () => {
  const flag = (command: string, name: string) => one(command)?.flags.find(each => each.name === name)
  expect(flag('bulk run', '--concurrency')).toMatchObject({type: 'integer'})
  expect(flag('bulk run', '--max-pause')).toMatchObject({type: 'duration'})
  expect(flag('bulk run', '--encoding')).toMatchObject({type: 'choice'})
  expect(flag('cards get', '--pan-stdin')).toMatchObject({type: 'boolean', secret: 'stdin'})
  expect(flag('webhook trigger', '--auth')).toMatchObject({secret: 'reference', repeatable: true})
  expect(one('pin set')?.secretFields).toContain('/pinBlock')
  expect(tool.globalFlags.find(({name}) => name === '--profile')).toMatchObject({
    short: '-p',
    variable: 'CARDCTL_PROFILE',
  })
})

test('has every error with its exit code', () => {
  expect(tool.errors.map(({code, exit}) => [code, exit])).toEqual(
    Object.entries(errorRegistry).map(([code, {exit}]) => [code, exit]),
  )
})
