// Questions in a window that is resized while they are open.
import {PassThrough} from 'node:stream'
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {createPrompter, type Prompter} from '../../src/cli/question.ts'
import {readSecretLine} from '../../src/cli/read-secret.ts'
import type {Output, Surroundings} from '../../src/cli/surroundings.ts'
import {Screen} from '../helpers/screen.ts'
import {runs} from '../helpers/whole.ts'

/** Two ticks: inquirer draws in one, and finds choices in the other. */
const drawn = async (): Promise<void> => {
  for (let tick = 0; tick < 5; tick++) await new Promise(setImmediate)
}

function openWindow(columns: number, env: Record<string, string> = {}) {
  const screen = new Screen({columns, rows: 400})
  const stderr: Output = Object.assign(new PassThrough(), {isTTY: true, columns, rows: 400})
  stderr.on('data', (chunk: Buffer) => screen.write(chunk.toString('utf8')))
  const stdin = Object.assign(new PassThrough(), {isTTY: true})
  screen.write('before\n')
  const surroundings = {
    ...{env: {NO_COLOR: '1', ...env}, stdin, stderr, signal: new AbortController().signal},
    atExit: () => () => undefined,
  } as Partial<Surroundings> as Surroundings
  return {
    surroundings,
    prompter: createPrompter(surroundings),
    screen,
    lines: () => screen.text.split('\n').slice(1),
    resize: async (width: number, height = 400) => {
      screen.resize(width)
      Object.assign(stderr, {columns: width, rows: height})
      stderr.emit('resize')
      await drawn()
    },
    type: async (...keys: readonly string[]) => {
      for (const key of keys) {
        stdin.write(key)
        await drawn()
      }
    },
  }
}

const DOWN = '\u001b[B'

const CHOICES = [
  {
    value: 'accounts block',
    name: 'accounts block   Block an account until further notice',
    description: 'Sets ACCOUNT_BLOCKED.',
  },
  {
    value: 'cards get',
    name: 'cards get        Show a card',
    description: 'By id, or by its reference number.',
  },
]
const QUESTION = 'Which of the commands do you want?'

type Ask = (prompter: Prompter) => Promise<unknown>
const KINDS: Readonly<Record<string, Ask>> = {
  search: prompter => prompter.search(QUESTION, () => CHOICES),
  choose: prompter => prompter.choose(QUESTION, CHOICES),
  several: prompter => prompter.several(QUESTION, CHOICES),
  text: prompter => prompter.text(QUESTION, () => 'This never fits, whatever is typed here.'),
  yes: prompter => prompter.yes(QUESTION),
}

describe('a resized question', () => {
  it.each(Object.entries(KINDS))(
    'of the kind %s looks as if it was opened at that size',
    async (kind, ask) => {
      const widths = fc.array(fc.integer({min: 14, max: 120}), {minLength: 1, maxLength: 4})
      const typed = kind === 'several' ? [DOWN] : ['a', ' ', 'b']
      await fc.assert(
        fc.asyncProperty(widths, async sizes => {
          const [resized, fresh] = [openWindow(80), openWindow(sizes.at(-1) ?? 80)]
          const answers = [resized, fresh].map(
            async ({prompter}) => await ask(prompter).catch(error => String(error)),
          )
          await drawn()
          await resized.type(...typed)
          for (const size of sizes) await resized.resize(size)
          await fresh.type(...typed)
          expect(resized.screen.text).toBe(fresh.screen.text)
          expect(resized.screen.cursor).toEqual(fresh.screen.cursor)
          for (const window of [resized, fresh]) await window.type('\u0003')
          for (const answer of answers) expect(await answer).toContain('Stopped at the question')
          expect(resized.lines()).toEqual(fresh.lines())
        }),
        {numRuns: runs(25)},
      )
    },
  )

  it('breaks no word, and cuts choices', async () => {
    const window = openWindow(80)
    const answer = window.prompter.search(QUESTION, () => CHOICES)
    await drawn()
    await window.resize(32)
    expect(window.lines()).toEqual([
      '? Which of the commands do you',
      'want?',
      '❯ accounts block   Block an ac…',
      '  cards get        Show a card',
      '',
      'Sets ACCOUNT_BLOCKED.',
      'type to search • ↑↓ navigate •',
      '⏎ select',
    ])
    await window.type('\r')
    expect(await answer).toBe('accounts block')
    expect(window.screen.text).toBe('before\n✔ Which of the commands do you\nwant? accounts block')
  })

  it('leaves out the text below the choices before the choices, in a low window', async () => {
    const window = openWindow(40)
    const answer = window.prompter.choose(
      'Which?',
      'abcdefgh'.split('').map(value => ({value, name: value})),
    )
    await drawn()
    await window.type(DOWN, DOWN, DOWN)
    await window.resize(40, 4)
    expect(window.lines()).toEqual(['? Which?', '  c', '❯ d', '  e'])
    await window.type('\r')
    expect(await answer).toBe('d')
  })

  it('draws an error apart from a choice where both would begin with >', async () => {
    const window = openWindow(30, {CARDCTL_ASCII: '1'})
    const answer = window.prompter.text(
      'Limit',
      text => text === '1' || 'Pass a whole number of euros, at least 1.',
    )
    await drawn()
    await window.type('x', '\r')
    expect(window.lines()).toEqual(['? Limit x', '! Pass a whole number of', 'euros, at least 1.'])
    await window.type('\u007f', '1', '\r')
    expect(await answer).toBe('1')
  })
})

describe('a hidden line', () => {
  it.each([
    ['•', {}],
    ['*', {CARDCTL_ASCII: '1'}],
  ])('shows %s for each character', async (bullet, env) => {
    const {surroundings, screen, type} = openWindow(40, env)
    const line = readSecretLine(surroundings, 'PIN')
    await type('1', '2', '\r')
    expect((await line).open().toString()).toBe('12')
    expect(screen.text).toBe(`before\nPIN: ${bullet}${bullet}`)
  })
})

describe('several choices', () => {
  const three = ['first', 'second', 'third'].map(value => ({value, name: value}))
  const chosenBy = async (...keys: readonly string[]) => {
    const {prompter, type} = openWindow(80)
    const answer = prompter.several('What else?', three)
    await drawn()
    await type(...keys, '\r')
    return answer
  }

  it.each([
    ['digits', ['2001']],
    ['digits one by one', ['1', '2']],
    ['words', ['card lost']],
    ['words with a digit', ['ticket 2', ' again']],
  ])('%s that are typed there choose nothing', async (_, keys) => {
    expect(await chosenBy(...keys)).toEqual([])
  })

  it('Space chooses, also after a text that was typed by mistake', async () => {
    expect(await chosenBy(' ', DOWN, ' ')).toEqual(['first', 'second'])
    expect(await chosenBy('2001', DOWN, ' ')).toEqual(['second'])
  })
})
