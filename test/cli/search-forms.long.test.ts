// Names, forms of words, forms of questions, and error lines as they are printed.
import {beforeAll, expect, it} from 'vitest'
import {searched} from '../../src/cli/help/answering.ts'
import {printedLines} from '../../src/cli/help/error-lines.ts'
import {readManifest} from '../../src/cli/help/manifest.ts'
import {docsPages} from '../../src/cli/help/pages.ts'
import {answerTo, foundIn, situationIn} from '../../src/cli/help/search.ts'
import type {SearchIndex} from '../../src/cli/help/search-index.ts'
import {SITUATIONS} from '../../src/cli/help/situations.ts'
import {stemOf, termsOf} from '../../src/cli/help/terms.ts'
import {topicNames} from '../../src/cli/package-files.ts'

let index: SearchIndex
beforeAll(async () => {
  index = (await searched())()
})

function ask(question: string) {
  const words = question.split(' ')
  const {ranked, situation} = answerTo(words, index, situationIn(words))
  return {found: ranked.map(foundIn), under: ranked[0]?.under, about: situation?.about}
}
const first = (question: string): string | undefined => ask(question).found[0]?.name

it('a group of commands is first by its name', () => {
  const groups = topicNames.map(id => id.replaceAll(':', ' '))
  expect(groups.filter(name => first(name) !== name)).toEqual([])
  expect([first('card'), first('account'), first('wallet')]).toEqual(['cards', 'accounts', 'wallets'])
})

it('a page is first by its name, from its beginning, unless commands have the name', () => {
  const pages = docsPages().filter(({name, isBackground}) => !isBackground && name !== 'README.md')
  const taken = new Set([...topicNames, 'idempotency', ...Object.keys(readManifest().commands)])
  const named = pages.map(({name}) => [name, name.replace(/^.*\/|\.md$/g, '')] as const)
  const free = named.filter(([, own]) => !taken.has(own))
  expect(free.length).toBeGreaterThan(20)
  const missed = free.filter(([name, own]) => first(own) !== name || ask(own).under !== undefined)
  expect(missed).toEqual([])
})

it('the title of an answer leads to the answer', () => {
  const titles = SITUATIONS.flatMap(({about}) =>
    / or |,/.test(about) || termsOf(about).length < 2 ? [] : [about],
  )
  const answered = titles.filter(about => ask(about).about !== undefined)
  expect(titles.filter(about => !answered.includes(about))).toEqual([])
})

it.each([
  ['declined payments', 'a declined payment or a limit that is reached'],
  ['his payment was declined', 'a declined payment or a limit that is reached'],
  ['payments are being declined', 'a declined payment or a limit that is reached'],
  ['my card never came', 'a card or letter that did not arrive'],
  ['he never received his card', 'a card or letter that did not arrive'],
  ["she didn't get the card", 'a card or letter that did not arrive'],
  ['card is lost in the mail', 'a card or letter that did not arrive'],
  ['somebody stole his card', 'a stolen or lost card'],
  ['the transfer never arrived', 'a transfer that did not arrive'],
])('%s is answered for %s', (question, about) => {
  expect(ask(question).about).toBe(about)
})

it.each([
  ['move moved moves moving'],
  ['send sent sends sending'],
  ['forget forgot forgotten forgetting'],
  ['stop stopped stopping stops'],
  ['page pages'],
  ['setting settings'],
  ['message messages'],
])('%s are forms of one word', forms => {
  expect(new Set(forms.split(' ').map(stemOf)).size).toBe(1)
})

it('a note is not the word not', () => {
  expect(stemOf('notes')).not.toBe(stemOf('not'))
})

it('each sentence of an error line leads to what explains it, with its meaning as the excerpt', () => {
  const lines = index.printed
  expect(lines.length).toBeGreaterThan(100)
  const sentences = lines.flatMap(({explained: {printed = []}}) => printed)
  const missed = [...new Set(sentences)].filter(sentence => {
    const line = `Error: ${sentence.replaceAll('*', '"x"')}`
    const [best] = ask(line).found
    return !lines.some(({explained, pattern}) => explained.entry.name === best?.name && pattern.test(line))
  })
  expect(missed).toEqual([])
  expect(printedLines([])).toEqual([])
})

it.each([
  ['/bin/sh: cardctl: not found', 'docs/installation.md', 'PATH'],
  ['zsh: command not found: cardctl', 'docs/installation.md', 'PATH'],
  ['FATAL: sorry, too many clients already', 'docs/team-sandbox.md', '53300'],
  ['ERROR: relation "tenants" does not exist', 'docs/team-sandbox.md', '42P01'],
  [
    'unable to verify the first certificate',
    'docs/when-things-go-wrong.md',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
  ['certificate has expired', 'docs/when-things-go-wrong.md', 'CERT_HAS_EXPIRED'],
  ["EMFILE: too many open files, open '/var/x'", 'docs/when-things-go-wrong.md', 'ulimit'],
  ['SQLITE_BUSY', 'docs/when-things-go-wrong.md', 'FILE_LOCKED'],
  ['SqliteError: database is locked', 'docs/when-things-go-wrong.md', 'FILE_LOCKED'],
  ['auditUser', 'docs/commands/settings.md', 'who acts'],
  ['CARDCTL_AUDIT_USER', 'docs/commands/settings.md', 'who acts'],
])('%s leads to %s, which says %s', (question, name, said) => {
  const [best] = ask(question).found
  expect(best).toMatchObject({name, line: expect.stringContaining(said)})
})

it.each([
  'TypeError: Cannot read properties of undefined (reading 0)',
  'Error: the frobnicator of the card broke',
  'EBUSY: resource busy, unlink x',
])('an error line that nothing explains, %s, leads to what to do', line => {
  expect(first(line)).toBe('docs/when-things-go-wrong.md')
})

it.each([
  ['who talked to this customer', ['history', 'audit list']],
  ['who sent the transfer', ['history', 'audit list']],
  ['where is the bearer token stored', ['docs/profiles.md', 'docs/security.md', 'data where']],
  ['how many milliseconds do I have to answer', ['docs/webhooks.md', 'docs/webhook-tests.md']],
  ['within how many ms must I reply', ['docs/webhooks.md', 'docs/webhook-tests.md']],
  ['caller only knows the 16 digits on the front', ['cards get', 'find', 'docs/support.md']],
  ['decline everything above 500 euro', ['docs/webhook-rules.md']],
  ['take back the change I made', ['requests undo', 'docs/support.md']],
])('%s leads to what its form asks for', (question, names) => {
  expect(names).toContain(first(question))
})
