// What the README shows is what happens: its picture, and its commands in the order in which they stand.
import {afterAll, beforeAll, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {callsIn} from './command-lines.ts'
import {blocksOf, pages} from './pages.ts'

const readme = pages().find(({path}) => path === 'README.md') ?? {path: '', text: ''}
const blocks = blocksOf(readme)

/** What a person types at the prompts of a command, or the shell writes to its stdin. */
const STDIN: Readonly<Record<string, string>> = {
  'cards get --pan-stdin': '4111111111111111\n',
  'pin set 3004': '8253\n',
  'a2a create --from - --wait --yes': 'from,to,amount,currency\n2006,2007,12.50,EUR\n',
}
/** What ends otherwise than with 0, as the README says. */
const EXITS: Readonly<Record<string, number>> = {'cards get 9999 -o json': 5}
/** Servers run until they are ended, and calls to one need it: test/binary and test/commands run them. */
const SERVERS = ['sandbox serve', 'webhook serve', 'webhook trigger', 'webhook test']

const calls = blocks
  .filter(({language}) => language === 'sh')
  .flatMap(({code}) => code.split('\n'))
  .flatMap(line => callsIn(line))
  .filter(words => !SERVERS.includes(words.slice(0, 2).join(' ')))
  .map(words => ({words, line: words.join(' ')}))

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

test('the picture is what a terminal of 80 columns shows', async () => {
  const picture = blocks.find(({code}) => code.startsWith('$ cardctl'))?.code ?? ''
  const [prompt = '', ...shown] = picture.split('\n')
  const [words = []] = callsIn(prompt)
  const {stdout} = await home.run(words, {columns: 80})
  expect(shown.join('\n')).toBe(stdout)
})

test('there are examples to run', () => {
  expect(calls.length).toBeGreaterThan(10)
  const unknown = Object.keys({...STDIN, ...EXITS}).filter(line => !calls.some(call => call.line === line))
  expect(unknown).toEqual([])
})

test.each(calls)('cardctl $line', async ({words, line}) => {
  const stdin = STDIN[line]
  const {code, stdout, stderr} = await home.run(words, {
    env: {STAGING_TOKEN: 'made-up'},
    ...(stdin === undefined ? {} : {stdin}),
  })
  expect(code, stderr).toBe(EXITS[line] ?? 0)
  expect(stdout === '' && code === 0, 'a success prints something').toBe(false)
})
