import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {scenarios} from '../../src/contract/scenarios.ts'
import {type Home, openHome, type RunResult} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'
import {callOf} from '../webhook/calls.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const RULES = `rules:
  - name: big ATM
    when: {mcc: 6011, amount: {over: 50, currency: EUR}}
    then: {decline: "61", delay: 300ms}
  - name: twice an hour
    when: {type: RETAIL, velocity: {over: 2, within: 1h}}
    then: {decline: "65"}
`

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(home.folder, name)
  await writeFile(path, text)
  return path
}

test('a valid file shows the decision for each scenario', async () => {
  const file = await fileOf('rules.yaml', RULES)
  const rows = await home.json<{scenario: string}[]>(['webhook', 'rules', 'check', file])
  expect(rows.map(({scenario}) => scenario)).toEqual(Object.keys(scenarios))
  expect(rows.find(({scenario}) => scenario === 'atm')).toMatchObject({
    rule: 'big ATM',
    decision: 'decline 61',
    delay: {min: 300, max: 300},
  })
  // Each is the first of its card, so that nothing is too often.
  expect(rows.filter(row => 'rule' in row)).toHaveLength(1)
  const {stdout} = await home.run(['webhook', 'rules', 'check', file])
  expect(stdout).toMatch(/^ atm +decline 61 +big ATM +300 ms$/m)
  expect(stdout).toMatch(/^ chip +left to the next +none$/m)
})

test('a bad file exits 2 with everything that is wrong, by file, line and column', async () => {
  const file = await fileOf('bad.yaml', 'rules:\n  - when: {amout: 3}\n    then: {status: 20}\n')
  const {code, stderr} = await home.run(['webhook', 'rules', 'check', file])
  expect(code).toBe(2)
  expect(stderr).toContain(`${file}:2:12: amout is not a field of rules[0].when; did you mean amount?`)
  expect(stderr).toContain(`${file}:3:20: rules[0].then.status must be 200 or more`)
  const json = await home.run(['webhook', 'rules', 'check', file, '--json'])
  expect(JSON.parse(json.stderr)).toMatchObject({
    error: {
      code: 'INPUT_INVALID',
      data: {
        violations: [
          {line: 2, column: 12},
          {line: 3, column: 20},
        ],
      },
    },
  })
})

test('the schema is where it says', async () => {
  const {stdout} = await home.run(['webhook', 'rules', 'check', '--schema'])
  const {default: schema} = await import(stdout.trim(), {with: {type: 'json'}})
  expect(schema).toMatchObject({title: 'a rule file'})
})

test('without a file, and with an invalid one', async () => {
  expect((await home.run(['webhook', 'rules', 'check'])).code).toBe(2)
  const file = await fileOf('good.yaml', 'rules: []')
  for (const against of ['nowhere.ndjson', await fileOf('else.ndjson', '{"a": 1}\n')]) {
    const {code, stderr} = await home.run(['webhook', 'rules', 'check', file, '--against', against])
    expect(code).toBe(2)
    expect(stderr).toContain(against)
  }
})

/** Runs a server until `work` is done with it, and gives what it said. */
async function served(
  flags: readonly string[],
  work: (url: string) => Promise<void>,
  tries = 5,
): Promise<RunResult> {
  const port = await freePort()
  const stop = new AbortController()
  const argv = ['webhook', 'serve', '--port', String(port), '-o', 'ndjson', ...flags]
  let hasEnded = false
  const running = home.run(argv, {signal: stop.signal}).finally(() => {
    hasEnded = true
  })
  try {
    await expect.poll(async () => hasEnded || (await isUp(port))).toBe(true)
    if (!hasEnded) await work(`http://127.0.0.1:${port}`)
  } finally {
    stop.abort('SIGINT')
  }
  const result = await running
  // Another process took the port in the meantime.
  return result.code === 3 && tries > 1 ? served(flags, work, tries - 1) : result
}

const isUp = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )

const post = async (url: string, body: unknown) => {
  const answer = await fetch(`${url}/auth`, {method: 'POST', body: JSON.stringify(body)})
  return ((await answer.json()) as {transactionData: {authResponseCode: {code: string}}}).transactionData
    .authResponseCode.code
}

test('recorded and exported calls can be checked with other rules', async () => {
  const rules = await fileOf('none.yaml', 'rules: []')
  const {stdout} = await served(['--rules', rules], async url => {
    for (const [at, name] of ['chip', 'atm', 'contactless', 'chip', 'fuel'].entries()) {
      expect(await post(url, callOf(name, `call-${at}`))).toBe('00')
    }
    // The same call once more got the same answer: there is nothing to decide about it.
    await post(url, callOf('chip', 'call-0'))
  })
  expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({type: 'ready', decides: [rules, 'approve']})
  const file = await fileOf('rules.yaml', RULES)
  const check = (against: string) =>
    home.json<{decision?: string; was: string; merchant: string}[]>([
      'webhook',
      'rules',
      'check',
      file,
      '--against',
      against,
    ])
  const rows = await check('recording')
  expect(rows.map(({was, decision}) => [was, decision])).toEqual([
    ['approve', 'decline 65'],
    ['approve', 'decline 65'],
    ['approve', undefined],
    ['approve', 'decline 61'],
    ['approve', undefined],
  ])
  const {stdout: exported} = await home.run(['webhook', 'events', 'export'])
  expect(await check(await fileOf('calls.ndjson', exported))).toEqual(rows)
  expect(await check(join(home.folder, '.local', 'share', 'cardctl', 'webhook', 'events.db'))).toEqual(rows)
})

test('rules, then a command: both are reported, with reloads between the calls', async () => {
  // In two, for a card number as a whole is refused on the command line.
  const rules = await fileOf('served.yaml', 'rules: [{when: {type: ATM}, then: {decline: 61}}]')
  const {stdout, stderr} = await served(
    ['--rules', rules, '--exec', 'echo "asked 41111111""11111111" >&2; echo decline 57'],
    async url => {
      expect(await post(url, callOf('atm', 'a'))).toBe('61')
      expect(await post(url, callOf('chip', 'b'))).toBe('57')
      await writeFile(rules, 'rules: [{then: {decline: 62}}]')
      await expect.poll(async () => post(url, callOf('chip', `c${Math.random()}`))).toBe('62')
    },
  )
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines[0]).toMatchObject({type: 'ready', decides: [rules, 'the command']})
  expect(lines.filter(({type}) => type === 'rules')).toMatchObject([
    {ok: true, message: `1 rule from ${rules}`},
  ])
  expect(lines.filter(({type}) => type === 'auth').slice(0, 2)).toMatchObject([{by: 'rule 1'}, {by: 'exec'}])
  expect(stderr).toMatch(/exec, e_\w+: asked 411111••••••1111/)
  // The counts of the file that was saved last.
  expect(lines.at(-1)).toMatchObject({type: 'rules-used', rules: [{name: 'rule 1', hits: 1}]})
})

test('without a terminal people are asked on the page', async () => {
  const {stdout} = await served(['--ask', '--inspect', '--deadline', '300ms', '--no-record'], async url => {
    const answer = await fetch(`${url}/auth`, {method: 'POST', body: JSON.stringify(callOf('chip', 'd'))})
    expect(answer.status).toBe(503)
  })
  expect(stdout.split('\n')[0]).toContain('"decides":["you"]')
  expect(stdout).toContain('"type":"late"')
})

test('a part of another amount is another decision', async () => {
  const rules = await fileOf('part.yaml', 'rules: [{then: {partial: 30 EUR}}]')
  const own = join(home.folder, 'part.db')
  await served(['--rules', rules, '--recording', own], async url => {
    expect(await post(url, callOf('fuel', 'part'))).toBe('10')
  })
  const less = await fileOf('less.yaml', 'rules: [{then: {partial: 20 EUR}}]')
  expect(await home.json(['webhook', 'rules', 'check', less, '--against', own])).toMatchObject([
    {was: 'partial 30 EUR', decision: 'partial 20 EUR'},
  ])
})
