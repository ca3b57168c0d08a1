import {Writable} from 'node:stream'
import {describe, expect, it} from 'vitest'
import {parse} from 'yaml'
import {cardListView, cardView} from '../../src/commands/cards/shared/views.ts'
import {Failure} from '../../src/errors/failure.ts'
import {createPrinter} from '../../src/output/index.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {card, cards} from './replies.ts'
import {Kept, NOON, setUp} from './streams.ts'

/** JSON warns in JSON. */
const warningIn = (format: string, message: string): string =>
  format === 'json' || format === 'ndjson'
    ? `${JSON.stringify({warning: {code: 'WARNING', message}})}\n`
    : `Warning: ${message}\n`

async function* pages<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) {
    await Promise.resolve()
    yield item
  }
}

describe('data', () => {
  it('is the view for people, on a terminal and in a pipe', async () => {
    const {printer, stdout, stderr} = setUp()
    await printer.data(card, cardView)
    expect(stdout.text).toContain('Card 3001')
    expect(stdout.text.endsWith('\n')).toBe(true)
    expect(stderr.text).toBe('')
    const terminal = setUp({}, {terminal: true})
    await terminal.printer.data(card, cardView)
    expect(terminal.stdout.text).toContain('\u001b[32mCARD_OK')
  })

  it('is never cut without a terminal', async () => {
    const {printer, stdout} = setUp()
    await printer.list(pages(cards), cardListView)
    expect(stdout.text).toContain('Väinö Äijälä-Öhman-von-und-zu-Langname, 山田商事株式会社')
    const narrow = setUp({}, {env: {COLUMNS: '80'}})
    await narrow.printer.list(pages(cards), cardListView)
    expect(narrow.stdout.text).toContain('Väinö Äi…')
  })

  it('is JSON, the same in a pipe and on a terminal', async () => {
    for (const terminal of [true, false]) {
      const {printer, stdout} = setUp({format: 'json'}, {terminal})
      await printer.data(
        {id: '3001', pin: new Secret('1234'), big: 5n, none: undefined, at: new Date(NOON)},
        cardView,
      )
      expect(stdout.text).toBe(
        '{\n  "id": "3001",\n  "pin": "[masked]",\n  "big": "5",\n  "at": "2026-11-21T12:00:00.000Z"\n}\n',
      )
    }
  })

  it.each([
    ['json', 'null\n'],
    ['ndjson', 'null\n'],
    ['csv', 'value\n""\n'],
    ['yaml', 'null\n'],
    ['table', ''],
  ] as const)('is something even when there is nothing: %s', async (format, text) => {
    const {printer, stdout} = setUp({format})
    await printer.data(undefined)
    expect(stdout.text).toBe(text)
  })

  it.each([
    ['json', '[\n  {\n    "id": "3001",\n    "embossing": {\n      "lastName": "Virtanen"\n    }\n  }\n]\n'],
    ['ndjson', '{"id":"3001","embossing":{"lastName":"Virtanen"}}\n'],
    ['csv', 'id,embossing.lastName\n3001,Virtanen\n'],
    ['yaml', '- id: "3001"\n  embossing:\n    lastName: Virtanen\n'],
    ['table', ' id    embossing.lastName\n ────  ──────────────────\n 3001  Virtanen\n'],
  ] as const)('has the chosen columns in %s', async (format, text) => {
    const {printer, stdout, stderr} = setUp({format, columns: ['id', 'embossing.lastName']})
    await printer.data([card], cardListView)
    expect([stdout.text, stderr.text]).toEqual([text, ''])
  })

  it('reports a column that no item has', async () => {
    for (const format of ['json', 'csv', 'ndjson', 'table'] as const) {
      const {printer, stderr} = setUp({format, columns: ['id', 'staus']})
      await printer.list(pages(cards), cardListView)
      const message = 'No item has the field staus; did you mean status?'
      expect(stderr.text).toBe(warningIn(format, message))
    }
  })

  it('takes a query in every format', async () => {
    const query = "[?status=='CARD_OK'].id"
    const results = []
    for (const format of ['json', 'ndjson', 'csv', 'yaml', 'table'] as const) {
      const {printer, stdout} = setUp({format, query, header: false})
      await printer.list(pages(cards), cardListView)
      results.push(stdout.text)
    }
    expect(results).toEqual(['[\n  "3001"\n]\n', '"3001"\n', '3001\n', '- "3001"\n', '3001\n'])
  })

  it('can do without a header', async () => {
    for (const format of ['csv', 'table'] as const) {
      const {printer, stdout} = setUp({format, header: false, columns: ['id']})
      await printer.data([card])
      expect(stdout.text.trim()).toBe('3001')
    }
  })

  it('has the name of a live profile over every table, and nowhere else', async () => {
    const {printer, stdout} = setUp()
    printer.markLive('prod')
    await printer.data(card, cardView)
    expect(stdout.text.startsWith('LIVE prod\n')).toBe(true)
    const json = setUp({format: 'json'})
    json.printer.markLive('prod')
    await json.printer.data(card, cardView)
    expect(JSON.parse(json.stdout.text)).toEqual(card)
  })
})

describe('lists', () => {
  it('stream as NDJSON and CSV without waiting for the end', async () => {
    for (const format of ['ndjson', 'csv'] as const) {
      const {printer, stdout} = setUp({format, columns: ['n']})
      async function* counting() {
        for (let n = 0; n < 3; n++) {
          expect(stdout.text).toContain(n === 0 ? '' : String(n - 1))
          yield {n}
        }
      }
      expect(await printer.list(counting())).toBeUndefined()
      expect(stdout.text.trim().split('\n')).toHaveLength(format === 'csv' ? 4 : 3)
    }
  })

  it('that are all here are written many lines at a time, and what came before an error is written', async () => {
    for (const format of ['ndjson', 'csv'] as const) {
      let writes = 0
      let text = ''
      const counting = new Writable({
        write(chunk: Buffer, _encoding, done) {
          writes += 1
          text += chunk.toString()
          done()
        },
      })
      const printer = createPrinter(
        {env: {}, stdout: counting, stderr: new Kept(), now: () => NOON},
        {format, header: false},
      )
      function* items() {
        for (let n = 0; n < 20_000; n++) yield {n}
        throw new Error('no more')
      }
      await expect(printer.list(items())).rejects.toThrow('no more')
      expect(text.trim().split('\n')).toHaveLength(20_000)
      expect(writes).toBeLessThan(20)
    }
  })

  it('come back whole where they were collected', async () => {
    const {printer} = setUp({format: 'yaml'})
    expect(await printer.list(pages([1, 2]))).toEqual([1, 2])
  })

  it('that are long come in parts, in every format, and hold the same', async () => {
    const items = Array.from({length: 2500}, (_, n) => ({
      n,
      deep: {list: [n]},
      text: n % 7 === 0 ? 'a\nb: c' : 'x',
    }))
    const printed = async (options: {format: 'json' | 'yaml' | 'table'; columns?: string[]}) => {
      const {printer, stdout, stderr} = setUp(options)
      let silent = 0
      function* counting() {
        for (const item of items) {
          if (stdout.text === '') silent = item.n
          yield item
        }
      }
      expect(await printer.list(counting())).toBeUndefined()
      return {text: stdout.text, warnings: stderr.text, silent}
    }
    const json = await printed({format: 'json'})
    expect(JSON.parse(json.text)).toEqual(items)
    expect(json.text).toBe(`${JSON.stringify(items, null, 2)}\n`)
    expect(json.silent).toBeLessThan(2500)
    const yaml = await printed({format: 'yaml'})
    expect(parse(yaml.text)).toEqual(items)
    const chosen = await printed({format: 'json', columns: ['n', 'nope']})
    expect(JSON.parse(chosen.text)).toHaveLength(2500)
    expect(chosen.warnings).toBe(warningIn('json', 'No item has the field nope'))
    const table = await printed({format: 'table', columns: ['n']})
    const rows = table.text.split('\n').filter(line => /^\s*\d+$/.test(line))
    expect(rows.map(Number)).toEqual(items.map(({n}) => n))
    expect(table.text.match(/^\s*n$/gm)).toHaveLength(3)
  })

  it('that are long and break off are no JSON', async () => {
    const {printer, stdout} = setUp({format: 'json'})
    function* breaking() {
      for (let n = 0; n < 3000; n++) yield {n}
      throw new Error('no more')
    }
    await expect(printer.list(breaking())).rejects.toThrow('no more')
    expect(stdout.text).toContain('"n": 999')
    expect(() => JSON.parse(stdout.text)).toThrow()
  })

  it('as CSV tell of members that came too late for a column, and cut nothing else', async () => {
    const {printer, stdout, stderr} = setUp({format: 'csv'})
    const items = Array.from({length: 150}, (_, n) => ({
      n,
      gone: null,
      ...(n > 120 ? {late: 1, gone: {x: null}} : {}),
    }))
    await printer.list(pages(items))
    expect(stdout.text.split('\n')[0]).toBe('n,gone')
    expect(stdout.text.trim().split('\n')).toHaveLength(151)
    expect(stderr.text).toBe('Warning: The columns omit fields that some items have: late\n')
  })

  it('as CSV have no column of an object that is null in one item', async () => {
    const {printer, stdout} = setUp({format: 'csv'})
    await printer.list(
      pages([
        {id: 1, name: null},
        {id: 2, name: {first: 'A'}},
      ]),
    )
    expect(stdout.text).toBe('id,name.first\n1,\n2,A\n')
  })

  it('print nothing but their header when they are empty', async () => {
    const {printer, stdout} = setUp({format: 'csv', columns: ['id']})
    await printer.list(pages([]))
    expect(stdout.text).toBe('id\n')
    const unknown = setUp({format: 'csv'})
    await unknown.printer.list(pages([]))
    expect(unknown.stdout.text).toBe('')
  })

  it('of events come line by line for people and as NDJSON for scripts', async () => {
    const view = (event: {n: number}) => `event ${event.n}`
    const people = setUp()
    await people.printer.stream(pages([[{n: 1}, {n: 2}], [{n: 3}]]), view)
    expect(people.stdout.text).toBe('event 1\nevent 2\nevent 3\n')
    const scripts = setUp({format: 'json'})
    await scripts.printer.stream(pages([[{n: 1}, {n: 2}], [{n: 3}]]), view)
    expect(scripts.stdout.text).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
  })
})

describe('the reader of stdout', () => {
  it('may stall, and loses nothing', async () => {
    let text = ''
    let inFlight = 0
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        inFlight += 1
        setImmediate(() => {
          expect(inFlight).toBe(1)
          inFlight -= 1
          text += chunk.toString()
          done()
        })
      },
    })
    const printer = createPrinter(
      {env: {}, stdout: slow, stderr: new Kept(), now: () => NOON},
      {format: 'ndjson'},
    )
    let ahead = 0
    async function* items() {
      for (let n = 0; n < 200; n++) {
        ahead = Math.max(ahead, n - text.split('\n').length)
        yield {n}
      }
    }
    await printer.list(items())
    expect(text.trim().split('\n')).toHaveLength(200)
    expect(ahead).toBeLessThan(3)
  })

  it('may close, which ends the production of data', async () => {
    let taken = 0
    const gone = new Writable({
      write(_chunk, _encoding, done) {
        taken += 1
        done(taken > 2 ? Object.assign(new Error('write EPIPE'), {code: 'EPIPE'}) : undefined)
      },
    })
    const stderr = new Kept()
    const printer = createPrinter({env: {}, stdout: gone, stderr, now: () => NOON}, {format: 'ndjson'})
    let made = 0
    async function* endless() {
      for (;;) yield {n: made++}
    }
    await printer.list(endless())
    expect([printer.closed, made, stderr.text]).toEqual([true, 3, ''])
    await printer.data({after: 1})
  })

  it('may be a full disk, which is an error with its own exit code', async () => {
    const full = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('ENOSPC: no space left'), {code: 'ENOSPC'}))
      },
    })
    const printer = createPrinter(
      {env: {}, stdout: full, stderr: new Kept(), now: () => NOON},
      {format: 'json'},
    )
    await expect(printer.data({})).rejects.toMatchObject({code: 'OUTPUT_UNWRITABLE', exit: 3})
  })
})

describe('notes and errors', () => {
  it('wrap at words on a terminal, and leave a line whole that holds a longer word', () => {
    const stderr = new Kept({columns: 24})
    const {printer} = setUp({}, {stderr, env: {TERM: 'dumb'}})
    const path = '/a/path/that/is/longer/than/the/terminal'
    printer.note(
      'Use it as cardctl profiles use prod.',
      '  See the page on profiles.',
      `Look at ${path} first.`,
    )
    expect(stderr.text).toBe(
      `Use it as cardctl\nprofiles use prod.\n  See the page on\n  profiles.\nLook at ${path} first.\n`,
    )
    const piped = setUp()
    piped.printer.note('Twenty words '.repeat(10))
    expect(piped.stderr.text.trimEnd().split('\n')).toHaveLength(1)
  })

  const failure = new Failure('EFFECT_UNKNOWN', {
    message: 'The batch was sent and no answer came',
    hint: 'cardctl requests resolve r_01',
    status: 503,
    requestId: 'r_01',
    effect: 'unknown',
    repeatable: false,
    idempotencyKey: 'key-1',
    problem: {
      title: 'Busy',
      detail: 'card 4111111111111111\u001b[2J',
      id: '4111111111111111',
      extra: 'Bearer abc123def456',
    },
  })

  it('are for people by default', async () => {
    const {printer, stdout, stderr} = setUp()
    await printer.error(failure)
    expect(stdout.text).toBe('')
    expect(stderr.text).toBe(
      [
        'Error EFFECT_UNKNOWN: The batch was sent and no answer came',
        '  The service says: Busy: card 411111••••••1111\\u001b[2J',
        '  cardctl requests resolve r_01',
        '  request r_01 · HTTP 503 · key key-1 · the effect is unknown',
        '',
      ].join('\n'),
    )
  })

  it('are one line of JSON for scripts, card numbers and credentials masked', async () => {
    for (const format of ['json', 'ndjson'] as const) {
      const {printer, stderr} = setUp({format})
      await printer.error(failure)
      expect(stderr.text.split('\n')).toHaveLength(2)
      expect(JSON.parse(stderr.text)).toEqual({
        error: {
          code: 'EFFECT_UNKNOWN',
          message: 'The batch was sent and no answer came',
          hint: 'cardctl requests resolve r_01',
          status: 503,
          requestId: 'r_01',
          effect: 'unknown',
          repeatable: false,
          idempotencyKey: 'key-1',
          problem: {
            title: 'Busy',
            detail: 'card 411111••••••1111\u001b[2J',
            id: '411111••••••1111',
            extra: 'Bearer [masked]',
          },
        },
      })
    }
  })

  it('list the bad rows of a file', async () => {
    const problems = Array.from({length: 3}, (_, at) => ({
      row: at + 1,
      line: at + 2,
      column: 'amount',
      message: 'has 3 decimals',
    }))
    const bad = new Failure('INPUT_INVALID', {message: '60 rows cannot be used', data: {problems, count: 60}})
    const {printer, stderr} = setUp()
    await printer.error(bad)
    expect(stderr.text).toContain('  row 3 (line 4), amount: has 3 decimals\n  and 57 more\n')
  })

  it('keep to stderr, and --quiet leaves notes out', async () => {
    for (const format of ['table', 'json'] as const) {
      const {printer, stdout, stderr} = setUp({format})
      printer.note('one', 'two\nfake')
      printer.warn('three')
      await printer.noteView(card, cardView)
      expect(stdout.text).toBe('')
      expect(stderr.text).toContain(`one\ntwo\\nfake\n${warningIn(format, 'three')} Card 3001`)
    }
    const quiet = setUp({quiet: true})
    quiet.printer.note('one')
    quiet.printer.warn('two')
    expect(quiet.stderr.text).toBe('Warning: two\n')
  })

  it('text is printed unchanged, except for control characters', async () => {
    const {printer, stdout} = setUp()
    await printer.text('{"name":"a\u202eb"}')
    expect(stdout.text).toBe('{"name":"a\\u202eb"}\n')
  })
})

describe('prepare', () => {
  it('finds mistakes before anything is sent', async () => {
    await expect(setUp({query: '[?'}).printer.prepare()).rejects.toMatchObject({code: 'USAGE'})
    await expect(setUp({columns: ['id', '']}).printer.prepare()).rejects.toMatchObject({code: 'USAGE'})
    await setUp({query: 'a.b', columns: ['id']}).printer.prepare()
  })
})

describe.each(['csv', 'ndjson', 'json', 'yaml', 'table'] as const)('a long list as %s', format => {
  it('ends at a signal, although it never has to wait for an item', async () => {
    const stop = new AbortController()
    const {printer, stdout} = setUp({format}, {signal: stop.signal})
    const items = Array.from({length: 40_000}, (_, at) => ({id: at, name: 'x'.repeat(20)}))
    setImmediate(() => stop.abort('SIGTERM'))
    await expect(printer.list(items)).rejects.toBe('SIGTERM')
    expect(stdout.text).not.toContain('39999')
  })
})
