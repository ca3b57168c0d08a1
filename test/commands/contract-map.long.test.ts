// A service whose document has other names for what the contract had to guess: the profile learns them from it.
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {createSandbox, type Sandbox} from '../../src/sandbox/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {contractText} from '../helpers/contract.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

/** The service's names, by ours. */
const NAMES = {
  pinBlock: 'encPin',
  cardDataUrl: 'card_data_url',
  customerBID: 'issuer_no',
  encryptedData: 'jwe',
  cardNumber: 'pan',
  digitizationData: 'passPayload',
  clientAppID: 'client_app_id',
  clientDeviceID: 'client_device_id',
  clientWalletAccountID: 'client_wallet_account_id',
  walleta: 'applewallet',
  walletb: 'googlewallet',
  NETWORK_A: 'networkOne',
} as const

const inWords = (text: string, names: Readonly<Record<string, string>>): string =>
  Object.entries(names).reduce(
    (said, [from, to]) => said.replace(new RegExp(`(?<![\\w])${from}(?![\\w])`, 'g'), to),
    text,
  )
const OURS = Object.fromEntries(Object.entries(NAMES).map(([ours, theirs]) => [theirs, ours]))

let home: Home
let sandbox: Sandbox
let service: Service
beforeEach(async () => {
  home = await openHome()
  sandbox = await createSandbox()
  // A sandbox behind a door that speaks other words: what has a name of ours is not understood.
  service = await openService(async request => {
    const text = Buffer.from(request.body ?? []).toString()
    const ours = Object.keys(NAMES).find(name => request.url.includes(name) || text.includes(`"${name}"`))
    if (ours !== undefined) return reply(422, {title: `Unknown name ${ours}`})
    const own = await sandbox.handle({
      ...request,
      url: inWords(request.url, OURS),
      body: Buffer.from(inWords(text, OURS)),
    })
    const {'content-length': _, ...headers} = own.headers
    return {...own, headers, body: Buffer.from(inWords(Buffer.from(own.body).toString(), NAMES))}
  })
  await home.json(['profiles', 'add', 'svc', '--kind', 'test', '--base-url', service.url, '--bid', 'BID-1'])
  const file = join(home.folder, 'core.yaml')
  await writeFile(file, inWords(contractText, NAMES))
  expect(await home.run(['contract', 'import', file, '--name', 'core', '-p', 'svc'])).toMatchObject({code: 0})
})
afterEach(async () => {
  await service.close()
  await sandbox.close()
  await home.remove()
})

interface Mapped {
  readonly changes: {readonly words: Readonly<Record<string, string>>; readonly prefixes: object}
  readonly written: boolean
}

const map = (...words: string[]) => ['contract', 'map', ...words, '-p', 'svc']
const wordsOf = async () =>
  (await home.json<{words: Record<string, string>}>(['profiles', 'show', 'svc'])).words
const answers = async (text: string): Promise<string> => {
  const file = join(home.folder, 'answers.yaml')
  await writeFile(file, text)
  return file
}
const DECIDED = 'words:\n  customerBID: issuer_no\n'

describe('off a terminal', () => {
  test('writes nothing while a name is unsure', async () => {
    const {code, stdout, stderr} = await home.run(map())
    expect({code, stderr}).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /One name is unsure: customerBID\. Nothing was written\.\n.*--write-answers/,
      ),
    })
    expect(stdout).toMatch(/pinBlock +encPin +sure/)
    expect(stdout).toMatch(/customerBID +issuer_no\? +unsure/)
    expect(await wordsOf()).toEqual({})
  })

  test('answers decide, and the built-in commands speak its words', async () => {
    const pin = ['pin', 'view', '3001', '--reveal', '--yes', '-p', 'svc']
    expect((await home.run(pin)).code).not.toBe(0)

    const done = await home.json<Mapped>(map('core', '--answers', await answers(DECIDED)))
    expect(done).toMatchObject({written: true, changes: {words: NAMES, prefixes: {}}})
    expect(await wordsOf()).toEqual(NAMES)

    expect((await home.json<{pin: string}>(pin)).pin).toMatch(/^\d{4,12}$/)
    const wallet = ['wallets', 'provision', '3001', '--wallet', 'walletb', '-p', 'svc']
    const client = ['clientAppID=app', 'clientDeviceID=d1', 'clientWalletAccountID=w1'].flatMap(one => [
      '-F',
      one,
    ])
    expect(await home.json([...wallet, ...client])).toHaveProperty('digitizationData')
    expect(service.requests.at(-1)?.url).toContain('/provision/googlewallet')
    const found = await home.run(['cards', 'get', '--pan-stdin', '-p', 'svc', '-o', 'json'], {
      stdin: '4111111111111111\n',
    })
    expect({code: found.code, stderr: found.stderr}).toEqual({code: 0, stderr: ''})
    const enrolled = await home.run([
      'remotecheckout',
      'enroll',
      '--customer',
      '1001',
      '--card',
      '3001',
      '-p',
      'svc',
    ])
    expect(enrolled, enrolled.stderr).toMatchObject({code: 0})
    expect(service.requests.at(-1)?.url).toContain('/remotecheckout/networkOne/enroll/customer/1001')
  })

  test('a second time there is nothing to do', async () => {
    const file = await answers(DECIDED)
    await home.json(map('core', '--answers', file))
    expect(await home.run(map())).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Every name is as the profile has it.'),
      stderr: expect.stringContaining('Nothing to write'),
    })
  })

  test('a file to fill in is taken as it is if there is nothing to fill in', async () => {
    await home.json(map('core', '--answers', await answers(DECIDED)))
    const file = join(home.folder, 'nothing.yaml')
    expect(await home.run(map('core', '--write-answers', file))).toMatchObject({code: 0})
    expect(await home.run(map('core', '--answers', file))).toMatchObject({code: 0})
  })

  test('a file to fill in is written, refused while it is open, and taken when it is filled in', async () => {
    const file = join(home.folder, 'fill-in.yaml')
    expect(await home.run(map('core', '--write-answers', file))).toMatchObject({code: 0})
    expect(await wordsOf()).toEqual({})
    const text = await readFile(file, 'utf8')
    expect(text).toContain('  # one of: issuer_no, customerBID\n  customerBID:\n')
    expect(await home.run(map('core', '--answers', file))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/fill-in\.yaml, line \d+: words\.customerBID has no answer\./),
    })
    const filled = text.replace('  customerBID:\n', '  customerBID: customerBID\n')
    const done = await home.json<Mapped>(map('core', '--answers', '-'), {stdin: filled})
    const {customerBID: _, ...others} = NAMES
    expect(done.changes.words).toEqual(others)
    expect(await wordsOf()).toEqual(others)
  })

  test('--dry-run shows and writes nothing', async () => {
    const shown = await home.json<Mapped>(map('--dry-run'))
    expect(shown).toMatchObject({written: false, changes: {words: {pinBlock: 'encPin'}}})
    expect(await wordsOf()).toEqual({})
  })

  test.each([
    ['words: {pinBlok: x}', /answers\.yaml, line 1: words\.pinBlok is not a word .* Did you mean pinBlock\?/],
    ['words:\n  pinBlock: 7', /line 2: words\.pinBlock must be text/],
    ['words:\n  pinBlock: "a b"', /line 2: words\.pinBlock must be one word/],
    ['words:\n  pinBlock: same\n  cardNumber: same', /line 2: words\.pinBlock means the same as cardNumber/],
    ['words:\n  pinBlock: publicKey', /line 2: words\.pinBlock cannot be publicKey/],
    ['{"words": {"pinBlock": "a"', /answers\.yaml is not valid/],
    ['wrods: {}', /line 1: wrods is not known/],
    ['- a', /there are no answers/],
    ['prefixes: {card: /x}', /line 1: prefixes\.card is not a group of operations\. Did you mean cards\?/],
    ['words: {customerBID: encPin}', /means the same as pinBlock|means the same as customerBID/],
    ['prefixes: {cards: "/a b"}\nwords: {customerBID: x}', /groups\.cards\.prefix/],
  ])('answers that cannot be used: %s', async (text, message) => {
    const {code, stderr} = await home.run(map('core', '--answers', await answers(text)))
    expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringMatching(message)})
    expect(await wordsOf()).toEqual({})
  })

  test('a prefix and a word can be taken back by an answer', async () => {
    await home.json(['profiles', 'edit', 'svc', '--prefix', 'cards=/card', '--word', 'pinBlock=old'])
    const text = `${DECIDED}  pinBlock: pinBlock\nprefixes: {cards: ""}\n`
    const done = await home.json<Mapped>(map('core', '--answers', await answers(text)))
    expect(done.changes).toMatchObject({words: {pinBlock: 'pinBlock'}, prefixes: {cards: ''}})
    const {words, groups} = await home.json<{words: object; groups: object}>(['profiles', 'show', 'svc'])
    expect(words).not.toHaveProperty('pinBlock')
    expect(groups).toEqual({})
  })

  test('the embedded sandbox has no words to set', async () => {
    const file = join(home.folder, 'core.yaml')
    expect(await home.run(['contract', 'map', file, '-p', 'sandbox'])).toMatchObject({code: 2})
    expect(await home.run(['contract', 'map', file, '--dry-run', '-p', 'sandbox'])).toMatchObject({code: 0})
  })
})

describe('on a terminal', () => {
  const DOWN = '\u001b[B'
  const asked = (...typed: readonly (readonly [string, string])[]) => home.run(map(), {columns: 80, typed})

  test('shows the table first, asks for unsure names, and writes nothing without a yes', async () => {
    const no = await asked(['What does the service call customerBID?', ''], ['Continue?', 'n'])
    expect(no).toMatchObject({code: 2, stdout: expect.stringContaining('customerBID')})
    expect(await wordsOf()).toEqual({})
    const yes = await asked(['What does the service call customerBID?', ''], ['Continue?', 'y'])
    expect(yes).toMatchObject({code: 0, stderr: expect.stringContaining('The profile svc has 12 new names.')})
    expect(await wordsOf()).toEqual(NAMES)
  })

  test('a name may be left as it is', async () => {
    await asked(['What does the service call customerBID?', DOWN], ['Continue?', 'y'])
    const {customerBID: _, ...others} = NAMES
    expect(await wordsOf()).toEqual(others)
  })
})

test('commands of the document keep its names', async () => {
  await home.json(map('core', '--answers', await answers(DECIDED)))
  const {stdout} = await home.run(['x', 'cards', '-p', 'svc', '-o', 'json'])
  const token = (JSON.parse(stdout) as {command: string; request: string}[]).find(({request}) =>
    request.includes('/controlToken'),
  )
  const shown = await home.run([...(token?.command ?? '').split(' '), '3001', '-p', 'svc', '-o', 'json'])
  expect(shown.stdout, shown.stderr).toContain('card_data_url')
})
