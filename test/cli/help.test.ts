// Help as people read it: examples first, flags by how often they are used, one line for what every command has.

import {Readable, Writable} from 'node:stream'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {globalFlags, operationFlags} from '../../src/cli/flags.ts'
import {searched} from '../../src/cli/help/answering.ts'
import {docsPages, plainText} from '../../src/cli/help/pages.ts'
import {answerTo, searchHelp, situationIn} from '../../src/cli/help/search.ts'
import {phrasesOf, SITUATIONS, situationOf} from '../../src/cli/help/situations.ts'
import {stemOf, termsOf} from '../../src/cli/help/terms.ts'
import {helpTopics} from '../../src/cli/help/topics.ts'
import {TASK_GROUPS} from '../../src/cli/task-groups.ts'
import {commands} from '../../src/commands/index.ts'
import {textWidth} from '../../src/output/text-layout.ts'
import {DESK_HELD_OUT, DESK_TUNED} from '../docs/desk-questions.ts'
import {HELD_OUT, LATER, TUNED} from '../docs/fresh-questions.ts'
import {OTHER_WORDS, PLAIN_WORDS, THIRTY} from '../docs/questions.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {isWhole, part} from '../helpers/whole.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const help = async (line: string, options = {}): Promise<string> => {
  const {code, stdout, stderr} = await home.run(line.split(' ').filter(Boolean), options)
  expect({line, code, stderr}).toEqual({line, code: 0, stderr: ''})
  return stdout
}

describe('help of a command', () => {
  it('begins with what the command does, its usage and its examples', async () => {
    const lines = (await help('accounts patch --help')).split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'Change fields of an account. Other fields stay as they are.',
      '',
      'USAGE',
      '  $ cardctl accounts patch ID [FLAGS]',
    ])
    expect(lines.indexOf('EXAMPLES')).toBe(5)
    expect(lines[6]).toMatch(/^ {2}\$ cardctl accounts patch 2001 /)
  })

  it('shows the flags of its own before those of every body', async () => {
    const text = await help('accounts patch --help')
    const places = [
      'FLAGS\n',
      '--status VALUE',
      'MORE FLAGS',
      '--field path=value',
      'Request flags: --dry-run, --curl',
    ]
    const found = places.map(place => text.indexOf(place))
    expect(found).toEqual(found.toSorted((a, b) => a - b))
    expect(found[0]).toBeGreaterThan(0)
  })

  it('shows required flags first, and says so', async () => {
    const text = await help('sandbox authorize --help')
    const [, flags = ''] = text.split('\nFLAGS\n')
    expect(flags.trimStart()).toMatch(/^--[a-z]+ VALUE +[^-]*Required\./)
  })

  it('names the values of a flag', async () => {
    expect(await help('cards get --help')).toContain('--api-version v3|v4')
    const state = (await help('requests list --help')).replace(/\s+/g, ' ')
    expect(state).toContain('One of done, refused, none, unknown, failed, running, unfinished.')
  })

  it('has one line for the flags of every command, and help flags explains each of them', async () => {
    const text = await help('cards list --help')
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      'Global flags: -p, -o, -q, -y, -i, --json … See cardctl help flags.',
    )
    const topic = await help('help flags')
    for (const name of Object.keys({...globalFlags, ...operationFlags}))
      expect(topic).toMatch(new RegExp(`--(\\[no-\\])?${name}\\b`))
  })
})

describe('help of everything', () => {
  it('lists every command by its task', async () => {
    const text = await help('--help')
    for (const {title, names} of TASK_GROUPS) {
      expect(text).toMatch(new RegExp(`^ {2}${title} +${names[0]} +[A-Z]`, 'm'))
      for (const name of names) expect(text).toMatch(new RegExp(`^ .* ${name} +[A-Z]`, 'm'))
    }
    expect(text.indexOf('FIRST STEPS')).toBeLessThan(text.indexOf('COMMANDS'))
    expect(await help('help')).toBe(text)
    expect(await help('')).toBe(text)
  })

  it('lists the commands of each topic', async () => {
    for (const id of Object.keys(commands).filter(each => each.includes(':'))) {
      const words = id.split(':')
      expect(await help(`${words.slice(0, -1).join(' ')} --help`)).toMatch(
        new RegExp(`^ {2}${words.join(' ')}(?: |$)`, 'm'),
      )
    }
  })
})

describe.each(part([40, 60, 80, 120], 2))('on a terminal with %i columns', columns => {
  it('no line of help is wider, but for examples, which are there to be copied', async () => {
    for (const line of ['--help', 'sandbox --help', 'webhook serve --help', 'a2a create --help']) {
      const text = await help(line, {columns})
      const wide = text.split('\n').filter(each => textWidth(each) > columns && !each.startsWith('  $ '))
      // A word longer than a line is broken by the terminal.
      expect(wide.filter(each => each.trim().includes('  ') || /\S{30}/.test(each) === false)).toEqual([])
    }
  })
})

it('headings are bold on a terminal with colours, and plain with NO_COLOR or --no-color', async () => {
  const colours = {columns: 80, env: {NO_COLOR: '', TERM: 'xterm-256color'}}
  const bold = `${String.fromCharCode(27)}[1mUSAGE`
  expect(await help('cards get --help', colours)).toContain(bold)
  expect(await help('cards get --help --no-color', colours)).not.toContain(bold)
  expect(await help('cards get --help', {columns: 80})).not.toContain(bold)
})

describe('the pager', () => {
  const PAGER = {CARDCTL_PAGER: 'cat > "$HOME/paged"'}

  it('shows help that is longer than the terminal', async () => {
    const {readFile} = await import('node:fs/promises')
    const {code, stdout} = await home.run(['--help'], {
      columns: 80,
      rows: 24,
      env: {...PAGER, PATH: process.env.PATH ?? ''},
    })
    expect({code, stdout}).toEqual({code: 0, stdout: ''})
    expect(await readFile(`${home.folder}/paged`, 'utf8')).toContain('FIRST STEPS')
  })

  it.each([
    ['short help', ['cards', '--help'], {columns: 80, rows: 40, env: PAGER}],
    ['a pipe', ['--help'], {env: PAGER}],
    ['a dumb terminal', ['--help'], {columns: 80, rows: 24, env: {...PAGER, TERM: 'dumb'}}],
  ])('is not used for %s', async (_, argv, options) => {
    expect((await home.run(argv, options)).stdout).toContain('USAGE')
  })
})

it.each([
  ['webhook deadline', 'docs/webhooks.md'],
  ['bulk job stuck', 'docs/when-things-go-wrong.md'],
  ['policy file location', 'docs/policy.md'],
  ['sandbox for several testers', 'docs/team-sandbox.md'],
  ['timeout, did the money move or not', 'requests resolve last'],
])('a question that begins with the name of a topic, %s, is answered', async (line, expected) => {
  const {code, stdout} = await home.run(['help', ...line.split(' ')])
  expect([code, stdout]).toEqual([0, expect.stringContaining(expected)])
})

it.each([
  ['Unknown command "cards close"', 'accounts close', 'no operation that closes a card'],
  [
    'Error USAGE: Unknown command "accounts get". The service',
    'cards list',
    'no operation that reads an account',
  ],
])('the pasted error %s leads to what the error says to run', async (line, name, lacks) => {
  const [first] = await home.json<{name: string; line: string}[]>(['help', '--search', line])
  expect(first).toEqual(expect.objectContaining({name, line: expect.stringContaining(lacks)}))
})

it.each(['cards gte', 'cards bogus', 'cards close', 'accounts delete'])(
  'help %s says that there is no such command',
  async line => {
    const {code, stderr} = await home.run(['help', ...line.split(' ')])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Unknown command or topic "${line}"`)])
  },
)

describe('search', () => {
  const names = async (words: string): Promise<string[]> =>
    (await home.json<{name: string}[]>(['help', '--search', words])).map(({name}) => name)

  it.each([
    ['thirty questions', THIRTY],
    ['questions in other words', OTHER_WORDS],
    ['questions in plain words', PLAIN_WORDS],
    ['fresh questions', TUNED],
    ['fresh questions of which the search knows nothing', HELD_OUT],
    ['questions that came later', LATER],
    ['questions of each desk', DESK_TUNED],
    ['questions of each desk that were held out', DESK_HELD_OUT],
  ])('of %s, finds a right page or command first for at least nine in ten', async (_, questions) => {
    const index = (await searched())()
    const missed = questions.filter(([question, ...answers]) => {
      const words = question.split(' ')
      const [first] = searchHelp(words, index)
      return !answers.some(answer => [answer, `docs/${answer}.md`].includes(first?.name ?? ''))
    })
    expect(missed.length, missed.map(([question]) => question).join(', ')).toBeLessThanOrEqual(
      questions.length / 10,
    )
  })

  it.each(
    part<[string, string]>(
      [
        ['unblock', 'accounts unblock'],
        ['block', 'accounts block'],
        ['dry-run', 'help flags'],
        ['--dry-run', 'help flags'],
        ['plastics', 'cards plastics'],
        ['credit limit', 'accounts limit'],
        ['HTTPS_PROXY', 'help environment'],
        ['idempotency', 'help idempotency'],
        ['pin view', 'pin view'],
        ['price', 'pricelists delete'],
      ],
      2,
    ),
  )('for %s finds %s first', async (words, name) => {
    expect((await names(words))[0]).toBe(name)
  })

  it.each(
    part<[string, string]>(
      [
        ['where is my data stored', 'docs/security.md'],
        ['idempotent', 'help idempotency'],
        ['controlToken', 'cards control-token'],
        ['/v4/card/cardnumber', 'cards get'],
        ['POST /v1/a2a/batches', 'a2a create'],
        ['push provisioning', 'wallets provision'],
        ['how do I uninstall', 'docs/installation.md'],
        ['sign the authorisation call', 'docs/webhooks.md'],
        ['two people must approve', 'docs/four-eyes.md'],
        ['use a proxy', 'docs/profiles.md'],
        ['kubernetes', 'docs/nightly-job.md'],
        ['a cron job', 'docs/nightly-job.md'],
        ['where are passwords kept', 'docs/security.md'],
        ['many accounts from a spreadsheet', 'docs/bulk.md'],
        ['how do I import an OpenAPI document', 'contract import'],
        ['is my endpoint right', 'docs/webhook-tests.md'],
        ['completion for zsh', 'completion install'],
        ['PostgreSQL for a team sandbox', 'docs/team-sandbox.md'],
        ['undo what I changed', 'requests undo'],
        ['dialects', 'docs/dialects.md'],
        ['screen reader', 'docs/support.md'],
        ['wrong PIN', 'pin unblock'],
        ['forgotten PIN', 'pin set'],
        ['the customer moved to a new address', 'accounts patch'],
        ['stolen card', 'accounts block'],
        ['recall of a transfer', 'a2a create'],
        ['limit reached', 'accounts limit'],
        ['card declined abroad', 'cards get'],
        ['complaint', 'history'],
        ['my own service', 'docs/first-day.md'],
        ['who changed', 'history'],
        ['open', 'requests list'],
        ['dry run of many rows', 'bulk plan'],
        ['see before sending', 'bulk plan'],
        ['address', 'accounts patch'],
        ['a holiday limit', 'accounts limit'],
        ['change name', 'accounts patch'],
        ['lost', 'accounts block'],
        ['overdraft', 'cards get'],
        ['replaced', 'cards plastics'],
        ['cancel transfer', 'a2a create'],
        ['close at the end of the month', 'accounts close'],
        ['new phone', 'wallets provision'],
        ['phone lost', 'accounts block'],
        ['where is my data stored', 'data where'],
      ],
      2,
    ),
  )('a question as typed, "%s", leads to %s', async (question, name) => {
    expect((await names(question)).slice(0, 3)).toContain(name)
  })

  it('says of a situation what the service lacks, and the commands in order', async () => {
    const text = await help('help my card was stolen')
    expect(text).toMatch(
      /no operation that blocks a card.*cards list --customer ID.*accounts block ID.*unblock/s,
    )
    for (const situation of SITUATIONS)
      for (const phrase of phrasesOf(situation))
        expect(situationOf(phrase.split(' '))?.about, phrase).toBe(situation.about)
  })

  it('shows what can be done about a situation that is all of the question', async () => {
    const index = (await searched())()
    const answered = (phrase: string): boolean => {
      const words = phrase.split(' ')
      return answerTo(words, index, situationIn(words)).situation !== undefined
    }
    expect(SITUATIONS.flatMap(phrasesOf).filter(phrase => !answered(phrase))).toEqual([])
  })

  it.each([
    ['help phone lost', /no operation that removes a card from a wallet.*accounts block ID/s],
    ['help lost phone', /no operation that removes a card from a wallet.*accounts block ID/s],
    ['help refund', /refund or chargeback of a card payment.*For a transfer.*a2a get ID/s],
    ['help debt', /no operation that reads what an account owes.*sandbox state show account ID/s],
  ])('%s says what is not offered, and what is instead', async (line, text) => {
    const shown = (await help(line)).replaceAll(/\s+/g, ' ')
    expect(shown).toMatch(text)
    expect(shown).not.toContain('wallets provision')
  })

  it('shows lines of pages without the marks of Markdown', () => {
    expect(plainText('| `a` | one<br>two | [x](y.md) \\| **z** |')).toBe('a; one two; x | z')
    expect(plainText('|---|:--|')).toBe('')
    expect(plainText('cardctl cards get 3001 | jq')).toBe('cardctl cards get 3001 | jq')
    for (const {lines} of docsPages()) expect(lines.filter(({text}) => /^\||<br>|`/.test(text))).toEqual([])
  })

  it.each([
    ['bulk run stopped halfway, carry on', 'bulk resume last'],
    ['find a card when I only have the last four digits', 'find --card-number'],
  ])('takes %s for a question, though it begins with a command', async (line, step) => {
    const text = await help(`help ${line}`)
    expect(text.split('\n')[0]).toBe(`Help with "${line}":`)
    expect(text).toContain(`cardctl ${step}`)
  })

  it('finds the best also for two words that no page and no command have in one place', async () => {
    expect((await names('velocity fsync'))[0]).toBe('docs/webhook-rules.md')
  })

  it.each(['exit code 13', 'exit status 13', 'exit 13'])('takes %s for the same', async words => {
    expect((await names(words))[0]).toBe('docs/when-things-go-wrong.md')
  })

  it.each(["money didn't arrive", 'money didn’t arrive', 'money didnt arrive', 'money did not arrive'])(
    'takes %s for the same',
    async words => {
      expect((await names(words))[0]).toBe('a2a get')
    },
  )

  it('says of each way to exchange a PIN that a live profile refuses it', async () => {
    const ways = SITUATIONS.filter(({steps}) =>
      steps.some(({words}) => /^pin (?:set|unblock|view) /.test(words)),
    )
    expect(ways.length).toBeGreaterThan(2)
    for (const {about, lacks} of ways) expect(lacks, about).toContain('live profile')
    expect(await help('help PIN forgotten')).toContain('live profile')
  })

  it('says how to find a card by its last digits and a name', async () => {
    const text = (await help('help card ending 1234 of Anna')).replaceAll(/\s+/g, ' ')
    expect(text).toContain('not by name or last digits. Ask for one of these')
    expect(text).toContain('cardctl cards list --customer ID')
  })

  it('says the words of a question in their order', async () => {
    const question = 'fake the time in the sandbox to test the expiry'
    expect(await help(`help ${question}`)).toContain(`Help with "${question}":`)
  })

  it('shows the command for a line of it', async () => {
    for (const line of ['bulk run accounts patch', 'cards get 3001 -o json', 'pin set 3004'])
      expect(await help(`help ${line.replace(' -o json', '')}`)).toContain('\nUSAGE\n')
  })

  it('stems alike what means the same', () => {
    for (const [one, other] of [
      ['idempotent', 'idempotency'],
      ['stored', 'storage'],
      ['accounts', 'account'],
      ['blocked', 'block'],
    ])
      expect(stemOf(one ?? '')).toBe(stemOf(other ?? ''))
    fc.assert(
      fc.property(fc.string(), text => {
        expect(termsOf(text).every(term => term !== '')).toBe(true)
      }),
    )
  })

  it('finds each command by its own name', async () => {
    for (const id of Object.keys(commands).filter((_, at) => isWhole || at % 40 === 3)) {
      const name = id.replaceAll(':', ' ')
      expect((await names(name)).slice(0, 3), name).toContain(name)
    }
  })

  it('help with an unknown word searches, and shows the line that matches', async () => {
    const text = await help('help unfreeze')
    expect(text.split('\n')[0]).toBe('Help with "unfreeze":')
    expect(text).toContain('cardctl accounts unblock ID')
  })

  it('says how many more there are', async () => {
    expect(await help('help exit')).toMatch(/and \d+ more; add a word to narrow it down\n$/)
  })

  it('without a result it is a usage error', async () => {
    const {code, stdout, stderr} = await home.run(['help', '--search', 'zebra'])
    expect({code, stdout}).toEqual({code: 2, stdout: ''})
    expect(stderr).toContain('Nothing in the help has these words.')
  })

  it.each([
    ['zebra', 'Nothing in the help has this word.'],
    ['zebra quux', 'Nothing in the help has all these words.'],
  ])('of help %s says that the help was searched', async (words, hint) => {
    const {code, stderr} = await home.run(['help', ...words.split(' ')])
    expect(code).toBe(2)
    expect(stderr).toContain(hint)
  })
})

it('help whose reader goes away ends quietly', async () => {
  const gone = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), {code: 'EPIPE'})),
  })
  gone.on('error', () => undefined)
  const {main} = await import('../../src/cli/main.ts')
  const surroundings = {
    env: {HOME: home.folder},
    stdin: Readable.from([]),
    stdout: gone,
    stderr: new Writable({write: (_c, _e, done) => done()}),
    signal: new AbortController().signal,
  }
  expect(await main(['--help'], surroundings as never, commands)).toBe(0)
})

it.each(['four-eyes', 'four eyes', 'docs/four-eyes.md'])('help %s shows the page', async words => {
  const {stdout} = await home.run(['help', ...words.split(' ')])
  expect(stdout).toContain('TRY IT OUT ALONE\n')
  expect(stdout).toContain('    cardctl requests proposals -p bo\n')
  expect(stdout).not.toMatch(/```|\]\(|<!--/)
  expect(stdout).toMatch(/^ {2}irreversible {2}values that can.t be undone/m)
})

it('the best part of a page is named, and shown alone by that name', async () => {
  const {stdout} = await home.run(['help', '--search', 'who did what with this card, its history'])
  expect(stdout).toContain('docs/support.md#history  A support day: History\n')
  const part = await help('help docs/support.md#history')
  expect(part).toMatch(/^A SUPPORT DAY\n\nHISTORY\n/)
  expect(part.match(/^[A-Z ]+$/gm)).toHaveLength(2)
  expect(part).toContain('  The whole page: cardctl help docs/support.md\n')
  expect(await help('help docs/support.md#nothing')).toBe(await help('help docs/support.md'))
})

it('each help topic is shown as it is', async () => {
  for (const [name, topic] of Object.entries(helpTopics))
    expect(await help(`help ${name}`)).toBe(`${topic.text()}\n`)
})

it('no phrase of several words is met by one of them: that could be a command typed wrong', () => {
  const short = SITUATIONS.flatMap(phrasesOf).filter(
    phrase => phrase.includes(' ') && termsOf(phrase).length < 2,
  )
  expect(short).toEqual([])
})
