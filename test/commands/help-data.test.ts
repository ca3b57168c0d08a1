// The whole tool as data: what `help -o json` prints is what runs, and fits its own schema.
import {readFileSync} from 'node:fs'
import {Ajv2020} from 'ajv/dist/2020.js'
import {afterAll, expect, test} from 'vitest'
import {AUDIT_RETENTION_MS} from '../../src/cli/audit-trail.ts'
import {CONFIRMS} from '../../src/cli/command-effects.ts'
import {parseDuration, typedDuration} from '../../src/cli/flags.ts'
import {readManifest} from '../../src/cli/help/manifest.ts'
import {MAX_PAUSE_MS} from '../../src/cli/pace.ts'
import {KEEP_MS} from '../../src/cli/retention.ts'
import {FOLLOW_WITHIN} from '../../src/commands/a2a/shared/batches.ts'
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

test('says which values a command needs, of which one must be given', async () => {
  expect(one('cards list')?.needs).toEqual([
    {anyOf: ['--customer', '--account'], exactlyOne: true, sometimes: false},
  ])
  expect(one('pin view')?.needs?.[0]?.anyOf).toContain('CARD')
  for (const {name, needs = [], arguments: args, flags} of tool.commands) {
    const there = [...args, ...flags, ...tool.globalFlags].map(each => each.name)
    for (const {anyOf} of needs) expect(there, name).toEqual(expect.arrayContaining([...anyOf]))
  }
  // As the command line is judged.
  for (const [line, said] of [
    ['cards list', /One of --customer, --account is needed/],
    ['find 3001 --card-number', /Only one of TEXT, --card-number may be given/],
    ['data erase', /At least one of --customer, --card, --account is needed/],
  ] as const)
    expect(await home.run(line.split(' '))).toMatchObject({code: 2, stderr: expect.stringMatching(said)})
})

test('says which flags exclude each other, on both sides', () => {
  for (const {name, flags} of tool.commands)
    for (const {name: flag, excludes = []} of flags)
      for (const other of excludes) {
        const back = flags.find(each => each.name === other)
        if (back !== undefined) expect(back.excludes, `${name} ${flag} ${other}`).toContain(flag)
      }
})

test('says what a flag is by default', () => {
  const flag = (command: string, name: string) => one(command)?.flags.find(each => each.name === name)
  expect(flag('a2a create', '--wait-timeout')).toMatchObject({default: '10m'})
  for (const [command, name, ms] of [
    ['a2a watch', '--within', FOLLOW_WITHIN],
    ['audit prune', '--older-than', AUDIT_RETENTION_MS],
    ['requests prune', '--older-than', KEEP_MS],
    ['bulk run', '--max-pause', MAX_PAUSE_MS],
  ] as const)
    expect(parseDuration(String(flag(command, name)?.default)), `${command} ${name}`).toBe(ms)
  for (const ms of [1, 90_000, 3_600_000, 86_400_000, 172_800_000, 7_776_000_000])
    expect(parseDuration(typedDuration(ms))).toBe(ms)
  expect(flag('bulk run', '--concurrency')).toMatchObject({default: 16})
  expect(flag('webhook bench', '--duration')).toMatchObject({default: '10s'})
  expect(flag('bulk run', '--rate')?.defaultFrom).toMatch(/^the profile's rate limit/)
  expect(flag('webhook serve', '--record')).toMatchObject({default: true})
  expect(flag('webhook serve', '--exec-mode')).toMatchObject({default: 'per-call'})
  expect(flag('requests sign', '--user')).toMatchObject({defaultFrom: 'your user here'})
  for (const {name, flags} of [...tool.commands, {name: '', flags: tool.globalFlags}])
    for (const {name: flag, summary, ...rest} of flags)
      if (/\(default/.test(summary))
        expect('default' in rest || 'defaultFrom' in rest, `${name} ${flag}`).toBe(true)
})

test('says which command asks, and which reads a secret', async () => {
  expect(one('cards get')?.confirms).toBeUndefined()
  expect(one('accounts patch')?.confirms).toBe('live')
  expect(one('pricelists delete')?.confirms).toBe('always')
  const there = new Set(Object.keys(commands))
  for (const id of [...CONFIRMS.always, ...CONFIRMS.sometimes]) expect(there, id).toContain(id)
  for (const id of there) {
    const text = readFileSync(
      new URL(`../../src/commands/${id.replaceAll(':', '/')}.ts`, import.meta.url),
      'utf8',
    )
    const name = id.replaceAll(':', ' ')
    if (/\bconfirm(?:Kept)?\(this\.context/.test(text)) expect(one(name)?.confirms, name).toBeDefined()
    if (/\b(?:setNewPin|readUnlock|readLock)\(/.test(text)) expect(one(name)?.secretInput, name).toBeDefined()
  }
  const asked = [
    'a2a create --transfer 2006:2007:12:EUR:x',
    'accounts close 2001 --type credit',
    'data erase --customer 1001',
    'pricelists delete 5002',
    'sandbox reset',
  ]
  await home.json('accounts patch 2001 --type credit --credit-limit 5000'.split(' '))
  await home.json('accounts patch 2001 --type credit --credit-limit 6000'.split(' '))
  for (const line of [...asked, 'requests undo']) {
    const name =
      tool.commands
        .map(each => each.name)
        .filter(each => line.startsWith(each))
        .at(-1) ?? ''
    expect(one(name)?.confirms, line).toBe('always')
    expect((await home.run(line.split(' '))).stderr, line).toContain('CONFIRMATION_REQUIRED')
  }
})
