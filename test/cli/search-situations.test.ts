// What a desk adds to what it asks, an account, a name, an amount, must not hide what can be done and what can't.
import {beforeAll, describe, expect, it} from 'vitest'
import {searched} from '../../src/cli/help/answering.ts'
import {type Answer, answerTo, situationIn} from '../../src/cli/help/search.ts'
import type {SearchIndex} from '../../src/cli/help/search-index.ts'
import {SITUATIONS} from '../../src/cli/help/situations.ts'

let index: SearchIndex
beforeAll(async () => {
  index = (await searched())()
})

function answered(question: string): Answer {
  const words = question.split(' ')
  return answerTo(words, index, situationIn(words))
}

describe.each([
  [
    'a transfer that should come back',
    'recall a payment, payment recall, recall 250 euro, cancel payment of 200 euro',
  ],
  ['kinds of purchases', 'gambling off, gambling off for card 3001, block gambling on the card'],
  ['what was spent', 'account statement, statement for three months, statement for mrs virtanen'],
  ['what was spent', 'customer wants a statement, transactions of the card, balance of account 2001'],
  ['a lost or stolen phone', 'wallet on lost phone, lost phone with wallet, customer lost phone'],
  ['a refund', 'refund 20 euro, refund a customer, customer wants refund for card payment'],
  ['still holds', 'hotel deposit still held, release a hold, hotel hold, blocked amount, pending amount'],
  ['still holds', 'release reservation 200 euro, petrol station hold, hold still there after a month'],
  [
    'what is kept of a customer',
    'data request, everything you hold on me, GDPR copy, subject access request',
  ],
  [
    'who has moved',
    'emigrated to Austria, moved to another country, customer moves abroad, moving to Germany',
  ],
  ['a dispute', "charge I don't recognise, complaint about a charge, unknown charge, unrecognised payment"],
  ['a stolen or lost card', 'stolen in Spain, stolen card of mrs virtanen'],
  ['a customer who has died', 'customer died, deceased, account of deceased customer'],
  ['a card to unblock', 'frozen card, found again; card found again'],
  ['a transfer on a later day', 'standing order, standing order rent 850, stop standing order'],
])('for %s', (about, questions) => {
  it.each(questions.split(about === 'a card to unblock' ? '; ' : ', '))('%s', question => {
    const {situation, ranked} = answered(question)
    expect(situation?.about).toContain(about)
    expect(ranked[0]?.entry.name).not.toMatch(/^(?:a2a create|accounts close|docs\/.*)$/)
  })
})

it.each([
  ['customer died', 'accounts block'],
  ['frozen card, found it again', 'accounts unblock'],
  ['transfer money to Germany', 'a2a create'],
  ['card declined in Germany', 'cards get'],
  ['abroad', 'cards get'],
  ['transactions of the card', 'cards get'],
  ['moving to Germany', 'accounts patch'],
  ['what did my colleague do with this card', 'history'],
  ['did my job run twice? same transfer', 'docs/idempotency.md'],
  ['corporate proxy and own root certificate', 'docs/commands/settings.md'],
])('%s begins with %s', (question, name) => {
  expect(answered(question).ranked[0]?.entry.name).toBe(name)
})

it('a service that lacks what is asked is not answered by sending money', () => {
  const lacking = SITUATIONS.filter(({lacks}) => /no operation|cannot|has no/.test(lacks ?? ''))
  expect(lacking.length).toBeGreaterThan(20)
  for (const {about, steps} of lacking) expect(steps[0]?.words, about).not.toMatch(/^a2a create/)
})
