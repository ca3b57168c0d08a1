// Names of the wire, and codes of the systems around, lead to what explains them: from the contract and the tables of the code.
import {beforeAll, expect, it} from 'vitest'
import {searched} from '../../src/cli/help/answering.ts'
import {readManifest} from '../../src/cli/help/manifest.ts'
import {type Found, searchHelp, situationIn} from '../../src/cli/help/search.ts'
import type {SearchIndex} from '../../src/cli/help/search-index.ts'
import {readWebhookContract} from '../../src/contract/webhook-contract.ts'
import {networkCodes} from '../../src/http/network-fault.ts'
import {databaseReasons} from '../../src/postgres/reasons.ts'

let index: SearchIndex
beforeAll(async () => {
  index = (await searched())()
})
const find = (question: string, most = 3): readonly Found[] =>
  searchHelp(question.split(' '), index).slice(0, most)
const WEBHOOK = /^(?:webhook contract|docs\/commands\/webhook-contract\.md)$/

it('each field of the webhook leads to its contract, as written and in the plural', async () => {
  const {calls} = await readWebhookContract()
  const names = calls
    .flatMap(({call, answer}) => [...call.fields, ...answer.fields])
    .map(({name}) => name.replaceAll('[]', '').split('.').at(-1) ?? name)
    .filter(name => /[a-z][A-Z]/.test(name))
  expect(names.length).toBeGreaterThan(30)
  const missed = [...new Set(names)]
    .flatMap(name => [name, `${name}s`])
    .filter(
      name => !find(name, 4).some(({name: found, line = ''}) => WEBHOOK.test(found) || line.startsWith(name)),
    )
  expect(missed).toEqual([])
})

it('each response code does, by its number, its name and its meaning', async () => {
  const {codes} = await readWebhookContract()
  const missed = codes
    .flatMap(({code, name = code, meaning}) => [`responseCode ${code}`, code, name, meaning])
    // What callers say, such as a lost card, is answered by what to do.
    .filter(asked => situationIn(asked.split(' ')) === undefined)
    .filter(asked => !find(asked).some(({name}) => WEBHOOK.test(name)))
  expect(missed).toEqual([])
})

it('a field that a flag sets leads to the command, and one that is only shown to what shows it', () => {
  const commands = Object.values(readManifest().commands).filter(({hidden}) => !hidden)
  const sets = commands.flatMap(({flags}) => Object.values(flags).flatMap(({sets: path}) => path ?? []))
  const names = [...new Set(sets.map(path => path.split('.').at(-1) ?? path))].filter(name =>
    /[a-z][A-Z]/.test(name),
  )
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter(name => !/: set by --|: a field /.test(find(name, 1)[0]?.line ?? ''))).toEqual([])
  expect(find('truncatedCardNumber', 1)[0]?.name).toBe('cards get')
  expect(find('CARD_OK', 1)[0]?.name).toBe('cards get')
})

it('each code of the network and of TLS leads to what to do, and each of a database to its page', () => {
  const lines = networkCodes.map(code => [code, find(`${code} on every request`, 1)[0]?.name])
  expect(lines.filter(([, name]) => name !== 'docs/when-things-go-wrong.md')).toEqual([])
  const codes = Object.keys(databaseReasons).filter(code => /^\d/.test(code))
  expect(codes.filter(code => find(code, 1)[0]?.name !== 'docs/team-sandbox.md')).toEqual([])
})

it.each([
  ['ENOSPC', 'docs/when-things-go-wrong.md', 'DISK_FULL'],
  ['EADDRINUSE', 'docs/when-things-go-wrong.md', 'PORT_UNAVAILABLE'],
  ['HTTP 404', 'docs/when-things-go-wrong.md', 'NOT_FOUND'],
  // Whether the write behind it had an effect is not known.
  ['got 502', 'docs/when-things-go-wrong.md', 'EFFECT_UNKNOWN'],
  ['exit code 13', 'docs/when-things-go-wrong.md', 'exit 13'],
  ['EBADENGINE', 'README.md', 'EBADENGINE'],
])('%s leads to %s, which says %s', (asked, name, said) => {
  const [first] = find(asked, 1)
  expect(first?.name).toBe(name)
  expect(first?.line).toContain(said)
})

it('who asks what was done gets commands that look before those that send', () => {
  for (const question of ['did it arrive', 'was the batch paid out', 'has the limit been changed']) {
    const found = searchHelp(question.split(' '), index).map(({name}) =>
      index.entries.find(each => each.name === name),
    )
    const effects = found.map(entry => entry?.effect).filter(effect => effect !== undefined)
    expect(effects[0], question).toBe('read')
  }
})
