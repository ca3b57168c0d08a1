// What docs/output.md promises of --watch, and of CARDCTL_ACCESSIBLE and CARDCTL_ASCII.
import {describe, expect, test} from 'vitest'
import type {Home, RunOptions} from '../helpers/cli.ts'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

/** Watches, does `between` in the pauses, and ends it by Ctrl-C. */
async function watch(
  home: Home,
  argv: readonly string[],
  between: readonly (() => unknown)[],
  options: RunOptions = {},
) {
  const stop = new AbortController()
  const rest = [...between]
  const pauses: number[] = []
  const sleep = async (ms: number, signal?: AbortSignal) => {
    if (signal !== stop.signal) return
    pauses.push(ms)
    const next = rest.shift()
    if (next === undefined) stop.abort('SIGINT')
    else await next()
  }
  return {...(await home.run(argv, {signal: stop.signal, sleep, ...options})), pauses}
}

const nothing = () => undefined
const account = ['sandbox', 'state', 'show', 'account', '2001']
const limit = (home: Home, value: number) => () =>
  home.run(['accounts', 'limit', '2001', String(value), '--type', 'credit'])

describe('--watch', () => {
  test('as NDJSON prints what is new or has changed, and nothing twice', async () => {
    const home = await newHome()
    const argv = [...account, '--watch', '5s', '-o', 'ndjson']
    const seen = await watch(home, argv, [nothing, limit(home, 6000), nothing, limit(home, 7000)])
    const limits = seen.stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).creditLimit)
    expect([seen.code, limits]).toEqual([0, [5000, 6000, 7000]])
    expect(new Set(seen.pauses)).toEqual(new Set([5000]))
  })

  test('prints only the items of a list that have changed', async () => {
    const home = await newHome()
    const argv = ['cards', 'list', '--customer', '1003', '--watch', '10s', '-o', 'ndjson']
    const block = () => home.run(['sandbox', 'state', 'set', 'card', '3101', '-F', 'status=CARD_BLOCKED'])
    const ids = (await watch(home, argv, [block, nothing])).stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).id as string)
    expect(ids.filter(id => id === '3101')).toHaveLength(2)
    expect(ids.at(-1)).toBe('3101')
    expect(new Set(ids).size).toBe(ids.length - 1)
  })

  test('alone means 2 s', async () => {
    const home = await newHome()
    expect((await watch(home, [...account, '-o', 'ndjson', '--watch'], [])).pauses).toEqual([2000])
  })

  test.each(['499ms', '0s', '-1s', 'soon'])('%s is refused', async time => {
    const home = await newHome()
    expect((await home.run([...account, '-o', 'ndjson', `--watch=${time}`])).code).toBe(2)
  })

  test.each(['table', 'json', 'csv', 'yaml'])(
    'without a terminal, %s is refused and nothing is read',
    async format => {
      const [home, service] = [await newHome(), await newService()]
      await addProfile(home, 'staging', 'test', service.url)
      const seen = await home.run(['cards', 'get', '3001', '--watch', '-o', format, '-p', 'staging'])
      expect([seen.code, service.requests]).toEqual([2, []])
    },
  )

  test.each([
    ['a write', ['accounts', 'limit', '2001', '1', '--type', 'credit']],
    ['a transfer', ['a2a', 'create', '--transfer', '2006:2007:1:EUR', '--yes']],
    ['a disclosure of card data', ['cards', 'payment-info', '3001', '--yes']],
    ['a disclosure of a PIN', ['pin', 'view', '3001', '--yes']],
    ['an undo', ['requests', 'undo', '--yes']],
  ])('is not there on %s', async (_, argv) => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    const seen = await home.run([...argv, '--watch', '2s', '-o', 'ndjson', '-p', 'staging'])
    expect([seen.code, errorCode(seen), service.requests]).toEqual([2, 'USAGE', []])
  })

  test.each([500, 503])('goes on after a %d', async status => {
    const home = await newHome()
    let fails = true
    const service = await newService(() => (fails ? reply(status, {}) : undefined))
    await addProfile(home, 'staging', 'test', service.url)
    const argv = ['cards', 'get', '3001', '--watch', '2s', '-o', 'ndjson', '-p', 'staging']
    const seen = await watch(home, argv, [() => (fails = false)])
    expect(seen.code).toBe(0)
    expect(seen.stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(seen.stderr).toContain(String(status))
    expect(writesOf(service)).toEqual([])
  })

  test.each([
    [401, 4],
    [404, 5],
  ])('ends at a %d with exit %d', async (status, code) => {
    const home = await newHome()
    const service = await newService(() => reply(status, {title: 'No'}))
    await addProfile(home, 'staging', 'test', service.url)
    const argv = ['cards', 'get', '3001', '--watch', '2s', '-o', 'ndjson', '-p', 'staging']
    expect((await watch(home, argv, [nothing, nothing])).code).toBe(code)
  })

  test.each([{CARDCTL_ACCESSIBLE: '1'}, {TERM: 'dumb'}])(
    'with %o redraws nothing, and prints only what changed',
    async env => {
      const home = await newHome()
      const argv = [...account, '--watch', '5s']
      const seen = await watch(home, argv, [nothing, limit(home, 6000), nothing], {
        env,
        columns: 80,
        rows: 24,
      })
      expect(seen.code).toBe(0)
      expect(seen.stdout + seen.stderr).not.toContain('\u001b')
      expect(seen.stdout.match(/^read at/gm)).toHaveLength(2)
    },
  )
})

describe('CARDCTL_ASCII and CARDCTL_ACCESSIBLE', () => {
  const ascii = (text: string) => [...text].every(char => char < '\u0080')
  const lines = [
    ['cards', 'get', '3001'],
    ['report', 'shift'],
    ['help'],
    ['accounts', 'block', '2001', '--type', 'credit'],
    ['history', 'account', '2001'],
  ]

  test.each<[string, Record<string, string>]>([
    ['CARDCTL_ASCII=1', {CARDCTL_ASCII: '1', LANG: 'en_US.UTF-8'}],
    ['TERM=dumb', {TERM: 'dumb', LANG: 'en_US.UTF-8'}],
    ['the C locale', {LC_ALL: 'C'}],
  ])('with %s draws in ASCII on a terminal', async (_, env) => {
    const home = await newHome()
    for (const argv of lines) {
      const {stdout, stderr} = await home.run(argv, {env, columns: 80})
      expect([argv.join(' '), [...(stdout + stderr)].filter(char => !ascii(char))]).toEqual([
        argv.join(' '),
        [],
      ])
    }
  })

  test('ASCII changes the drawing, and no data', async () => {
    const home = await newHome()
    await home.run(['accounts', 'patch', '2001', '--type', 'credit', '--name', 'Häyhä 中 ●'])
    const env = {CARDCTL_ASCII: '1'}
    for (const format of ['json', 'csv', 'yaml', 'ndjson']) {
      expect((await home.run([...account, '-o', format], {env})).stdout).toContain('Häyhä 中 ●')
    }
  })

  test('a bulk run on an accessible terminal is plain lines, which name the failures', async () => {
    const home = await newHome()
    const file = '{"id":"2001","creditLimit":1}\n{"id":"999","creditLimit":1}\n'
    const {code, stdout, stderr} = await home.run(
      ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', '-', '--rate', 'off'],
      {stdin: file, env: {CARDCTL_ACCESSIBLE: '1', TERM: 'xterm'}, columns: 80, rows: 24},
    )
    expect(code).toBe(11)
    for (const sign of ['\u001b', '\r']) expect(stdout + stderr).not.toContain(sign)
    expect(stderr).toContain('1 failed')
  })

  test('webhook serve --ask is not available', async () => {
    const home = await newHome()
    const seen = await home.run(['webhook', 'serve', '--ask', '--port', '0'], {
      env: {CARDCTL_ACCESSIBLE: '1'},
      columns: 80,
      typed: [],
    })
    expect(seen.code).toBe(2)
  })
})
