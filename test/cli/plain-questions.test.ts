import {PassThrough} from 'node:stream'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {createPrompter} from '../../src/cli/question.ts'
import type {Surroundings} from '../../src/cli/surroundings.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

/** A person who gives each answer when something is asked. */
function prompterFor(answers: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), {isTTY: true})
  const stderr = Object.assign(new PassThrough(), {isTTY: true})
  const rest = [...answers]
  let shown = ''
  stderr.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
    if (!/[:?)] $/.test(shown)) return
    const next = rest.shift()
    setImmediate(() => (next === undefined ? stdin.end() : stdin.write(`${next}\n`)))
  })
  const surroundings = {
    env: {CARDCTL_ACCESSIBLE: '1'},
    stdin,
    stderr,
    signal: new AbortController().signal,
    atExit: () => () => undefined,
  } as unknown as Surroundings
  return {prompter: createPrompter(surroundings), shown: () => shown}
}

const kinds = [
  {value: 'test', name: 'test: anything may be tried'},
  {value: 'live', name: 'live'},
] as const

describe('questions with CARDCTL_ACCESSIBLE', () => {
  it('let choose by number, and ask again', async () => {
    const {prompter, shown} = prompterFor(['3', '2'])
    expect(await prompter.choose('What is it?', kinds)).toBe('live')
    expect(shown()).toBe(
      'What is it?\n  1. test: anything may be tried\n  2. live\nNumber, 1 to 2: Enter a number from 1 to 2.\nNumber, 1 to 2: ',
    )
  })

  it('let choose by name', async () => {
    expect(await prompterFor(['live']).prompter.choose('What is it?', kinds)).toBe('live')
  })

  it.each([
    ['y', true],
    ['Yes', true],
    ['', false],
    ['yeah', false],
  ])('take %j to a yes or no as %j', async (answer, means) => {
    expect(await prompterFor([answer]).prompter.yes('Continue?')).toBe(means)
  })

  it('let choose several by number', async () => {
    const {prompter, shown} = prompterFor(['7', '', '2, 1'])
    expect(await prompter.several('Which?', kinds, {required: true})).toEqual(['test', 'live'])
    expect(shown()).toContain('Enter numbers from 1 to 2.')
    expect(shown()).toContain('Choose at least one.')
  })

  it('read ten of a long list at a time', async () => {
    const many = Array.from({length: 23}, (_, at) => ({value: `v${at + 1}`, name: `name ${at + 1}`}))
    const one = prompterFor(['m', 'm', '23'])
    expect(await one.prompter.choose('Which?', many)).toBe('v23')
    const [first = '', second = ''] = one.shown().split('Number, 1 to 23: ')
    expect(first).toMatch(/ {2}10\. name 10\nand 13 more: type m to hear them\n$/)
    expect(second).toMatch(/^ {2}11\. name 11\n[\s\S]*and 3 more/)
    const several = prompterFor(['m', '11, 1'])
    expect(await several.prompter.several('Which?', many)).toEqual(['v1', 'v11'])
    expect(several.shown().split('Numbers, separated by commas: ')[0]).not.toContain('11. ')
  })

  it('search among many, and take a number of what was found', async () => {
    const find = (typed = '') =>
      ['alpha', 'beta', 'alps'].filter(name => name.includes(typed)).map(value => ({value, name: value}))
    expect(await prompterFor(['gamma', 'al', '2']).prompter.search('Which?', find)).toBe('alps')
    expect(await prompterFor(['bet']).prompter.search('Which?', find)).toBe('beta')
  })

  it('end with the input', async () => {
    await expect(prompterFor([]).prompter.yes('Continue?')).rejects.toMatchObject({code: 'INPUT_ENDED'})
  })

  it('are plain lines in the menu, with the whole summary of each command', async () => {
    const {stderr} = await home.run([], {
      env: {CARDCTL_ACCESSIBLE: '1'},
      columns: 80,
      typed: [
        ['Number, or text', '1'],
        ['cards get:', 'sandbox'],
        ['type m to hear', 'm'],
        ['  11. ', 'whoami'],
        ['Numbers, separated by commas', ''],
      ],
    })
    const before = stderr.split('Number, or text')[0] ?? ''
    expect(before.split('\n').length).toBeLessThanOrEqual(13)
    expect(before).toContain('  1. Cards\n')
    expect(stderr).toMatch(
      /^ +\d+\. cards get: Show a card by id, reference number or card number \(PAN\)\.$/m,
    )
    expect(stderr).not.toContain('…')
  })

  it('are followed by results without rules, dots and bullets', async () => {
    for (const line of ['cards get 3001', 'cards list --customer 1001', 'a2a list', 'requests list']) {
      const {stdout} = await home.run(line.split(' '), {env: {CARDCTL_ACCESSIBLE: '1'}, columns: 80})
      expect({line, stdout}).toMatchObject({stdout: expect.not.stringMatching(/[─●•✓*]|--/)})
    }
  })

  it('are plain lines in a command, and check each answer', async () => {
    const {code, stdout, stderr} = await home.run(['cards', 'get'], {
      env: {CARDCTL_ACCESSIBLE: '1'},
      typed: [
        ['Number, 1 to 3', '1'],
        ['Id of the card', ''],
        ['Enter a value.', '3001'],
      ],
    })
    expect(code).toBe(0)
    expect(stdout).toContain('Card 3001')
    expect(stderr).not.toContain('\u001b')
  })
})
