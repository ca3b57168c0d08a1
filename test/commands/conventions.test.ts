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

/** The names of the commands, or of their flags and arguments, that are not as they should be. */
const offenders = (find: (each: (typeof commands)[number]) => readonly string[]): readonly string[] =>
  commands.flatMap(each => find(each).map(what => `${each.words}: ${what}`))

const argumentsOf = ({command}: (typeof commands)[number]) => Object.entries(command.args)

const optionsOf = ({command}: (typeof commands)[number]) =>
  Object.entries(flagsOf(command)).flatMap(([name, flag]) =>
    flag.type === 'option' ? [[name, flag] as const] : [],
  )

describe('every command', () => {
  it('says what it does in one sentence, and shows how', () => {
    expect(
      offenders(({words, command}) => [
        ...(/^[A-Z].*[^.]\.$/s.test(command.summary ?? '') ? [] : ['summary']),
        ...(examplesOf({words, command}).length > 0 ? [] : ['examples']),
        ...Object.entries(flagsOf(command))
          .filter(([, flag]) => !/^[A-Z'.\d]/i.test(flag.summary ?? flag.description ?? ''))
          .map(([name]) => `--${name}`),
        ...argumentsOf({words, command})
          .filter(([, argument]) => !argument.description)
          .map(([name]) => name),
      ]),
    ).toEqual([])
  })

  it('never fills an argument from stdin', () => {
    const filled = offenders(each =>
      argumentsOf(each)
        .filter(([, argument]) => argument.ignoreStdin !== true)
        .map(([name]) => name),
    )
    expect(filled).toEqual([])
  })

  it('takes no card number for an id', async () => {
    for (const {words, command} of commands) {
      const names = Object.keys(command.args)
      const argvs = names.map((_, at) => names.map((__, other) => (other === at ? PAN : '1')))
      const flags = Object.keys(command.flags ?? {}).filter(name => ID_FLAGS.includes(name))
      for (const argv of [...argvs, ...flags.map(name => [`--${name}`, PAN])]) {
        const {code, stderr} = await home.run([...words.split(' '), ...argv])
        expect({code, stderr}, words).toMatchObject({
          code: 2,
          stderr: expect.stringContaining('SENSITIVE_IN_ARGV'),
        })
        expect(stderr, words).toContain('--pan-stdin')
        expect(stderr, words).not.toContain(PAN)
      }
    }
  })

  it('takes one value at a time for a repeatable flag, so that arguments may follow', () => {
    const greedy = offenders(each =>
      optionsOf(each)
        .filter(([, flag]) => flag.multiple && flag.multipleNonGreedy !== true)
        .map(([name]) => `--${name}`),
    )
    expect(greedy).toEqual([])
  })

  it('wants a unit with every duration, for a number alone could be seconds or milliseconds', async () => {
    let durations = 0
    for (const each of commands) {
      for (const [name, flag] of optionsOf(each)) {
        const parsed = async (text: string): Promise<unknown> =>
          flag.parse?.(text, {} as never, {...flag, name} as never)
        const takes = await parsed('90s').catch(() => undefined)
        if (takes !== 90_000) continue
        durations++
        await expect(parsed('90'), `${each.words} --${name}`).rejects.toMatchObject({
          message: expect.stringContaining(`--${name} needs a unit: 90s, or 90ms`),
        })
        expect(await parsed('0'), `${each.words} --${name}`).toBe(0)
      }
    }
    expect(durations).toBeGreaterThan(commands.length)
  })

  it('has no flag that takes a secret', () => {
    // Names and addresses of keys, and references to where a secret lies.
    const fine = [
      'idempotency-key',
      'job-key',
      'public-key',
      'pan-key',
      'pan-key-thumbprint',
      'cert-key',
      'secret',
      'secrets',
      'token-url',
      'auth',
      'tls-key',
      'team-key',
      'webhook-cert-key',
      'webhook-key',
      'webhook-key-encoding',
      'webhook-other-key',
      'webhook-secret',
      'forward-cert-key',
      // `pin` is in these words.
      'mapping',
      'save-mapping',
    ]
    const secrets = offenders(each =>
      optionsOf(each)
        .map(([name]) => name)
        .filter(name => /pin|pan\b|cvv|password|token|secret|key|block/.test(name) && !fine.includes(name)),
    )
    expect(secrets).toEqual([])
  })

  it('has examples that can be typed', async () => {
    for (const {words, command} of commands) {
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
    }
  })

  it('has the flags that its operations need', () => {
    const missing = offenders(({command}) => {
      const names = Object.keys(flagsOf(command))
      const needed = (command.claims ?? []).flatMap(id => {
        const {effect, irreversible, idempotent} = operations[id as keyof typeof operations]
        return [
          ...['dry-run', 'curl', 'audit-user'],
          ...(effect === 'destroy' || irreversible.length > 0 ? ['confirm'] : []),
          ...(idempotent ? ['idempotency-key'] : []),
        ]
      })
      return needed.filter(name => !names.includes(name)).map(name => `--${name}`)
    })
    expect(missing).toEqual([])
  })

  it('shows examples before flags in its help', async () => {
    for (const {words} of commands) {
      // "help --help" is the help of everything.
      if (words === 'help') continue
      const {code, stdout, stderr} = await home.run([...words.split(' '), '--help'])
      expect({code, stderr}, words).toEqual({code: 0, stderr: ''})
      const headers = stdout.split('\n').filter(line => /^[A-Z]+( [A-Z]+)*$/.test(line))
      expect(headers.slice(0, 2), words).toEqual(['USAGE', 'EXAMPLES'])
      expect(headers.indexOf('EXAMPLES'), words).toBeLessThan(headers.indexOf('FLAGS') >>> 0)
      expect(stdout.match(/^Global flags: .* See cardctl help flags\.$/gm), words).toHaveLength(1)
    }
  })
})

it('--skeleton prints a body to fill in, whatever else is given, and sends nothing', async () => {
  // The bodies of x are those of a document that somebody imported.
  const fillable = commands.filter(({words, command}) => words !== 'x' && 'skeleton' in flagsOf(command))
  expect(fillable.length).toBeGreaterThan(10)
  for (const {words, command} of fillable) {
    const first = words.split(' ')
    const bid = 'bid' in flagsOf(command) ? ['--bid', 'ISSUER-1'] : []
    for (const example of examplesOf({words, command})) {
      const rest = example.slice(first.length)
      const added = rest.includes('--skeleton') ? bid : ['--skeleton', ...bid]
      const {code, stdout, stderr} = await home.run([...first, ...added, ...rest])
      expect({code, stderr}, example.join(' ')).toEqual({code: 0, stderr: ''})
      expect(() => JSON.parse(stdout), example.join(' ')).not.toThrow()
    }
  }
  // Nobody has opened the sandbox.
  expect(existsSync(join(home.folder, '.local'))).toBe(false)
})
