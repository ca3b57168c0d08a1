import {join} from 'node:path'
// Every value that a command needs is asked for on a terminal, and named in an error without one.
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import type {Guide} from '../../src/cli/guided/guide.ts'
import type {Definition} from '../../src/cli/needs.ts'
import {commands} from '../../src/commands/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'

interface CommandClass {
  readonly args?: Readonly<Record<string, Definition>>
  readonly flags?: Readonly<Record<string, Definition>>
  readonly guide?: Guide
}

/** A value, or several of which one is needed. */
interface Wanted {
  readonly names: readonly string[]
  /** What the question shows. */
  readonly question: string
  /** Words that give it. */
  readonly words: readonly string[]
}

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const SAMPLES: Readonly<Record<string, string>> = {
  '--older-than': '30d',
  kind: 'card',
  by: '1h',
  type: 'auth',
  '--type': 'credit',
  // One that can't be read is said before the first question.
  '--from': join(import.meta.dirname, '../../examples/limits.csv'),
}
const CTRL_D = '\u0004'

const all = await Promise.all(
  Object.entries(commands).map(async ([id, load]) => {
    const {args = {}, flags = {}, guide} = (await load()).default as unknown as CommandClass
    const of = (name: string): Definition => (name.startsWith('--') ? flags[name.slice(2)] : args[name]) ?? {}
    const wordsFor = (name: string): string[] => {
      const {type, options: [first] = []} = of(name)
      if (type === 'boolean') return [name]
      const value = first ?? SAMPLES[name] ?? '1'
      return name.startsWith('--') ? [name, value] : [value]
    }
    const labelOf = (name: string) =>
      guide?.labels?.[name] ?? of(name).summary ?? of(name).description ?? name
    const one = (name: string): Wanted => ({
      names: [name],
      // Of a description that only enumerates, the list has the values.
      question: /^[\w-]+(?:, [\w-]+)+(?: or [\w-]+)?\.?$/.test(labelOf(name))
        ? name.slice(1)
        : (labelOf(name).split(':')[0]?.slice(0, 30).replace(/\.$/, '') ?? ''),
      words: wordsFor(name),
    })
    const required = [
      ...Object.keys(args).filter(name => args[name]?.required),
      ...Object.keys(flags)
        .filter(name => flags[name]?.required)
        .map(name => `--${name}`),
    ]
    const needs = (guide?.needs ?? [])
      .filter(({when}) => when === undefined)
      .map(({anyOf, several}): Wanted => {
        const [first = ''] = anyOf
        if (anyOf.length === 1 && !several) return one(first)
        const question = several ? 'What do you want to change?' : 'Which of these do you have?'
        return {names: anyOf, question, words: wordsFor(first)}
      })
    // What the embedded sandbox doesn't have is said before any question.
    const refuses = guide?.refuses !== undefined
    return {words: id.replaceAll(':', ' '), wanted: [...required.map(one), ...needs], refuses}
  }),
)
const asking = all.filter(({wanted, refuses}) => wanted.length > 0 && !refuses)

it('most commands need something', () => {
  expect(asking.length).toBeGreaterThan(45)
})

describe.each(asking)('$words', ({words, wanted}) => {
  it.each(wanted.map((each, at) => ({...each, at, name: each.names.join(' or ')})))(
    'needs $name',
    async ({names, question, at}) => {
      const argv = [...words.split(' '), ...wanted.slice(0, at).flatMap(each => each.words)]
      const silent = await home.run(argv)
      expect(silent).toMatchObject({code: 2, stdout: ''})
      for (const name of names)
        expect(silent.stderr).toContain(name.startsWith('--') ? name : name.toUpperCase())
      const {code, stderr} = await home.run(argv, {typed: [[question, CTRL_D]]})
      expect(stderr).toContain('Error INPUT_ENDED')
      expect(code).toBe(2)
    },
  )
})

it.each([
  ['wallets provision 3001 --wallet issuerwallet', '--provider', 'Wallet provider'],
  ['wallets provision 3001 --wallet walletb', '--app-id', 'Id of the issuer app'],
  ['remotecheckout update --customer 1001', '--active', 'What do you want to change?'],
])('%s needs %s', async (line, name, question) => {
  const silent = await home.run(line.split(' '))
  expect(silent).toMatchObject({code: 2, stderr: expect.stringContaining(name)})
  const {stderr} = await home.run(line.split(' '), {typed: [[question, CTRL_D]]})
  expect(stderr).toContain('Error INPUT_ENDED')
})
