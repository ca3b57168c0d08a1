import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {exitOf} from '../../src/errors/registry.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {faultyEndpoint} from '../webhook/suite/endpoints.ts'

let home: Home
let folder: string
beforeAll(async () => {
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'cardctl-suite-'))
})
afterAll(async () => {
  await home.remove()
  await rm(folder, {recursive: true})
})

const suiteFile = async (text: string, name = 'mine.yaml'): Promise<string> => {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}
const run = (...argv: string[]) => home.run(['webhook', 'test', ...argv])

const TWO =
  'name: mine\nsteps:\n  - {name: good, send: atm}\n  - {name: bad, send: fuel, expect: {decision: declined, code: "51", why: No money}}\n'

describe('the exit code', () => {
  test('0 if every expectation is met', async () => {
    const {url} = await faultyEndpoint()
    const {code, stdout, stderr} = await run('smoke', '--to', url)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/✓ the same call again +approved +\d+ ms/)
    expect(stdout).toMatch(/10 steps: 10 passed {2}10 calls in/)
  })

  test('11 if one is not, with what was expected and what came', async () => {
    const {url} = await faultyEndpoint()
    const {code, stdout, stderr} = await run(await suiteFile(TWO), '--to', url)
    expect(code).toBe(11)
    expect(stdout).toMatch(/✗ bad +failed {2}partial 80 EUR/)
    expect(stdout).toContain(
      '    expected  declined, code 51\n    got       partial 80 EUR, code 10\n    No money',
    )
    expect(stdout).toMatch(/2 steps: 1 passed, 1 failed/)
    expect(stderr).toContain('Error EXPECTATION_FAILED: 1 step of 2 failed.')
  })

  test('16 if no step could be checked, with the reason of each', async () => {
    const {url} = await faultyEndpoint()
    const {code, stdout, stderr} = await run('hostile', '--to', url, '--only', 'no credential')
    expect(code).toBe(exitOf('NOTHING_CHECKED'))
    expect(stdout).toContain('skipped: its calls need credentials: pass --auth')
    expect(stderr).toContain('Error NOTHING_CHECKED: Nothing was checked: of 1 step, none could be.')
  })

  test('9 if nobody answers the first call', async () => {
    const {code, stderr} = await run('smoke', '--to', 'http://127.0.0.1:1')
    expect(code).toBe(9)
    expect(stderr).toContain(
      "Couldn't send a call to http://127.0.0.1:1: the endpoint can't be reached (ECONNREFUSED).",
    )
  })

  test('2 for a suite with errors, by line and column', async () => {
    const file = await suiteFile('steps:\n  - send: atn\n  - send: atm\n    expect: aproved\n')
    const {code, stderr} = await run(file, '--to', 'http://127.0.0.1:1')
    expect(code).toBe(2)
    expect(stderr).toContain(`${file}:2:11: there is no such scenario; did you mean atm?`)
    expect(stderr).toContain(`${file}:4:13: this is not a decision; did you mean approved?`)
  })

  test.each([
    [['smok', '--to', 'http://127.0.0.1:1'], 'Did you mean the suite smoke?'],
    [['smoke'], '--to'],
    [
      ['smoke', '--to', 'http://127.0.0.1:1', '--only', 'cofee'],
      'No step of smoke has this name. Did you mean coffee?',
    ],
    [['smoke', '--to', 'http://127.0.0.1:1', '--report', 'junitt=x'], 'Did you mean junit=FILE?'],
    [['smoke', '--to', 'http://127.0.0.1:1', '--report', 'junit'], '--report takes junit=FILE'],
    [['smoke', '--to', 'http://192.0.2.1'], '--confirm 192.0.2.1'],
    [['load', '--to', 'https://192.0.2.1'], '--confirm 192.0.2.1'],
  ])('2 for %j', async (argv, message) => {
    const {code, stdout, stderr} = await run(...argv)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
  })

  test('3 for a report that cannot be written, before anything is sent', async () => {
    const {url, calls} = await faultyEndpoint()
    const {code} = await run('smoke', '--to', url, '--report', `junit=${folder}/none/x.xml`)
    expect(code).toBe(3)
    expect(calls).toEqual([])
  })
})

describe('the output', () => {
  test('an object for each step with ndjson, and one report with json', async () => {
    const {url} = await faultyEndpoint()
    const file = await suiteFile(TWO)
    const lines = (await run(file, '--to', url, '-o', 'ndjson')).stdout.trimEnd().split('\n')
    const events = lines.map(line => JSON.parse(line) as {type: string})
    expect(events.map(({type}) => type)).toEqual(['suite', 'step', 'step', 'summary'])
    const {stdout, code} = await run(file, '--to', url, '-o', 'json')
    expect(code).toBe(11)
    expect(JSON.parse(stdout)).toMatchObject({
      suite: 'mine',
      url,
      summary: {steps: 2, passed: 1, failed: 1, calls: 2},
      steps: [
        {name: 'good', state: 'passed', line: 3, checks: [{what: 'decision', basis: 'known', passed: true}]},
        {
          name: 'bad',
          checks: [
            {what: 'decision', expected: 'declined', got: 'partial 80 EUR', passed: false, why: 'No money'},
            {what: 'code', expected: 'code 51', got: 'code 10', passed: false},
          ],
          calls: [{outcome: 'partial', request: {metadata: {}}, reply: {transactionData: {}}}],
        },
      ],
    })
  })

  test('only some steps, with those that they need', async () => {
    const {url} = await faultyEndpoint()
    const {stdout} = await run('smoke', '--to', url, '--only', '*revers*', '-o', 'json')
    expect((JSON.parse(stdout) as {steps: {name: string}[]}).steps.map(({name}) => name)).toEqual([
      'coffee',
      'the coffee is reversed',
    ])
  })

  test('nothing after the first failure with --bail', async () => {
    const {url, calls} = await faultyEndpoint({decide: () => ({code: '51'})})
    const file = await suiteFile('steps: [{send: atm, expect: approved}, {name: later, send: atm}]')
    const {stdout} = await run(file, '--to', url, '--bail')
    expect(stdout).toMatch(/– later +skipped/)
    expect(calls.length).toBe(1)
  })

  test('the shipped suites, the steps of one, and its text', async () => {
    const list = await home.json<{name: string; steps: number}[]>(['webhook', 'test', '--list'])
    expect(list.map(({name}) => name)).toEqual(['smoke', 'money', 'identity', 'hostile', 'load'])
    for (const {name, steps} of list) {
      expect((await home.json<unknown[]>(['webhook', 'test', name, '--list'])).length).toBe(steps)
      const {stdout} = await run(name, '--show')
      const copy = await suiteFile(stdout, `${name}-copy.yaml`)
      expect((await home.json<unknown[]>(['webhook', 'test', copy, '--list'])).length).toBe(steps)
    }
  })

  test('annotations in GitHub Actions and on request', async () => {
    const {url} = await faultyEndpoint()
    const file = await suiteFile(TWO)
    const asked = await run(file, '--to', url, '--report', 'github')
    const inActions = await home.run(['webhook', 'test', file, '--to', url], {env: {GITHUB_ACTIONS: 'true'}})
    for (const {stderr} of [asked, inActions]) {
      expect(stderr).toContain(`::error file=${file},line=4,col=5,title=bad::expected code 51, got code 10\n`)
    }
    expect((await run(file, '--to', url)).stderr).not.toContain('::error')
  })

  test('reports for programs and for people', async () => {
    const {url} = await faultyEndpoint()
    const [junit, tap, html] = ['a.xml', 'a.tap', 'a.html'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await run(
      await suiteFile(TWO),
      '--to',
      url,
      '--report',
      `junit=${junit}`,
      '--report',
      `tap=${tap}`,
      '--report',
      `html=${html}`,
    )
    expect(await readFile(junit, 'utf8')).toContain(
      '<failure type="code" message="expected code 51, got code 10">',
    )
    expect(await readFile(tap, 'utf8')).toMatch(
      /^TAP version 14\n[\s\S]*1\.\.2\nok 1 - good\n[\s\S]*not ok 2 - bad\n/,
    )
    expect(await readFile(html, 'utf8')).toContain('<h3>bad</h3>')
  })
})

describe('recorded calls', () => {
  const call = (id: string, at: number, scenario: string, outcome: string, code: string) => ({
    event: {
      type: 'auth',
      event: `e_${at}`,
      at,
      durationMs: 1,
      id,
      kind: 'payment',
      merchant: scenario,
      outcome,
      code,
      by: 'x',
      repeated: false,
      deadlineMs: 2000,
    },
    request: {
      method: 'POST',
      path: '/auth',
      body: {metadata: {id}, transactionData: {transactionAmount: {amount: 1, currency: 'EUR'}}},
    },
    steps: [],
  })

  test('are a suite that expects the recorded decisions, oldest first', async () => {
    const {url, calls} = await faultyEndpoint()
    const lines = [call('b', 2, 'Casino', 'declined', '57'), call('a', 1, 'Coffee', 'approved', '00')]
    const file = await suiteFile(lines.map(line => JSON.stringify(line)).join('\n'), 'calls.ndjson')
    const {code, stdout} = await run(file, '--to', url)
    expect(code).toBe(11)
    expect(stdout).toMatch(
      /✓ Coffee a[\s\S]*✗ Casino b[\s\S]*expected {2}declined, code 57\n {4}got {7}approved, code 00/,
    )
    expect(calls.length).toBe(2)
    expect(JSON.stringify(calls)).not.toContain('"id":"a"')
  })

  test('become a suite to change', async () => {
    const file = await suiteFile(JSON.stringify(call('a', 1, 'Coffee', 'declined', '51')), 'one.ndjson')
    const {stdout} = await run(file, '--show')
    expect(stdout).toMatch(/^name: one\nsteps:\n {2}- name: Coffee a\n/)
    expect(stdout).toContain('decision: declined')
    const {url} = await faultyEndpoint({decide: () => ({code: '51'})})
    expect((await run(await suiteFile(stdout, 'one.yaml'), '--to', url)).code).toBe(0)
  })
})
