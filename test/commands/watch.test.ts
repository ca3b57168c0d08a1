import {afterAll, beforeAll, describe, expect, it, onTestFinished} from 'vitest'
import {commands} from '../../src/commands/index.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {Screen} from '../helpers/screen.ts'
import {openService, reply} from '../helpers/service.ts'
import {operationCalls} from './operation-calls.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

/** Runs a command line. Between its looks it does what `between` says, and after that comes Ctrl-C. */
async function watch(
  line: readonly string[],
  between: readonly (() => unknown)[] = [],
  {
    home: place = home,
    terminal = true,
    ...options
  }: RunOptions & {readonly home?: Home; readonly terminal?: boolean} = {},
) {
  const stop = new AbortController()
  const rest = [...between]
  const slept: number[] = []
  let at = Date.now()
  const sleep = async (ms: number, signal?: AbortSignal) => {
    at += ms
    // Between attempts of one request.
    if (signal !== stop.signal) return
    slept.push(ms)
    const next = rest.shift()
    if (next === undefined) stop.abort('SIGINT')
    else await next()
  }
  const run = await place.run(line, {
    ...(terminal ? {columns: 80, rows: 24} : {}),
    now: () => at,
    signal: stop.signal,
    sleep,
    ...options,
    env: {TZ: 'UTC', ...options.env},
  })
  return {...run, slept}
}

/** What a terminal shows at the end. */
function shown(stdout: string, rows = 24): string {
  const screen = new Screen({rows})
  screen.write(stdout)
  return screen.text
}

const setLimit = (limit: number) => async () => {
  const line = `accounts patch 2001 --type credit -F creditLimit=${limit}`
  expect((await home.run(line.split(' '))).code).toBe(0)
}
const state = ['sandbox', 'state', 'show', 'account', '2001']

describe('--watch on a terminal', () => {
  it('redraws, marks what changed with a sign, and ends with Ctrl-C without an error', async () => {
    await setLimit(1000)()
    const {code, stdout, slept} = await watch([...state, '--watch', '5s'], [setLimit(2000)])
    expect(code).toBe(0)
    expect(slept).toEqual([5000, 5000])
    const picture = shown(stdout)
    expect(picture).toMatch(/^every 5 s, read at [\d:]{8} UTC, \d lines? changed \(\*\)/)
    expect(
      picture
        .split('\n')
        .filter(line => line.startsWith('*'))
        .join('\n'),
    ).toMatch(/limit +2,?000/i)
    expect(picture).not.toMatch(/1,?000/)
  })

  it('marks nothing if nothing changed', async () => {
    const {stdout} = await watch([...state, '--watch'], [() => undefined])
    expect(shown(stdout)).toMatch(/^every 2 s, read at [\d:]{8} UTC\n/)
    expect(shown(stdout)).not.toMatch(/^\*/m)
  })

  it('says on the first line that a list goes on', async () => {
    const {stdout} = await watch(['cards', 'list', '--customer', '1003', '--watch'])
    expect(shown(stdout)).toMatch(/^every.*\n *The first 30\. There is more: --all for everything/)
    const whole = await watch(['cards', 'list', '--customer', '1003', '--all', '--watch'])
    expect(shown(whole.stdout)).not.toContain('There is more')
  })

  it('takes a time only if one follows', async () => {
    expect((await watch(['cards', 'get', '--watch', '3001'])).slept).toEqual([2000])
    expect((await watch(['cards', 'get', '3001', '--watch=1m'])).slept).toEqual([60_000])
    for (const [time, message] of [
      ['--watch=499ms', '--watch must be at least 500ms.'],
      ['--watch=5', '--watch needs a unit'],
    ] as const) {
      const {code, stderr} = await watch(['cards', 'get', '3001', time])
      expect(code).toBe(2)
      expect(stderr).toContain(message)
    }
  })

  it('cuts what is longer than the window', async () => {
    const {stdout} = await watch(['sandbox', 'state', 'list', 'card', '--all', '--watch'], [], {rows: 12})
    const lines = shown(stdout).split('\n')
    expect(lines.length).toBeLessThan(12)
    expect(lines.at(-1)).toMatch(/^ and \d+ more lines$/)
  })

  it('is plain text with CARDCTL_ACCESSIBLE, printed again only after a change', async () => {
    await setLimit(1000)()
    const between = [() => undefined, setLimit(3000)]
    const {stdout} = await watch([...state, '--watch'], between, {env: {CARDCTL_ACCESSIBLE: '1'}})
    expect(stdout).not.toContain('\u001b')
    expect(stdout.match(/^read at/gm)).toHaveLength(2)
    expect(stdout).toMatch(/^changed: .*limit: 3,?000/im)
  })
})

describe('--watch of what is on this machine', () => {
  it.each([
    ['requests list', setLimit(1111), /^\* .*(?:accounts|credit|2001)/m],
    ['audit list', setLimit(1112), /^\* .*(?:accounts|credit|2001)/m],
    [
      'profiles list',
      () => home.json('profiles add beside --kind sandbox --base-url http://127.0.0.1:9'.split(' ')),
      /^\* *beside/m,
    ],
    ['webhook events list', () => undefined, /^every 2 s/],
  ])('%s marks new lines', async (line, change, sign) => {
    await setLimit(1000)()
    const {code, stdout} = await watch([...line.split(' '), '--watch'], [change])
    expect(code).toBe(0)
    expect(shown(stdout)).toMatch(sign)
  })
})

describe('--watch of any path', () => {
  it('repeats a read of api, with or without all pages', async () => {
    const block = () => home.run('sandbox state set card 3004 -F status=CARD_BLOCKED'.split(' '))
    const {code, stdout} = await watch(['api', 'GET', '/v4/3004', '--watch'], [block])
    expect(code).toBe(0)
    expect(shown(stdout)).toMatch(/^\*.*CARD_BLOCKED/im)
    const all = await watch(['api', 'GET', '/v4/customer/1003?size=5', '--paginate', '--watch', '5s'])
    expect(all.slept).toEqual([5000])
  })

  it('refuses a write', async () => {
    const {code, stderr} = await watch(['api', 'PATCH', '/v4/CREDIT/2001', '-F', 'creditLimit=1', '--watch'])
    expect(code).toBe(2)
    expect(stderr).toContain('--watch is only for commands that read')
  })
})

describe('--watch without a terminal', () => {
  it('prints each new or changed result as a line with -o ndjson', async () => {
    await setLimit(1000)()
    const between = [() => undefined, setLimit(2000), () => undefined]
    const {code, stdout} = await watch([...state, '--watch', '-o', 'ndjson'], between, {terminal: false})
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(2)
  })

  it('prints only the items of a list that changed', async () => {
    const line = ['sandbox', 'state', 'list', 'account', '--all', '--watch', '-o', 'ndjson']
    await setLimit(1000)()
    const first = await watch(line, [], {terminal: false})
    const {stdout} = await watch(line, [setLimit(2000)], {terminal: false})
    expect(stdout.trim().split('\n')).toHaveLength(first.stdout.trim().split('\n').length + 1)
  })

  it('needs -o ndjson', async () => {
    const {code, stderr} = await watch([...state, '--watch'], [], {terminal: false})
    expect(code).toBe(2)
    expect(stderr).toContain('--watch needs a terminal, or -o ndjson.')
  })
})

describe('a look that fails', () => {
  const responses = (...statuses: number[]) => {
    const rest = [...statuses]
    return openService(() => {
      const status = rest.shift() ?? 200
      return status === 200 ? undefined : reply(status, {title: 'No', status})
    })
  }
  const at = (url: string) => ({CARDCTL_BASE_URL: url})
  const line = ['cards', 'get', '3001', '--watch']

  it('is repeated if the failure may pass', async () => {
    const service = await responses(...Array.from({length: 20}, () => 503))
    onTestFinished(() => service.close())
    const {code, stdout} = await watch(line, [() => undefined], {env: at(service.url)})
    expect(code).toBe(0)
    expect(shown(stdout)).toMatch(/not read yet\nFails since [\d:]{8} UTC and is tried again: SERVICE_FAULT/)
  })

  it('ends the command if the service refuses', async () => {
    const service = await responses(404)
    onTestFinished(() => service.close())
    const {code, stderr, slept} = await watch(line, [], {env: at(service.url)})
    expect(code).toBe(5)
    expect(stderr).toContain('NOT_FOUND')
    expect(slept).toEqual([])
  })

  it('is repeated if nobody responds', async () => {
    const {code, stdout} = await watch(line, [], {env: at('http://127.0.0.1:1')})
    expect(code).toBe(0)
    expect(shown(stdout)).toContain('CONNECTION_FAILED')
  })
})

it('SIGTERM ends it as any command', async () => {
  const stop = new AbortController()
  const sleep = async () => stop.abort('SIGTERM')
  const run = await home.run(['cards', 'get', '3001', '--watch'], {columns: 80, sleep, signal: stop.signal})
  expect(run.code).toBe(143)
})

const ON_THIS_MACHINE = [
  'requests list',
  'audit list',
  'profiles list',
  'webhook events list',
  'mappings list',
  'sandbox snapshot list',
]

describe('every command', async () => {
  const all = await Promise.all(
    Object.entries(commands).map(async ([id, load]) => {
      const {default: Command} = await load()
      const {claims = [], baseFlags} = Command as unknown as {
        claims?: readonly (keyof typeof operations)[]
        baseFlags: object
      }
      return {id: id.replaceAll(':', ' '), effects: claims.map(claim => operations[claim].effect), baseFlags}
    }),
  )

  it('has the flag if it only reads', () => {
    for (const {id, effects, baseFlags} of all) {
      const isRead = effects.length > 0 && effects.every(effect => effect === 'read')
      expect('watch' in baseFlags, id).toBe(isRead || ON_THIS_MACHINE.includes(id))
    }
  })

  it('that discloses or writes says that it can’t be watched', async () => {
    for (const {id, effects} of all) {
      if (effects.every(effect => effect === 'read')) continue
      const {code, stderr} = await home.run([...id.split(' '), '--watch'])
      expect(code, id).toBe(2)
      const isDisclosure = effects.includes('disclose')
      expect(stderr, id).toContain(
        isDisclosure
          ? '--watch is not allowed for commands that disclose'
          : '--watch is only for commands that read',
      )
    }
  })

  it('that reads repeats its read', async () => {
    for (const [id, make] of Object.entries(operationCalls)) {
      if (operations[id as keyof typeof operations].effect !== 'read') continue
      const own = await openHome()
      onTestFinished(() => own.remove())
      const {argv, stdin} = await make(own)
      const {stdout, stderr, code} = await watch([...argv, '--watch', '2s'], [], {
        home: own,
        rows: 1000,
        ...(stdin === undefined ? {} : {stdin}),
      })
      expect(code, `${argv.join(' ')}: ${stderr}`).toBe(0)
      expect(shown(stdout, 1000), argv.join(' ')).toMatch(/^every 2 s, read at/)
    }
  })
})

describe('--watch for a screen reader', () => {
  it('with CARDCTL_ACCESSIBLE, an entry that only moved counts as the same', async () => {
    await setLimit(1001)()
    const list = ['requests', 'list', '--watch']
    const {stdout} = await watch(list, [setLimit(1002)], {env: {CARDCTL_ACCESSIBLE: '1'}})
    const [, after = ''] = stdout.split(/^read at (?=.*changed)/m)
    const [head, ...others] = after.split('\n\n')
    expect(head).toMatch(/^changed: Request: r_/m)
    expect(others.join('\n')).toMatch(/^Request 2 of \d+$/m)
    expect(others.join('\n')).not.toContain('changed: ')
  })
})
