import {Ajv2020} from 'ajv/dist/2020.js'
import {expect, test} from 'vitest'
import manifest from '../../../package.json' with {type: 'json'}
import {readManifest} from '../../../src/cli/help/manifest.ts'
import {toolData} from '../../../src/cli/help/tool-data.ts'
import {whyNoTool} from '../../../src/commands/mcp/shared/offered-commands.ts'
import {type CommandTool, toolsFor} from '../../../src/commands/mcp/shared/tools.ts'
import {openHome} from '../../helpers/cli.ts'
import {openMcp} from '../../helpers/mcp.ts'

const data = toolData(readManifest(), manifest)
const kinds = ['sandbox', 'test', 'live'] as const
const all = Object.fromEntries(
  await Promise.all(kinds.map(async kind => [kind, [...(await toolsFor(data, kind)).values()]] as const)),
)
const tools = (kind: (typeof kinds)[number]): readonly CommandTool[] => all[kind] ?? []

/** A new command, flag or argument shows here what it opens to agents. */
test('are exactly these, with these parameters', async () => {
  const lines = kinds.flatMap(kind => [
    `# ${kind}`,
    ...tools(kind).map(({name, parameters, listed: {annotations = {}}}) => {
      const hints = [
        annotations.readOnlyHint ? 'reads' : annotations.destructiveHint ? 'changes' : 'proposes',
        annotations.idempotentHint ? ', repeatable' : '',
      ].join('')
      return `${name} (${hints}): ${parameters.map(({name: each, required}) => (required ? `${each}!` : each)).join(' ')}`
    }),
    '',
  ])
  const update =
    'Run `npx vitest run test/commands/mcp/tools.test.ts -u`, and read what is open to agents now'
  await expect(lines.join('\n'), update).toMatchFileSnapshot('./tools.txt')
})

test('leave out what discloses, approves, changes this machine or takes a secret', () => {
  const offered = data.commands.filter(command => whyNoTool(command, 'sandbox') === undefined)
  for (const {name, effects, secretFields} of offered) {
    expect(
      effects.filter(effect => ['local', 'disclose', 'any'].includes(effect)),
      name,
    ).toEqual([])
    expect(effects.includes('read') || secretFields.length === 0, name).toBe(true)
    expect(name).not.toMatch(
      /^(pin|pincontrol|wallets|profiles|bulk|data|audit|webhook|contract|api|x|apply)\b/,
    )
    expect(name).not.toMatch(/approve|reject|resolve|retry|undo|serve|watch|payment-info|token/)
  }
  expect(offered.length).toBeGreaterThan(40)
})

test('take no secret, file, folder, address or program, and nothing that the server decides', () => {
  const place = /FILE|DIR|URL|HOST|PATH|COMMAND/
  const decided = 'profile output yes as propose audit-user no-check-input clock-is-right'.split(' ')
  for (const {name, command, parameters} of tools('sandbox')) {
    const given = parameters.flatMap(({flag}) => command.flags.filter(each => each.name === flag))
    const bad = given.filter(({secret, placeholder = ''}) => secret !== undefined || place.test(placeholder))
    expect(
      bad.filter(each => each.name !== '--data'),
      name,
    ).toEqual([])
    expect(
      parameters.filter(each => decided.includes(each.name)),
      name,
    ).toEqual([])
  }
})

test('have names that every program takes, and each parameter once', () => {
  for (const {name, parameters} of tools('sandbox')) {
    expect(name).toMatch(/^[a-z0-9_]{1,64}$/)
    const names = parameters.map(each => each.name)
    expect(new Set(names).size, name).toBe(names.length)
  }
})

test('on a live profile only read or propose', () => {
  for (const {name, listed, isWrite} of tools('live')) {
    expect(listed.annotations?.destructiveHint, name).toBe(false)
    expect(listed.annotations?.readOnlyHint, name).toBe(!isWrite)
    if (isWrite) expect(listed.description).toContain('Sends nothing: makes a proposal')
  }
  expect(tools('live').some(({isWrite}) => isWrite)).toBe(true)
  expect(tools('live').filter(({name}) => name.startsWith('sandbox_'))).toEqual([])
})

test('have schemas of JSON Schema 2020-12, which their results keep', async () => {
  const ajv = new Ajv2020({strict: false, validateFormats: false})
  for (const {name, listed} of tools('sandbox'))
    for (const schema of [listed.inputSchema, listed.outputSchema] as object[])
      expect(ajv.validateSchema(schema), name).toBe(true)
  const home = await openHome()
  const mcp = await openMcp(home)
  for (const [name, input] of [
    ['cards_list', {customer: '1003'}],
    ['accounts_patch', {id: '2001', type: 'credit', data: {creditLimit: 5}}],
    ['a2a_create', {transfer: ['2006:2007:1.00:EUR:x']}],
    ['requests_list', {}],
    ['whoami', {}],
  ] as const) {
    const schema = tools('sandbox').find(tool => tool.name === name)?.listed.outputSchema ?? {}
    const result = await mcp.call(name, input)
    expect(ajv.validate(schema as object, result), `${name}: ${ajv.errorsText()}`).toBe(true)
    expect(result).not.toHaveProperty('error')
  }
  await mcp.leave()
  await home.remove()
})
