// Every call of cardctl that a page or a help text shows is one that the tool understands.
import {globSync, readFileSync} from 'node:fs'
import type {Command} from '@oclif/core/command'
import {parse} from '@oclif/core/parser'
import {expect, test} from 'vitest'
import {areaOf} from '../../src/cli/areas.ts'
import {Program} from '../../src/cli/program.ts'
import {commands} from '../../src/commands/index.ts'
import {type CommandLine, callsIn, commandLinesOf, mentionsOf} from './command-lines.ts'
import {blocksOf, pages, ROOT} from './pages.ts'

const config = new Program({root: '', argv: [], surroundings: {} as never}, commands)

/** The command that the first words name, the longest name first. */
function commandOf(
  words: CommandLine,
): {load: () => Promise<{default: unknown}>; rest: string[]} | undefined {
  for (let count = Math.min(words.length, 4); count > 0; count--) {
    const load = commands[words.slice(0, count).join(':')]
    if (load) return {load, rest: words.slice(count)}
  }
  return undefined
}

/** What is wrong with a complete call; undefined if it can be run as it stands. */
async function problemOf(words: CommandLine): Promise<string | undefined> {
  if (words.length === 0 || ['--help', '--version'].includes(words[0] ?? '')) return undefined
  const found = commandOf(words)
  if (!found) return 'no such command'
  const {args, baseFlags, flags, strict} = (await found.load()).default as Command.Class
  // With -i, the missing values are asked for.
  if (['--help', '-i', '--interactive'].some(flag => found.rest.includes(flag))) return undefined
  try {
    await parse(found.rest, {args, flags: {...baseFlags, ...flags}, strict} as never)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test('a call is found wherever it stands in a line', () => {
  expect(callsIn(`npx cardctl cards list --query "[?a=='b'].id" | head -3 # cardctl nothing`)).toEqual([
    ['cards', 'list', '--query', "[?a=='b'].id"],
  ])
  expect(callsIn('npm ci && npx cardctl tour')).toEqual([['tour']])
  expect(callsIn('$ cardctl pin set 3004 < pin.txt')).toEqual([['pin', 'set', '3004']])
  expect(callsIn('cardctl-nodejs get')).toEqual([])
})

test('what no command takes is found', async () => {
  expect(await problemOf(['cards', 'gte', '3001'])).toBe('no such command')
  expect(await problemOf(['cards', 'get', '3001', '--nothing'])).toMatch(/nothing/)
  expect(await problemOf(['cards', 'get', '3001', '-o', 'xml'])).toMatch(/xml/)
  expect(await problemOf(['cards', 'get', '3001', '-o', 'yaml'])).toBeUndefined()
})

test('the pages show calls that the tool understands', async () => {
  const wrong: string[] = []
  let calls = 0
  for (const page of pages()) {
    for (const words of commandLinesOf(page)) {
      calls++
      const problem = await problemOf(words)
      if (problem !== undefined) wrong.push(`${page.path}: cardctl ${words.join(' ')}: ${problem}`)
    }
  }
  expect(calls).toBeGreaterThan(15)
  expect(wrong).toEqual([])
})

test('the pages mention commands and flags that there are', async () => {
  const wrong: string[] = []
  let mentions = 0
  for (const page of pages()) {
    for (const words of mentionsOf(page)) {
      const [first = ''] = words
      // `cardctl COMMAND --help`, `cardctl …`: no command is meant.
      if (!/^[a-z]/.test(first)) continue
      // With an imported document they lead to x.
      if (areaOf(first) !== undefined) continue
      mentions++
      const found = commandOf(words)
      const isTopic = config.topics.some(
        ({name}) => name === words.filter(word => /^[a-z]/.test(word)).join(':'),
      )
      if (!found && !isTopic) wrong.push(`${page.path}: cardctl ${words.join(' ')}`)
      if (!found) continue
      const {baseFlags, flags} = (await found.load()).default as Command.Class
      const known = Object.keys({...baseFlags, ...flags, help: true})
      for (const word of words) {
        const name = /^--([\w-]+)/.exec(word)?.[1]
        if (name !== undefined && !known.includes(name))
          wrong.push(`${page.path}: ${words.join(' ')}: ${word}`)
      }
    }
  }
  expect(mentions).toBeGreaterThan(5)
  expect(wrong).toEqual([])
})

test('every command shows examples, and they are calls that it understands', async () => {
  const wrong: string[] = []
  for (const command of config.commands) {
    const lines = (command.examples ?? []).map(example =>
      (typeof example === 'string' ? example : example.command).replaceAll('<%= config.bin %>', 'cardctl'),
    )
    const calls = lines.flatMap(line => callsIn(line))
    if (!command.hidden && calls.length === 0) wrong.push(`${command.id}: no example`)
    for (const words of calls) {
      const problem = await problemOf(words)
      if (problem !== undefined) wrong.push(`${command.id}: ${words.join(' ')}: ${problem}`)
    }
    const words = command.id.split(':')
    if (calls.length > 0 && !calls.some(call => words.every((word, at) => call[at] === word)))
      wrong.push(`${command.id}: no example shows the command itself`)
  }
  expect(config.commands.length).toBeGreaterThan(40)
  expect(wrong).toEqual([])
})

/** Quoted text may have a number sign. */
const hasComment = (line: string): boolean =>
  /\s# /.test(line.replaceAll(/'[^']*'|"[^"]*"/g, '')) && callsIn(line.replace(/^\$ /, '')).length > 0

test('no command has a comment after it: the interactive zsh would pass it on', async () => {
  const ofPages = pages().flatMap(page =>
    blocksOf(page)
      .filter(({language}) => ['', 'sh', 'text'].includes(language))
      .flatMap(({code}) => code.split('\n').map(line => `${page.path}: ${line}`)),
  )
  const ofHelp = await Promise.all(
    Object.entries(commands).map(async ([id, load]) => {
      const {examples = []} = (await load()).default as unknown as Command.Class
      return examples.map(example => `${id}: ${typeof example === 'string' ? example : example.command}`)
    }),
  )
  const lines = [...ofPages, ...ofHelp.flat().map(line => line.replaceAll('<%= config.bin %>', 'cardctl'))]
  expect(lines.length).toBeGreaterThan(700)
  expect(lines.filter(line => hasComment(line.slice(line.indexOf(': ') + 2)))).toEqual([])
})

/** What the interactive zsh, which knows no comments, opens, expands or ends a line with. */
const NOT_PLAIN = /['"`;&|<>()$!*?[\]{}\\]/

test('no comment of a block has a mark that a shell takes for more than text', () => {
  const generated = globSync('docs/commands/*.md', {cwd: ROOT}).map(path => ({
    path,
    text: readFileSync(`${ROOT}${path}`, 'utf8'),
  }))
  const comments = [...pages(), ...generated].flatMap(page =>
    blocksOf(page)
      .filter(({language}) => ['', 'sh', 'text'].includes(language))
      .flatMap(({code}) => code.split('\n').filter(line => /^\s*# /.test(line)))
      .map(line => `${page.path}: ${line}`),
  )
  expect(comments.length).toBeGreaterThan(50)
  expect(comments.filter(line => NOT_PLAIN.test(line.slice(line.indexOf(': ') + 2)))).toEqual([])
})

/** Pages whose commands don't reach a service. */
const WITHOUT_SERVICE = ['installation', 'style', 'README'].map(name => `docs/${name}.md`)

test('every page says at its beginning which profile its commands need', () => {
  const silent = pages()
    .filter(({path}) => /^docs\/[^/]+$/.test(path) && !WITHOUT_SERVICE.includes(path))
    .filter(({text}) => !/profile|sandbox/i.test(text.split('\n').slice(0, 14).join('\n')))
  expect(silent.map(({path}) => path)).toEqual([])
})
