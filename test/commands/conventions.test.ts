import {existsSync} from 'node:fs'
import {glob} from 'node:fs/promises'
import {join} from 'node:path'
import type {Command} from '@oclif/core/command'
import {parse} from '@oclif/core/parser'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {commands as listed} from '../../src/commands/index.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {type CommandLine, callsIn} from '../docs/command-lines.ts'
import {type Home, openHome} from '../helpers/cli.ts'

type CommandClass = typeof Command & {readonly claims?: readonly string[]}

const FOLDER = join(import.meta.dirname, '../../src/commands')

const commands: {words: string; command: CommandClass}[] = []
for await (const file of glob('**/*.ts', {cwd: FOLDER, exclude: ['**/shared/**', 'index.ts']})) {
  const {default: command} = (await import(join(FOLDER, file))) as {default: CommandClass}
  commands.push({words: file.replace(/\.ts$/, '').replaceAll(/[/\\]/g, ' '), command})
}
commands.sort((a, b) => a.words.localeCompare(b.words))

const PAN = '4111111111111111'
const ID_FLAGS = ['account', 'card', 'customer', 'plastic', 'resource', 'transaction']

const flagsOf = (command: CommandClass) => ({...command.baseFlags, ...command.flags})

/** The calls of a command in its examples; the others prepare something. test/examples runs all of them. */
const examplesOf = ({words, command}: {words: string; command: CommandClass}): readonly CommandLine[] =>
  (command.examples ?? [])
    .map(example => (typeof example === 'string' ? example : example.command))
    .flatMap(line => callsIn(line.replaceAll('<%= config.bin %>', 'cardctl')))
    .filter(call => `${call.join(' ')} `.startsWith(`${words} `))

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

it('finds the commands, and the list has them all', () => {
  expect(commands.length).toBeGreaterThan(45)
  expect(Object.keys(listed).map(id => id.replaceAll(':', ' '))).toEqual(
    commands.map(({words}) => words).sort(),
  )
})

describe.each(commands)('$words', ({words, command}) => {
  it('says what it does in one sentence, and shows how', () => {
    expect(command.summary).toMatch(/^[A-Z].*[^.]\.$/s)
    expect(examplesOf({words, command}).length).toBeGreaterThan(0)
    for (const flag of Object.values(flagsOf(command)))
      expect(flag.summary ?? flag.description).toMatch(/^[A-Z'.\d]/i)
    for (const argument of Object.values(command.args)) expect(argument.description).toBeTruthy()
  })

  it('never fills an argument from stdin', () => {
    for (const argument of Object.values(command.args)) expect(argument.ignoreStdin).toBe(true)
  })

  it('takes no card number for an id', async () => {
    const names = Object.keys(command.args)
    const argvs = names.map((_, at) => names.map((__, other) => (other === at ? PAN : '1')))
    const flags = Object.keys(command.flags ?? {}).filter(name => ID_FLAGS.includes(name))
    for (const argv of [...argvs, ...flags.map(name => [`--${name}`, PAN])]) {
      const {code, stderr} = await home.run([...words.split(' '), ...argv])
      expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('SENSITIVE_IN_ARGV')})
      expect(stderr).toContain('--pan-stdin')
      expect(stderr).not.toContain(PAN)
    }
  })

  it('takes one value at a time for a repeatable flag, so that arguments may follow', () => {
    for (const [name, flag] of Object.entries(flagsOf(command))) {
      if (flag.type === 'option' && flag.multiple) expect(flag.multipleNonGreedy, name).toBe(true)
    }
  })

  it('wants a unit with every duration, for a number alone could be seconds or milliseconds', async () => {
    for (const [name, flag] of Object.entries(flagsOf(command))) {
      if (flag.type !== 'option') continue
      const parsed = async (text: string): Promise<unknown> =>
        flag.parse?.(text, {} as never, {...flag, name} as never)
      const takes = await parsed('90s').catch(() => undefined)
      if (takes !== 90_000) continue
      await expect(parsed('90'), name).rejects.toMatchObject({
        message: expect.stringContaining(`--${name} needs a unit: 90s, or 90ms`),
      })
      expect(await parsed('0')).toBe(0)
    }
  })

  it('has no flag that takes a secret', () => {
    for (const [name, flag] of Object.entries(flagsOf(command))) {
      if (flag.type !== 'option') continue
      if (!/pin|pan\b|cvv|password|token|secret|key|block/.test(name)) continue
      // Names and addresses of keys, and references to where a secret lies.
      const fine = [
        'idempotency-key',
        'job-key',
        'public-key',
        'pan-key',
        'pan-key-thumbprint',
        'cert-key',
        'secret',
        'token-url',
        'auth',
        'tls-key',
        'team-key',
        'webhook-cert-key',
        'webhook-key',
        'webhook-other-key',
        'webhook-secret',
        'forward-cert-key',
      ]
      expect(fine).toContain(name)
    }
  })

  it('has examples that can be typed', async () => {
    for (const example of examplesOf({words, command})) {
      const argv = example.slice(words.split(' ').length)
      const parsed = parse(argv, {
        args: command.args,
        flags: flagsOf(command),
        strict: command.strict,
        context: {argv} as never,
      })
      await expect(parsed, example.join(' ')).resolves.toBeTruthy()
    }
  })

  it('has the flags that its operations need', () => {
    const names = Object.keys(flagsOf(command))
    for (const id of command.claims ?? []) {
      const operation = operations[id as keyof typeof operations]
      expect(names).toEqual(expect.arrayContaining(['dry-run', 'curl', 'audit-user']))
      if (operation.effect === 'destroy' || operation.irreversible.length > 0)
        expect(names).toContain('confirm')
      if (operation.idempotent) expect(names).toContain('idempotency-key')
    }
  })
})

// "help --help" is the help of everything.
describe.each(commands.filter(({words}) => words !== 'help'))('$words --help', ({words}) => {
  it('shows examples before flags', async () => {
    const {code, stdout, stderr} = await home.run([...words.split(' '), '--help'])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const headers = stdout.split('\n').filter(line => /^[A-Z]+( [A-Z]+)*$/.test(line))
    expect(headers.slice(0, 2)).toEqual(['USAGE', 'EXAMPLES'])
    expect(headers.indexOf('EXAMPLES')).toBeLessThan(headers.indexOf('FLAGS') >>> 0)
    expect(stdout.match(/^Global flags: .* See cardctl help flags\.$/gm)).toHaveLength(1)
  })
})

// The bodies of x are those of a document that somebody imported.
const fillable = commands.filter(({words, command}) => words !== 'x' && 'skeleton' in flagsOf(command))
describe.each(fillable)('$words --skeleton', ({words, command}) => {
  it('prints a body to fill in, whatever else is given, and sends nothing', async () => {
    const first = words.split(' ')
    const bid = 'bid' in flagsOf(command) ? ['--bid', 'ISSUER-1'] : []
    for (const example of examplesOf({words, command})) {
      const rest = example.slice(first.length)
      const added = rest.includes('--skeleton') ? bid : ['--skeleton', ...bid]
      const {code, stdout, stderr} = await home.run([...first, ...added, ...rest])
      expect({code, stderr}, example.join(' ')).toEqual({code: 0, stderr: ''})
      expect(() => JSON.parse(stdout), example.join(' ')).not.toThrow()
    }
    // Nobody has opened the sandbox.
    expect(existsSync(join(home.folder, '.local'))).toBe(false)
  })
})
