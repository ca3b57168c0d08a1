// The example endpoints get all scenarios, repeats and broken bodies.
import {execFile, spawn, spawnSync} from 'node:child_process'
import {randomUUID} from 'node:crypto'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {appendFile, mkdtemp, readFile, rm} from 'node:fs/promises'
import {connect} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {afterAll, describe, expect, onTestFinished, test} from 'vitest'
import {judgeAnswer, scenarioCall, scenarioNames, signCall} from '../../src/webhook/public/index.ts'
import {openHome} from '../helpers/cli.ts'
import {isWhole, part} from '../helpers/whole.ts'

const run = promisify(execFile)
const FOLDER = fileURLToPath(new URL('../../examples/endpoints/', import.meta.url))

const programs = mkdtempSync(join(tmpdir(), 'cardctl-endpoints-'))
afterAll(() => rmSync(programs, {recursive: true, force: true}))

const isThere = (program: string) =>
  spawnSync(program, [program === 'go' ? 'version' : '--version']).error === undefined

/** Compiles an endpoint once: `go run` and `java` with a source do so at every start. */
function compiled(words: readonly string[], command: readonly string[]): readonly string[] {
  const [program = '', ...rest] = words
  if (!isThere(program)) return words
  const {status, stderr} = spawnSync(program, rest, {cwd: FOLDER, encoding: 'utf8'})
  if (status !== 0) throw new Error(stderr)
  return command
}

/** For processes that live for a few seconds. */
const JVM = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

const binary = join(programs, 'endpoint')
const endpoints = [
  ['TypeScript', [process.execPath, '--disable-warning=ExperimentalWarning', 'endpoint.ts']],
  ['Python', ['python3', 'endpoint.py']],
  ['Go', compiled(['go', 'build', '-o', binary, 'endpoint.go'], [binary])],
  [
    'Java',
    compiled(
      ['javac', ...JVM.map(flag => `-J${flag}`), '-d', programs, 'Endpoint.java'],
      ['java', ...JVM, '-cp', programs, 'Endpoint'],
    ),
  ],
] as const

const SHIPPED = ['smoke', 'money', 'identity', 'hostile']

const authorization = `Basic ${Buffer.from('bank:geheim').toString('base64')}`

const BASIC = {WEBHOOK_USER: 'bank', WEBHOOK_PASSWORD: 'geheim'}

async function start([program, ...words]: readonly string[], file: string, requires: object = BASIC) {
  const env = {PATH: process.env.PATH, HOME: tmpdir(), ...requires}
  const child = spawn(program ?? '', [...words, 'serve', '0', file], {cwd: FOLDER, env})
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const stop = async () => {
    if (child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const url = /http:\S+/.exec(line.toString())?.[0] ?? ''
  const send = async (path: string, body: unknown, headers: Record<string, string> = {authorization}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(url + path, {method: 'POST', body: text, headers})
    return {status: response.status, text: await response.text()}
  }
  const ask = async (call: unknown) => {
    const {status, text} = await send('/auth', call)
    const {outcome, code, part} = await judgeAnswer(call, text)
    return {status, text, outcome, code, part}
  }
  // Not spawnSync: while it waits, the endpoint may close a connection, and the next call would still go to it.
  const probe = async (id: string) => {
    const {stdout} = await run(program ?? '', [...words, 'probe', file, id], {cwd: FOLDER, env})
    return (JSON.parse(stdout) as {amount: number; currency: string}[]).map(
      ({amount, currency}) => `${currency} ${amount}`,
    )
  }
  /** Sends text over a connection of its own and collects what comes back until the endpoint closes it. */
  const raw = (head: string, rest = '') => {
    const {port} = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    let got = ''
    // A reset is an end, too. `once` of node:events would throw it.
    socket.on('error', () => {})
    const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
    socket.on('data', data => {
      got += data
    })
    const basic = head.includes('authorization') ? '' : `authorization: ${authorization}\r\n`
    socket.write(`POST /auth HTTP/1.1\r\nhost: localhost\r\n${basic}${head}\r\n\r\n${rest}`)
    return {socket, closed, got: () => got}
  }
  return {url, send, ask, probe, stop, raw}
}

describe.each(isWhole ? endpoints : endpoints.slice(0, 1))('the endpoint in %s', (_, command) => {
  const given = test.skipIf(!isThere(command[0] ?? ''))

  async function opened() {
    const folder = await mkdtemp(join(tmpdir(), 'cardctl-endpoint-'))
    const file = join(folder, 'holds.db')
    const first = await start(command, file)
    onTestFinished(async () => {
      await first.stop()
      await rm(folder, {recursive: true, force: true})
    })
    return {...first, file}
  }
  /** One for all tests that need no restart: each has cards of its own. */
  let one: ReturnType<typeof start> | undefined
  const folder = mkdtempSync(join(tmpdir(), 'cardctl-endpoint-'))
  const shared = () => {
    one ??= start(command, join(folder, 'holds.db'))
    return one
  }
  afterAll(async () => {
    await (await one)?.stop()
    rmSync(folder, {recursive: true, force: true})
  })
  const cardId = () => String(Math.floor(Math.random() * 1e9))

  given('passes the shipped suites', async () => {
    const {url} = await shared()
    const home = await openHome()
    onTestFinished(() => home.remove())
    const env = {CREDENTIALS: 'bank:geheim'}
    for (const suite of SHIPPED) {
      const argv = ['webhook', 'test', suite, '--to', url, '--auth', 'basic:env:CREDENTIALS']
      const {code, stdout} = await home.run(argv, {env})
      expect(stdout).not.toContain('✗')
      expect(code, suite).toBe(0)
    }
  })

  given('answers each scenario validly, and the same call in parallel with one hold', async () => {
    const {ask, probe, send} = await shared()
    expect((await send('/warm-up', {type: 'WARM_UP', timestamp: ''})).status).toBe(200)
    for (const name of scenarioNames) {
      const call = scenarioCall(name, {card: {cardId: cardId()}})
      const answers = await Promise.all([ask(call), ask(call), ask(call)])
      expect(answers[0].outcome, name).toBe('approved')
      expect(new Set(answers.map(({text}) => text)).size, name).toBe(1)
    }
    const coffee = scenarioCall('contactless', {card: {cardId: cardId()}})
    await Promise.all(Array.from({length: 20}, () => ask(coffee)))
    expect(await probe(coffee.metadata.id)).toEqual(['EUR 4.2'])
  })

  given('repeats its answer after a restart, and refuses another call with the id', async () => {
    const {ask, probe, stop, file} = await opened()
    const card = {cardId: cardId()}
    const call = scenarioCall('chip', {card, amount: '4000', currency: 'EUR'})
    const refused = scenarioCall('chip', {card, amount: '4000', currency: 'EUR'})
    const before = await ask(call)
    expect([before.code, (await ask(refused)).code]).toEqual(['00', '51'])
    await stop()
    const again = await start(command, file)
    onTestFinished(() => again.stop())
    const later = {...call, metadata: {...call.metadata, traceId: randomUUID()}}
    expect((await again.ask(later)).text).toBe(before.text)
    expect((await again.ask(refused)).code).toBe('51')
    expect((await again.ask({...call, card: {...call.card, cardId: '1'}})).status).toBe(409)
    expect(await probe(call.metadata.id)).toEqual(['EUR 4000'])
  })

  given.each([
    ['EUR', '4999.99', 0.01],
    ['JPY', '4999', 1],
    ['KWD', '4999.999', 0.001],
  ])('approves the part of %s that is left, exactly', async (currency, amount, left) => {
    const {ask} = await shared()
    const card = {cardId: cardId()}
    expect((await ask(scenarioCall('chip', {card, amount, currency}))).code).toBe('00')
    const fuel = scenarioCall('fuel', {card, amount: '100', currency})
    expect(await ask(fuel)).toMatchObject({code: '10', part: {amount: left, currency}})
    expect((await ask(scenarioCall('chip', {card, amount: '100', currency}))).code).toBe('51')
  })

  given('raises, lowers and releases a hold, and never releases more', async () => {
    const {ask, probe} = await shared()
    const card = {cardId: cardId()}
    const hold = scenarioCall('hotel', {card, amount: '100', currency: 'EUR'})
    const {id, transactionId = ''} = hold.metadata
    const settings = {card, currency: 'EUR', transactionId: transactionId ?? ''}
    await ask(hold)
    await ask(scenarioCall('hotel-increment', {...settings, amount: '50'}))
    expect(await probe(id)).toEqual(['EUR 150'])
    await ask(scenarioCall('partial-reversal', {...settings, amount: '150'}))
    expect(await probe(id)).toEqual(['EUR 90'])
    for (const amount of ['150', '150']) {
      expect((await ask(scenarioCall('reversal', {...settings, amount}))).code).toBe('00')
    }
    expect(await probe(id)).toEqual([])
    const unknown = scenarioCall('reversal', {
      card,
      amount: '5',
      currency: 'EUR',
      transactionId: 'nobody-knows',
    })
    expect((await ask(unknown)).code).toBe('00')
  })

  given('refuses broken and huge bodies and wrong credentials', async () => {
    const {send} = await shared()
    const amount = {
      ...scenarioCall('chip'),
      transactionData: {transactionType: 'RETAIL', transactionAmount: {amount: 1.5, currency: 'JPY'}},
    }
    const deep = JSON.stringify(scenarioCall('chip')).replace('{', `{"a":${'['.repeat(30_000)},`)
    for (const body of ['', '{', '[]', 'null', '{}', '{"metadata":{"id":1}}', deep, amount]) {
      expect((await send('/auth', body)).status, JSON.stringify(body)).toBe(400)
    }
    expect((await send('/auth', scenarioCall('chip'), {})).status).toBe(401)
    expect((await send('/auth', scenarioCall('chip'), {authorization: 'Basic eA=='})).status).toBe(401)
    expect((await send('/elsewhere', {})).status).toBe(404)
    expect((await send('/auth', ' '.repeat(70_000))).status).toBe(413)
    expect((await send('/auth', scenarioCall('chip'))).status).toBe(200)
  })

  given('takes only calls that are signed, by the bytes that came', async () => {
    const own = await mkdtemp(join(tmpdir(), 'cardctl-endpoint-'))
    const {url, send, stop} = await start(command, join(own, 'holds.db'), {WEBHOOK_KEY: 'the key'})
    const home = await openHome()
    onTestFinished(async () => {
      await stop()
      await home.remove()
      await rm(own, {recursive: true, force: true})
    })
    const trigger = (key: string) =>
      home.run(['webhook', 'trigger', 'auth', '--to', url, '--auth', 'hmac:env:KEY'], {env: {KEY: key}})
    expect(await trigger('the key')).toMatchObject({code: 0})
    expect((await trigger('another key')).stderr).toContain('401')

    const body = JSON.stringify(scenarioCall('chip', {card: {cardId: cardId()}}))
    const signed = (ago = 0, keys = 'the key') => signCall(body, {keys, now: Date.now() - ago * 1000})
    const status = async (headers: Readonly<Record<string, string>>, text = body, path = '/auth') =>
      (await send(path, text, {...headers})).status
    const now = signed()
    const first = await send('/auth', body, {...now})
    expect(first.status).toBe(200)
    // Sent again it is the same call, with the same answer.
    expect(await send('/auth', body, {...now})).toEqual(first)
    expect(await status(signed(200))).toBe(200)
    const both = {...now, 'x-signature': `${'0'.repeat(64)}, ${now['x-signature']}`}
    expect(await status(both)).toBe(200)
    const wrong: readonly Readonly<Record<string, string>>[] = [
      {},
      signed(0, 'another key'),
      signed(400),
      signed(-400),
      {...now, 'x-signature-timestamp': String(Math.floor(Date.now() / 1000) + 1)},
      {...now, 'x-signature-timestamp': 'yesterday'},
      {...now, 'x-signature': ''},
      {...now, 'x-signature': String(now['x-signature']).slice(0, 62)},
    ]
    for (const headers of wrong) {
      expect(await status(headers), JSON.stringify(headers)).toBe(401)
      expect(await status(headers, '{}', '/warm-up')).toBe(401)
    }
    for (const text of [
      `${body} `,
      JSON.stringify(JSON.parse(body), null, 1),
      body.replace('{', '{"a":1,'),
      '{',
    ])
      expect(await status(now, text), text.slice(0, 20)).toBe(401)
  })

  given('takes amounts only as numbers with the decimals of their currency', async () => {
    const {send} = await shared()
    const statusOf = async (amount: string, currency = 'EUR') => {
      const {transactionData, ...rest} = scenarioCall('chip', {card: {cardId: cardId()}})
      const transactionAmount = {amount: 'HERE', currency}
      const call = JSON.stringify({...rest, transactionData: {...transactionData, transactionAmount}})
      return (await send('/auth', call.replace('"HERE"', amount))).status
    }
    for (const amount of ['12.50', '1.25e1', '0', '0.07', '1.1'])
      expect(await statusOf(amount), amount).toBe(200)
    for (const amount of ['"5"', 'true', '-1', '1e400', '1e30', '1e999999999', '0.001', '1e-9', '[]', 'NaN'])
      expect(await statusOf(amount), amount).toBe(400)
    expect([await statusOf('1.5', 'JPY'), await statusOf('1.0', 'JPY')]).toEqual([400, 200])
    expect([await statusOf('1.2345', 'KWD'), await statusOf('1.234', 'KWD')]).toEqual([400, 200])
  })

  given('keeps the holds of a transaction apart by currency and card', async () => {
    const {ask, probe} = await shared()
    const [card, other] = [{cardId: cardId()}, {cardId: cardId()}]
    const hold = scenarioCall('hotel', {card, amount: '100', currency: 'EUR'})
    const transactionId = hold.metadata.transactionId ?? ''
    await ask(hold)
    await ask(scenarioCall('hotel-increment', {card, transactionId, amount: '50', currency: 'USD'}))
    await ask(scenarioCall('reversal', {card, transactionId, amount: '100', currency: 'JPY'}))
    await ask(scenarioCall('reversal', {card: other, transactionId, amount: '100', currency: 'EUR'}))
    expect((await probe(hold.metadata.id)).sort()).toEqual(['EUR 100', 'USD 50'])
    expect((await ask(scenarioCall('chip', {card, amount: '4900', currency: 'EUR'}))).code).toBe('00')
    expect((await ask(scenarioCall('chip', {card, amount: '0.01', currency: 'EUR'}))).code).toBe('51')
  })

  given('knows a call again whose JSON is written differently', async () => {
    const {send} = await shared()
    const call = scenarioCall('chip', {card: {cardId: cardId()}, amount: '12.5', currency: 'EUR'})
    const text = JSON.stringify({...call, merchantData: {...call.merchantData, name: 'Kahvila Äiti ☕ 𝄞'}})
    const first = await send('/auth', text)
    const {metadata, ...rest} = JSON.parse(text)
    const spaced = JSON.stringify({...rest, somethingNull: null, metadata}, null, 2)
    const again = await send('/auth', spaced.replaceAll('12.5', '12.50').replace('Ä', '\\u00c4'))
    expect([first.status, again]).toEqual([200, first])
  })

  given('reads a body in chunks', async () => {
    const {raw, probe} = await shared()
    const call = scenarioCall('contactless', {card: {cardId: cardId()}, amount: '4.20', currency: 'EUR'})
    const bytes = Buffer.from(JSON.stringify(call)).toString('latin1')
    const chunk = (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`
    const body = `${chunk(bytes.slice(0, 100))}${chunk(bytes.slice(100))}0\r\n\r\n`
    const {socket, closed, got} = raw('transfer-encoding: chunked\r\nconnection: close', body)
    await closed
    socket.destroy()
    expect(got()).toMatch(/^HTTP\/1.1 200 /)
    expect(await probe(call.metadata.id)).toEqual(['EUR 4.2'])
  })

  given('refuses wrong credentials before the body is there', async () => {
    const {raw} = await shared()
    const {socket, got} = raw('authorization: Basic eA==\r\ncontent-length: 500')
    await once(socket, 'data')
    socket.destroy()
    expect(got()).toMatch(/^HTTP\/1.1 401 /)
  })

  given('ends a call whose body does not come, and goes on after a caller that left', async () => {
    const {raw, send} = await shared()
    const slow = raw('content-length: 500', '{')
    const drops = setInterval(() => slow.socket.write(' '), 50) // never silent for long
    onTestFinished(() => clearInterval(drops))
    const gone = raw('content-length: 500', '{')
    gone.socket.end()
    await Promise.all([slow.closed, gone.closed])
    expect(slow.got()).not.toMatch(/^HTTP\/1.1 200 /)
    expect((await send('/auth', scenarioCall('chip'))).status).toBe(200)
  })
})

describe.each(part(endpoints.slice(2), 2))('the file of the endpoint in %s', (_, command) => {
  test.skipIf(!isThere(command[0] ?? ''))('may end in half a line, and has one process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cardctl-endpoint-'))
    onTestFinished(() => rm(folder, {recursive: true, force: true}))
    const file = join(folder, 'holds.log')
    const first = await start(command, file)
    onTestFinished(first.stop)
    const call = scenarioCall('chip', {amount: '5', currency: 'EUR'})
    const {text} = await first.ask(call)
    const [program = '', ...words] = command
    const second = spawnSync(program, [...words, 'serve', '0', file], {
      cwd: FOLDER,
      encoding: 'utf8',
      timeout: 30_000,
    })
    expect([second.status, second.stdout]).toEqual([1, ''])
    await first.stop()
    await appendFile(file, '{"id":"torn')
    const again = await start(command, file)
    onTestFinished(again.stop)
    expect((await again.ask(call)).text).toBe(text)
    const next = scenarioCall('chip', {amount: '6', currency: 'EUR'})
    await again.ask(next)
    expect([await again.probe(call.metadata.id), await again.probe(next.metadata.id)]).toEqual([
      ['EUR 5'],
      ['EUR 6'],
    ])
  })
})

test('the page names the functions of these endpoints that check a signature', async () => {
  const page = await readFile('docs/webhooks.md', 'utf8')
  const files = {
    'endpoint.ts': 'signatureIsRight',
    'endpoint.go': 'signatureIsRight',
    'Endpoint.java': 'signatureIsRight',
  }
  for (const [file, name] of Object.entries({...files, 'endpoint.py': 'signature_is_right'})) {
    expect(page).toContain(`\`${file}\``)
    expect(page).toContain(`\`${name}\``)
    expect(await readFile(join(FOLDER, file), 'utf8')).toContain(`${name}(`)
  }
})
