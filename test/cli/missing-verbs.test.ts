// Words that people try, which the service or cardctl doesn't have: what comes nearest is named, and it exists.
import type {Command} from '@oclif/core/command'
import {parse} from '@oclif/core/parser'
import fc from 'fast-check'
import {afterAll, beforeAll, expect, it} from 'vitest'
import {SITUATIONS} from '../../src/cli/help/situations.ts'
import {MISSING_VERBS} from '../../src/cli/missing-verbs.ts'
import {namesIn, unknownCommand} from '../../src/cli/unknown-command.ts'
import {commands} from '../../src/commands/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const instead = [
  ...MISSING_VERBS.flatMap(verb => (verb.instead ? [verb.instead] : [])),
  ...SITUATIONS.flatMap(({steps}) => steps),
]

it.each(instead.map(({does, words}) => [`${does}: ${words}`, words.split(' ')]))('%s', async (_, words) => {
  const count = [3, 2, 1].find(length => Object.hasOwn(commands, words.slice(0, length).join(':')))
  const load = commands[words.slice(0, count).join(':')]
  if (count === undefined || !load) throw new Error(`${words.join(' ')} is no command`)
  const {args, baseFlags, flags, strict} = (await load()).default as unknown as Command.Class
  const argv = words.slice(count)
  await expect(
    parse(argv, {args, flags: {...baseFlags, ...flags}, strict, context: {argv}} as never),
  ).resolves.toBeTruthy()
})

it('each word has one entry in its topic', () => {
  const places = MISSING_VERBS.flatMap(({topics, verbs}) =>
    topics.flatMap(topic => verbs.map(verb => `${topic} ${verb}`)),
  )
  expect(places.length).toBeGreaterThan(50)
  expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([])
})

it.each([
  ['cards block 3001', 'The service has no operation that blocks a card.', 'accounts block ID --type TYPE'],
  ['cards freeze', 'The service has no operation that blocks a card.', 'accounts block ID --type TYPE'],
  ['cards lock', 'The service has no operation that blocks a card.', 'accounts block ID --type TYPE'],
  ['cards unblock', 'The service has no operation that unblocks a card.', 'accounts unblock ID --type TYPE'],
  [
    'cards close',
    'The service has no operation that closes a card.',
    'accounts close ID --type TYPE --confirm ACCOUNT_TO_CLOSE',
  ],
  [
    'cards cancel',
    'The service has no operation that closes a card.',
    'accounts close ID --type TYPE --confirm ACCOUNT_TO_CLOSE',
  ],
  ['card block 3001', 'The service has no operation that blocks a card.', 'accounts block ID --type TYPE'],
  ['block 3001', 'The service has no operation that blocks a card.', 'accounts block ID --type TYPE'],
  ['invoices', 'has no operation for invoices', 'contract import FILE --name NAME'],
  ['transactions list', 'has no operation for transactions', 'contract import FILE --name NAME'],
  ['exchange-rates', 'has no operation for exchange rates', 'contract import FILE --name NAME'],
  ['accounts create', 'no operation that creates an account', 'contract import FILE --name NAME'],
  ['a2a cancel 88001', 'The service has no operation that cancels a batch.', 'a2a status ID'],
  ['stolen', 'The service has no operation that blocks a card.', 'help stolen'],
  ['cards report-stolen 3001', 'The service has no operation that blocks a card.', 'help stolen'],
  ['cards refund', 'refund or chargeback of a card payment', 'help refund'],
  ['lost phone', 'no operation that removes a card from a wallet', 'help phone lost'],
  ['cancel transfer', 'A transfer cannot be cancelled or recalled.', 'help recall'],
  ['cards update 3001 --name x', "changes a card's own data", 'accounts patch ID --type TYPE --name NAME'],
  ['requests note r_1', 'cannot be added later', 'requests show REQUEST_ID'],
  ['chargeback', 'The service has no operation for disputes.', 'help chargeback'],
])('%s says that it can not be done, and what comes nearest', async (line, lacks, nearest) => {
  const {code, stdout, stderr} = await home.run(line.split(' '))
  expect({code, stdout}).toEqual({code: 2, stdout: ''})
  expect(stderr).toContain(lacks)
  expect(stderr).toMatch(new RegExp(`^ {2}[A-Z][^:]*: cardctl .*${nearest}$`, 'm'))
})

it.each([
  ['why 3002', 'cards get CARD'],
  ['cards why 3002', 'cards get CARD'],
  ['who 3004', 'history card ID'],
  ['pin who 3004', 'history card ID'],
  ['accounts history 2001', 'history account ID'],
  ['cards find 3001', 'find ID'],
  ['traces', 'remotecheckout traces'],
  ['webhook listen', 'webhook serve'],
  ['listen', 'webhook serve'],
  ['a2a show 88001', 'a2a get ID'],
  ['remotecheckout unenroll 3001', 'remotecheckout delete --card ID'],
  ['open', 'help open'],
  ['remotecheckout trace', 'remotecheckout status TRACE'],
])('%s names the command that shows it', async (line, nearest) => {
  const {code, stdout, stderr} = await home.run(line.split(' '))
  expect({code, stdout}).toEqual({code: 2, stdout: ''})
  expect(stderr).toMatch(new RegExp(`^ {2}[A-Z][^:]*: cardctl ${nearest}$`, 'm'))
})

const READ_WORDS = ['describe', 'find', 'get', 'info', 'list', 'search', 'show', 'status', 'view']

it('who asks to see something is never offered a write, whatever the topic and the typing mistake', () => {
  const names = namesIn(Object.keys(commands))
  const topics = [...new Set(names.map(name => name.split(' ')[0] ?? ''))]
  const mistyped = fc
    .tuple(fc.constantFrom(...READ_WORDS), fc.nat(8), fc.constantFrom('', 'x', 'e'))
    .map(([word, at, letter]) => word.slice(0, at) + letter + word.slice(at + 1))
  fc.assert(
    fc.property(
      fc.constantFrom(...topics),
      fc.oneof(fc.constantFrom(...READ_WORDS), mistyped),
      (topic, word) => {
        const {message} = unknownCommand([topic, word, '3001'], names)
        const [, meant] = /Did you mean "([^"]+)"/.exec(message) ?? []
        expect(meant ?? '').not.toMatch(
          /(patch|set|delete|create|enroll|update|remove|provision|prune|reminder)$/,
        )
      },
    ),
  )
})

it('a word with digits in it may be a PIN, and is not repeated', async () => {
  for (const line of ['pin 1234', 'pin a1234b', 'pricelists 5TOKEN']) {
    const {stderr} = await home.run(line.split(' '))
    expect(stderr).toContain('Unknown command. Commands under')
    expect(stderr).not.toContain(line.split(' ')[1])
  }
})
