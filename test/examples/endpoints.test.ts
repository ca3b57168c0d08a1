// The example endpoints, started as their first lines say, get all scenarios, repeats and broken bodies.
import {spawn, spawnSync} from 'node:child_process'
import {randomUUID} from 'node:crypto'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect, onTestFinished, test} from 'vitest'
import {judgeAnswer, scenarioCall, scenarioNames} from '../../src/webhook/public/index.ts'

const FOLDER = fileURLToPath(new URL('../../examples/endpoints/', import.meta.url))

const endpoints = [
  ['TypeScript', [process.execPath, '--disable-warning=ExperimentalWarning', 'endpoint.ts']],
  ['Python', ['python3', 'endpoint.py']],
] as const

const isThere = (program: string) =>
  spawnSync(program, [program === 'go' ? 'version' : '--version']).error === undefined

const authorization = `Basic ${Buffer.from('bank:geheim').toString('base64')}`

async function start([program, ...words]: readonly string[], file: string) {
  const env = {PATH: process.env.PATH, WEBHOOK_USER: 'bank', WEBHOOK_PASSWORD: 'geheim', HOME: tmpdir()}
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
  const probe = (id: string) => {
    const {stdout} = spawnSync(program ?? '', [...words, 'probe', file, id], {
      cwd: FOLDER,
      env,
      encoding: 'utf8',
    })
    return (JSON.parse(stdout) as {amount: number; currency: string}[]).map(
      ({amount, currency}) => `${currency} ${amount}`,
    )
  }
  return {send, ask, probe, stop}
}

describe.each(endpoints)('the endpoint in %s', (_, command) => {
  const given = test.skipIf(!isThere(command[0]))

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
  const cardId = () => String(Math.floor(Math.random() * 1e9))

  given('answers each scenario validly, and the same call in parallel with one hold', async () => {
    const {ask, probe, send} = await opened()
    expect((await send('/warm-up', {type: 'WARM_UP', timestamp: ''})).status).toBe(200)
    for (const name of scenarioNames) {
      const call = scenarioCall(name, {card: {cardId: cardId()}})
      const answers = await Promise.all([ask(call), ask(call), ask(call)])
      expect(answers[0].outcome, name).toBe('approved')
      expect(new Set(answers.map(({text}) => text)).size, name).toBe(1)
    }
    const coffee = scenarioCall('contactless', {card: {cardId: cardId()}})
    await Promise.all(Array.from({length: 20}, () => ask(coffee)))
    expect(probe(coffee.metadata.id)).toEqual(['EUR 4.2'])
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
    expect(probe(call.metadata.id)).toEqual(['EUR 4000'])
  })

  given.each([
    ['EUR', '4999.99', 0.01],
    ['JPY', '4999', 1],
    ['KWD', '4999.999', 0.001],
  ])('approves the part of %s that is left, exactly', async (currency, amount, left) => {
    const {ask} = await opened()
    const card = {cardId: cardId()}
    expect((await ask(scenarioCall('chip', {card, amount, currency}))).code).toBe('00')
    const fuel = scenarioCall('fuel', {card, amount: '100', currency})
    expect(await ask(fuel)).toMatchObject({code: '10', part: {amount: left, currency}})
    expect((await ask(scenarioCall('chip', {card, amount: '100', currency}))).code).toBe('51')
  })

  given('raises, lowers and releases a hold, and never releases more', async () => {
    const {ask, probe} = await opened()
    const card = {cardId: cardId()}
    const hold = scenarioCall('hotel', {card, amount: '100', currency: 'EUR'})
    const {id, transactionId = ''} = hold.metadata
    const settings = {card, currency: 'EUR', transactionId: transactionId ?? ''}
    await ask(hold)
    await ask(scenarioCall('hotel-increment', {...settings, amount: '50'}))
    expect(probe(id)).toEqual(['EUR 150'])
    await ask(scenarioCall('partial-reversal', {...settings, amount: '150'}))
    expect(probe(id)).toEqual(['EUR 90'])
    for (const amount of ['150', '150']) {
      expect((await ask(scenarioCall('reversal', {...settings, amount}))).code).toBe('00')
    }
    expect(probe(id)).toEqual([])
    const unknown = scenarioCall('reversal', {
      card,
      amount: '5',
      currency: 'EUR',
      transactionId: 'nobody-knows',
    })
    expect((await ask(unknown)).code).toBe('00')
  })

  given('refuses broken and huge bodies and wrong credentials', async () => {
    const {send} = await opened()
    const amount = {
      ...scenarioCall('chip'),
      transactionData: {transactionType: 'RETAIL', transactionAmount: {amount: 1.5, currency: 'JPY'}},
    }
    for (const body of ['', '{', '[]', 'null', '{}', '{"metadata":{"id":1}}', amount]) {
      expect((await send('/auth', body)).status, JSON.stringify(body)).toBe(400)
    }
    expect((await send('/auth', scenarioCall('chip'), {})).status).toBe(401)
    expect((await send('/auth', scenarioCall('chip'), {authorization: 'Basic eA=='})).status).toBe(401)
    expect((await send('/elsewhere', {})).status).toBe(404)
    const huge = await send('/auth', ' '.repeat(70_000)).catch(() => ({status: 413}))
    expect(huge.status).toBe(413)
  })
})
