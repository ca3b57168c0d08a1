// Calls that differ from the contract, through every command that sees them.
import {writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {beforeEach, expect, onTestFinished, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {callOf} from '../webhook/calls.ts'
import {serveProcess} from '../webhook/serve-process.ts'

let home: Home

beforeEach(async () => {
  home = await openHome()
  return () => home.remove()
})

const chip = callOf('chip', 'a')
const bent = {
  'numeric account and card': {...chip, account: {accountId: 2001}, card: {cardId: 3001}},
  'no id': {...chip, metadata: {}},
  'amount as text': {...chip, transactionData: {transactionAmount: {amount: '500,00', currency: 'EUR'}}},
  'no merchant': {...chip, metadata: {id: 'b'}, merchantData: null},
  'a secret of a strange shape': {...chip, metadata: {id: 'c'}, token: ['hunter2-hunter2']},
  nothing: {},
}

/** Serves in a process of its own, sends all of them, and ends it. Gives what was answered and what stderr says. */
async function served(...flags: string[]) {
  const {child, url, stderr} = await serveProcess(home.folder, ['--port', '0', ...flags])
  const ended = new Promise(resolve => child.once('close', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  const codes: unknown[] = []
  for (const body of Object.values(bent)) {
    const response = await fetch(`${url}/auth`, {method: 'POST', body: JSON.stringify(body)})
    const answer = (await response.json()) as {transactionData?: {authResponseCode: {code: string}}}
    codes.push(answer.transactionData?.authResponseCode.code ?? response.status)
  }
  child.kill('SIGTERM')
  await ended
  return {codes, stderr: stderr()}
}

const recording = () => ['--recording', join(home.folder, 'webhook', 'events.db')]

test('they are decided, each difference is reported once, and every command shows them', async () => {
  const rules = join(home.folder, 'rules.yaml')
  writeFileSync(
    rules,
    `fallback: {decline: "96"}
rules:
  - {name: limit, when: {amount: {over: 200, currency: EUR}}, then: {decline: "61"}}
  - {name: cash, when: {mcc: 6011}, then: {decline: "57"}}
`,
  )
  const {codes, stderr} = await served('--rules', rules)
  expect(codes).toEqual(['00', '00', '96', '96', '00', '96'])
  expect(stderr.match(/\(\/account\/accountId\)/g)).toHaveLength(1)
  expect(stderr).toContain('differs from the contract')
  expect(stderr).not.toMatch(/2001|500,00|hunter2/)

  const list = await home.run(['webhook', 'events', 'list', ...recording(), '-o', 'ndjson'])
  const events = list.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as {event: string; id: string})
  expect(events).toHaveLength(6)
  for (const {event} of events) {
    const shown = await home.run(['webhook', 'events', 'show', event, ...recording()])
    expect(shown).toMatchObject({code: 0, stderr: ''})
    expect(shown.stdout).not.toMatch(/undefined|hunter2/)
  }
  const found = await home.run([
    'webhook',
    'events',
    'list',
    '--search',
    'differs',
    ...recording(),
    '-o',
    'ndjson',
  ])
  expect(found.stdout.trim().split('\n')).toHaveLength(6)
  const nameless = events.find(({id}) => id.startsWith('body-'))
  const byName = await home.run([
    'webhook',
    'events',
    'list',
    '--search',
    nameless?.id ?? '',
    ...recording(),
    '-o',
    'ndjson',
  ])
  expect(byName.stdout.trim().split('\n')).toHaveLength(1)

  const file = join(home.folder, 'calls.ndjson')
  const exported = await home.run(['webhook', 'events', 'export', ...recording()])
  expect(exported.stdout).not.toContain('hunter2')
  writeFileSync(file, exported.stdout)
  const checked = await home.run(['webhook', 'rules', 'check', rules, '--against', file, '-o', 'json'])
  const decisions = (JSON.parse(checked.stdout) as {decision?: string}[])
    .map(({decision}) => decision)
    .toReversed()
  expect(decisions).toEqual([undefined, undefined, 'decline 96', 'decline 96', undefined, 'decline 96'])

  const sent: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    sent.push(body)
    response.end('{"transactionData":{"authResponseCode":{"code":"00"}}}')
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const replayed = await home.run(['webhook', 'replay', '--from', file, '--to', url, '-o', 'json'])
  expect(JSON.parse(replayed.stdout)).toMatchObject({summary: {calls: 6, changes: {'approved-instead': 3}}})
  expect(JSON.parse(sent[1] ?? '')).toEqual(bent['no id'])
  expect(JSON.parse(sent[5] ?? '')).toEqual({})
})

test('--strict refuses them all', async () => {
  const {codes} = await served('--strict', '--no-record')
  expect(codes).toEqual([400, 400, 400, 400, 400, 400])
})
