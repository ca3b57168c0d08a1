// A list that is meant to be whole is, or the exit code says that it isn't: stdout keeps what came.

import {readFile} from 'node:fs/promises'
import {describe, expect, it} from 'vitest'
import {exitOf} from '../../src/errors/registry.ts'
import type {PlainRequest} from '../../src/sandbox/index.ts'
import {reply} from '../helpers/service.ts'
import {useShop} from './imported-shop.ts'

const shop = useShop()

const CARDS = ['cards', 'list', '--customer', '1003']
const BATCHES = ['a2a', 'list']
const card = (id: number) => ({id: String(id), status: 'CARD_OK'})
const cards = (count: number, from = 0) => Array.from({length: count}, (_, at) => card(from + at))
const asked = (request: PlainRequest, name: string) => new URL(request.url, 'http://x').searchParams.get(name)

/** Pages of two batches; the third can't be read. */
const failing = (status: number) => (request: PlainRequest) => {
  const from = Number(asked(request, 'id') ?? 0)
  if (from >= 4) return reply(status, {title: 'No'})
  return reply(200, {
    items: [{id: `b${from}`}, {id: `b${from + 1}`}],
    lastEvaluatedKey: {id: String(from + 2)},
  })
}
const IDS = ['b0', 'b1', 'b2', 'b3']

/** The notes and errors on stderr. */
const lines = (stderr: string): unknown[] =>
  stderr
    .split('\n')
    .filter(line => /^\{"(?:note|error)/.test(line))
    .map(line => JSON.parse(line))

describe('a list of which a page cannot be read', () => {
  it('keeps what came as a whole array, says so, and ends with the code of the failure', async () => {
    shop().answer = failing(403)
    const {code, stdout, stderr} = await shop().run([...BATCHES, '-o', 'json'])
    expect((JSON.parse(stdout) as {id: string}[]).map(({id}) => id)).toEqual(IDS)
    expect(code).toBe(4)
    const facts = {complete: false, reason: 'FAILED', shown: 4}
    expect(lines(stderr)).toMatchObject([
      {note: {code: 'LIST_INCOMPLETE', ...facts}},
      {error: {code: 'FORBIDDEN', data: facts}},
    ])
  })

  it.each([
    ['ndjson', IDS.length],
    ['csv', IDS.length + 1],
  ])('keeps what came as %s', async (format, count) => {
    shop().answer = failing(403)
    const {code, stdout} = await shop().run([...BATCHES, '-o', format])
    expect({code, lines: stdout.trimEnd().split('\n').length}).toEqual({code: 4, lines: count})
  })

  it('shows people what came, and that it is not all', async () => {
    shop().answer = failing(403)
    const {code, stdout, stderr} = await shop().run([...BATCHES, '--all'], {columns: 100})
    expect(code).toBe(4)
    expect(stdout).toContain('b3')
    expect(stderr).toContain('The list is not whole: it has the first 4 items.')
  })

  it('has the facts in the error with --quiet, which prints no notes', async () => {
    shop().answer = failing(403)
    const {stderr} = await shop().run([...BATCHES, '-o', 'json', '-q'])
    expect(lines(stderr)).toMatchObject([{error: {data: {complete: false, reason: 'FAILED'}}}])
  })

  it('prints nothing if not even the first page came', async () => {
    shop().answer = () => reply(403, {title: 'No'})
    expect(await shop().run([...BATCHES, '-o', 'json'])).toMatchObject({code: 4, stdout: ''})
  })
})

it('sends a cursor back as it came, though the contract has another form', async () => {
  shop().answer = request =>
    asked(request, 'exclusiveStartKey') === 'a b'
      ? reply(200, {items: [{id: 'b1'}]})
      : reply(200, {items: [{id: 'b0'}], lastEvaluatedKey: 'a b'})
  const {code, stdout} = await shop().run([...BATCHES, '-o', 'json'])
  expect({code, items: JSON.parse(stdout).length}).toEqual({code: 0, items: 2})
})

describe('a list whose end the service does not announce', () => {
  const endless = (request: PlainRequest) => {
    const from = Number(asked(request, 'id') ?? 0)
    return reply(200, {items: [{id: `b${from}`}], lastEvaluatedKey: {id: String(from + 1)}})
  }

  it('ends with 16 after the pages that are allowed', async () => {
    shop().answer = endless
    const {code, stdout, stderr} = await shop().run([...BATCHES, '--max-pages', '3', '-o', 'json'])
    expect({code, items: JSON.parse(stdout).length}).toEqual({code: exitOf('LIST_INCOMPLETE'), items: 3})
    const facts = {complete: false, reason: 'MAX_PAGES', shown: 3}
    expect(lines(stderr)).toMatchObject([
      {note: {code: 'LIST_INCOMPLETE', ...facts}},
      {error: {code: 'LIST_INCOMPLETE', data: facts}},
    ])
    expect(shop().requested().length).toBe(3)
  })

  it.each([
    [['--limit', '2'], {}],
    [[], {columns: 80}],
  ])('is no error where %j ends it', async (flags, options) => {
    shop().answer = endless
    const {code, stderr} = await shop().run([...BATCHES, ...flags, '-o', 'json'], options)
    expect(code).toBe(0)
    const reason = flags.length > 0 ? 'LIMIT' : 'FIRST_PAGE'
    expect(lines(stderr)).toMatchObject([{note: {code: 'MORE_RESULTS', complete: false, reason}}])
  })

  it('is read by api --paginate in the same way', async () => {
    shop().answer = endless
    const line = ['api', 'GET', '/v1/a2a/batches', '--paginate', '--max-pages', '4', '-o', 'json']
    const {code, stdout} = await shop().run(line)
    expect({code, items: JSON.parse(stdout).length}).toEqual({code: exitOf('LIST_INCOMPLETE'), items: 4})
  })
})

describe('api --paginate of a path that the contract does not describe', () => {
  const line = ['api', 'GET', '/v9/things', '--paginate', '-o', 'json']

  it('follows links, and cursors that it can send back', async () => {
    shop().answer = request => {
      const page = Number(asked(request, 'p') ?? 0)
      return reply(200, [{id: page}], page < 2 ? {link: `</base/v9/things?p=${page + 1}>; rel="next"`} : {})
    }
    const {code, stdout} = await shop().run(line)
    expect({code, items: JSON.parse(stdout)}).toEqual({code: 0, items: [{id: 0}, {id: 1}, {id: 2}]})
  })

  it('ends with 16 where there is more and no way to it', async () => {
    shop().answer = () => reply(200, {data: [{id: 1}], has_more: true})
    const {code, stdout, stderr} = await shop().run(line)
    expect({code, items: JSON.parse(stdout)}).toEqual({code: exitOf('LIST_INCOMPLETE'), items: [{id: 1}]})
    expect(lines(stderr)).toMatchObject([
      {note: {reason: 'NEXT_UNKNOWN'}},
      {error: {code: 'LIST_INCOMPLETE'}},
    ])
  })
})

describe('a page that comes again', () => {
  it('ends with 8, and what came is kept', async () => {
    shop().answer = () => reply(200, cards(100))
    const {code, stdout, stderr} = await shop().run([...CARDS, '-o', 'json'])
    expect({code, items: JSON.parse(stdout).length}).toEqual({code: 8, items: 100})
    expect(lines(stderr)).toMatchObject([
      {note: {reason: 'REPEATED'}},
      {error: {code: 'ANSWER_INVALID', data: {complete: false, reason: 'REPEATED'}}},
    ])
  })

  it('is none if only its masked fields differ', async () => {
    shop().answer = request => {
      const page = Number(asked(request, 'page') ?? 0)
      const items = Array.from({length: page < 2 ? 100 : 0}, (_, at) => ({
        id: 'x',
        cardNumber: `411111111111${String(page * 100 + at).padStart(4, '0')}`,
      }))
      return reply(200, items)
    }
    const {code, stdout} = await shop().run([...CARDS, '-o', 'json'])
    expect({code, items: JSON.parse(stdout).length}).toEqual({code: 0, items: 200})
  })
})

describe('a row of a bulk job that asks for a list', () => {
  const rows = async (...flags: string[]) => {
    const results = `${shop().folder}/results.ndjson`
    const job = ['bulk', 'run', 'cards.listByCustomer.v4', '--from', '-', '--results', results, '-o', 'json']
    const ended = await shop().run([...job, ...flags], {stdin: 'customerId\n1003\n'})
    const [row] = (await readFile(results, 'utf8')).trimEnd().split('\n')
    return {...ended, row: JSON.parse(row ?? '')}
  }
  const pages = (count: number) => (request: PlainRequest) => {
    const [page, size] = [Number(asked(request, 'page') ?? 0), Number(asked(request, 'size') ?? 30)]
    return reply(200, cards(Math.max(0, Math.min(size, count - page * size)), page * size))
  }

  it('has all of it', async () => {
    shop().answer = pages(250)
    const {code, row} = await rows()
    expect({code, state: row.state, items: row.reply.length}).toEqual({code: 0, state: 'done', items: 250})
  })

  it('has the page that it names', async () => {
    shop().answer = pages(250)
    const {row} = await rows('-F', 'query:page=1')
    expect(row.reply).toHaveLength(30)
  })

  it('is not done if a page cannot be read', async () => {
    shop().answer = request =>
      asked(request, 'page') === '1' ? reply(404, {title: 'No'}) : pages(250)(request)
    const {code, row} = await rows()
    expect({code, state: row.state}).toEqual({code: 5, state: 'failed'})
  })
})
