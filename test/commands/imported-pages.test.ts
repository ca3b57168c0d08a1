// Lists of services that page in their own ways: whole, or an exit code that says they aren't.

import {describe, expect, it} from 'vitest'
import {type FetchImportedPage, importedItems} from '../../src/commands/x/shared/pages.ts'
import {exitOf} from '../../src/errors/registry.ts'
import type {ImportedParameter} from '../../src/imported/index.ts'
import type {PlainRequest} from '../../src/sandbox/index.ts'
import {reply} from '../helpers/service.ts'
import {json, useShop} from './imported-shop.ts'

const shop = useShop()

type Responder = (from: (name: string) => number, request: PlainRequest) => ReturnType<typeof reply>

const COUNT = 7
const SIZE = 3
const items = (from: number, id = 'id') =>
  Array.from({length: Math.max(0, Math.min(SIZE, COUNT - from))}, (_, at) => ({
    [id]: `k${from + at}`,
    label: `k${from + at}`,
  }))
const isMore = (from: number) => from + SIZE < COUNT

/** A list at /cards with these parameters, whose response is an object with `data` unless it is described otherwise. */
async function importList(names: readonly string[], schema?: object) {
  const list = {type: 'array', items: {type: 'object'}}
  const parameters = names.map(name => ({
    name,
    in: 'query',
    ...(name === 'place' ? {description: 'The cursor of the page before.'} : {}),
    schema: {type: ['limit', 'count'].includes(name) ? 'integer' : 'string'},
  }))
  const response = schema ?? {type: 'object', properties: {data: list, has_more: {type: 'boolean'}}}
  await shop().importPaths({
    '/cards': {
      get: {operationId: 'list', parameters, responses: {200: {description: '', ...json(response)}}},
    },
  })
}
const ARRAY = {type: 'array', items: {type: 'object'}}

async function list(respond: Responder, ...flags: string[]) {
  shop().answer = request => {
    const query = new URL(request.url, 'http://x').searchParams
    return respond(name => Number((query.get(name) ?? '').replace(/\D/g, '') || Number.NaN), request)
  }
  const {code, stdout, stderr} = await shop().run(['x', 'cards', 'list', '-o', 'json', ...flags])
  const errors = stderr.split('\n').filter(line => line.startsWith('{"error'))
  return {
    code,
    found:
      stdout === ''
        ? []
        : (JSON.parse(stdout) as Record<string, string>[]).map(one => one.label ?? Object.values(one)[0]),
    error: errors[0] === undefined ? undefined : JSON.parse(errors[0]).error,
    stderr,
  }
}

const or = (value: number, usual: number): number => (Number.isNaN(value) ? usual : value)
const ALL = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6']

const STYLES: [string, string[], object | undefined, Responder][] = [
  ...['id', 'token', 'card_id', 'cardToken'].map((id): (typeof STYLES)[number] => [
    `the ${id} of the last item`,
    ['starting_after', 'limit'],
    undefined,
    of => {
      const from = or(of('starting_after') + 1, 0)
      return reply(200, {data: items(from, id), has_more: isMore(from)})
    },
  ]),
  [
    'the last id where nothing says that there is more',
    ['starting_after'],
    ARRAY,
    of => reply(200, items(or(of('starting_after') + 1, 0))),
  ],
  [
    'a flag is_more and an index',
    ['start_index', 'count'],
    undefined,
    of => {
      const from = or(of('start_index'), 0)
      return reply(200, {
        count: SIZE,
        start_index: from,
        end_index: from + 2,
        is_more: isMore(from),
        data: items(from),
      })
    },
  ],
  [
    'an index that counts from 1',
    ['startIndex'],
    undefined,
    of => {
      const from = or(of('startIndex'), 1)
      return reply(200, {totalResults: COUNT, startIndex: from, data: items(from - 1)})
    },
  ],
  [
    'a relative link, next_page_uri',
    ['PageToken'],
    undefined,
    of => {
      const from = or(of('PageToken'), 0)
      return reply(200, {
        data: items(from),
        next_page_uri: isMore(from) ? `/base/cards?PageToken=PT${from + SIZE}&Page=1` : null,
      })
    },
  ],
  [
    'an absolute link below meta',
    ['limit'],
    undefined,
    of => {
      const from = or(of('p'), 0)
      const link = {next_page_url: isMore(from) ? `${shop().service.url}/base/cards?p=${from + SIZE}` : null}
      return reply(200, {data: items(from), meta: link})
    },
  ],
  [
    'links as a list of relations',
    ['limit'],
    undefined,
    of => {
      const from = or(of('p'), 0)
      const next = {rel: 'next', href: `?p=${from + SIZE}`}
      return reply(200, {
        data: items(from),
        links: [{rel: 'self', href: '?'}, ...(isMore(from) ? [next] : [])],
      })
    },
  ],
  [
    'a Link header, after which page numbers go on',
    ['page'],
    ARRAY,
    of => {
      const page = or(of('page'), 1)
      const link = `</base/cards?page=1>; rel="first", </base/cards?page=${page + 1}>; rel="next last"`
      // Past its end the service would always have an item.
      const found = page > 3 ? [{id: 'extra'}] : items((page - 1) * SIZE)
      return reply(200, found, page < 3 ? {link} : {link: '</base/cards?page=1>; rel="first"'})
    },
  ],
  [
    'a cursor in the header X-After-Cursor',
    ['after', 'limit'],
    ARRAY,
    of => {
      const from = or(of('after'), 0)
      return reply(200, items(from), isMore(from) ? {'x-after-cursor': `c${from + SIZE}`} : {})
    },
  ],
  [
    'a cursor in the header X-Next-Cursor, for a parameter that only its description tells of',
    ['place'],
    ARRAY,
    of => {
      const from = or(of('place'), 0)
      return reply(200, items(from), isMore(from) ? {'x-next-cursor': `c${from + SIZE}`} : {})
    },
  ],
  [
    'a cursor of any name',
    ['bookmark'],
    undefined,
    of => {
      const from = or(of('bookmark'), 0)
      return reply(200, {data: items(from), paging: {next_bookmark: isMore(from) ? `b${from + SIZE}` : ''}})
    },
  ],
  [
    'a cursor that looks like a card number',
    ['cursor'],
    undefined,
    of => {
      const from = or(of('cursor') - 4111111111110000, 0)
      const cursors = ['', '', '', '4111111111110003', '', '', '4111111111110006']
      return reply(200, {data: items(from), next_cursor: isMore(from) ? cursors[from + SIZE] : null})
    },
  ],
  [
    'a cursor, over a page that is empty',
    ['cursor'],
    undefined,
    of => {
      const at = or(of('cursor'), 0)
      const pages = [items(0), [], items(3), items(6)]
      return reply(200, {data: pages[at], ...(at < 3 ? {next_cursor: `c${at + 1}`} : {})})
    },
  ],
  [
    'the number of the next page',
    ['page'],
    undefined,
    of => {
      const page = or(of('page'), 1)
      return reply(200, {data: items((page - 1) * SIZE), next_page: page < 3 ? page + 1 : null})
    },
  ],
  [
    'a count of pages in headers',
    ['page'],
    ARRAY,
    of => reply(200, items((or(of('page'), 1) - 1) * SIZE), {'x-total-pages': '3'}),
  ],
  [
    'pages of which one in the middle is shorter',
    ['page', 'limit'],
    undefined,
    of => {
      const pages = [[], items(0), [{id: 'k3'}], items(4)]
      return reply(200, {data: pages[or(of('page'), 1)] ?? []})
    },
  ],
]

describe('a list of an imported contract', () => {
  it.each(STYLES)('is whole with %s', async (_, names, schema, respond) => {
    await importList(names, schema)
    expect(await list(respond, '--all')).toMatchObject({code: 0, found: ALL})
    expect(await list(respond, '--limit', '5')).toMatchObject({code: 0, found: ALL.slice(0, 5)})
  })

  it('asks for no page after the announced end', async () => {
    await importList(['page'], ARRAY)
    await list(of => reply(200, items((or(of('page'), 1) - 1) * SIZE), {'x-total-count': '7'}), '--all')
    expect(shop().requested().length).toBe(3)
  })

  it('has pages that differ only in what is masked', async () => {
    await importList(['cursor'])
    const respond: Responder = of => {
      const at = or(of('cursor'), 0)
      return reply(200, {data: [{pin: `12${at}4`}], ...(at < 2 ? {next_cursor: `c${at + 1}`} : {})})
    }
    expect(await list(respond, '--all')).toMatchObject({code: 0, found: ['[masked]', '[masked]', '[masked]']})
  })

  it('may be less than there is with --limit, which a note says', async () => {
    await importList(['starting_after'])
    const {code, stderr} = await list(() => reply(200, {data: items(0), has_more: true}), '--limit', '2')
    expect(code).toBe(0)
    expect(JSON.parse(stderr)).toMatchObject({note: {code: 'MORE_RESULTS', complete: false, reason: 'LIMIT'}})
  })
})

it('says of one response that there is more', async () => {
  await importList(['page'], ARRAY)
  const link = {link: '</base/cards?page=2>; rel="next"'}
  const {code, stderr} = await list(() => reply(200, items(0), link))
  expect({code, ...JSON.parse(stderr)}).toMatchObject({
    code: 0,
    note: {complete: false, reason: 'FIRST_PAGE'},
  })
  // A full page alone says nothing.
  expect(await list(() => reply(200, items(0)))).toMatchObject({code: 0, stderr: ''})
})

describe('a list of an imported contract that is not whole', () => {
  const more = {data: items(0), has_more: true}
  it.each<[string, string[], Responder, string]>([
    ['there is more, and no way to it', ['limit'], () => reply(200, more), 'NEXT_UNKNOWN'],
    [
      'no field is surely the id of the last item',
      ['starting_after'],
      () => reply(200, {data: [{a_id: '1', b_id: '2'}], has_more: true}),
      'NEXT_UNKNOWN',
    ],
    [
      'a cursor has no parameter',
      ['limit'],
      () => reply(200, {data: items(0), next_cursor: 'abc'}),
      'NEXT_UNKNOWN',
    ],
    [
      'there are more pages, and no parameter for them',
      ['limit'],
      () => reply(200, {data: items(0), total_pages: 3}),
      'NEXT_UNKNOWN',
    ],
    [
      'the next link leads elsewhere',
      ['page'],
      () => reply(200, {data: items(0), next: 'https://other.example/base/cards?page=2'}),
      'OTHER_ORIGIN',
    ],
    [
      'a link without a scheme leads elsewhere',
      ['page'],
      () => reply(200, {data: items(0), next_url: '//other.example/base/cards?page=2'}),
      'OTHER_ORIGIN',
    ],
    [
      'the Link header leads to another port',
      ['page'],
      () => reply(200, {data: items(0)}, {link: '<http://127.0.0.1:9/base/cards?page=2>; rel=next'}),
      'OTHER_ORIGIN',
    ],
    [
      'the next link leads to another path',
      ['page'],
      () => reply(200, {data: items(0), next: '/base/customers?page=2'}),
      'OTHER_PATH',
    ],
    [
      'an empty page follows fewer items than the first page announced',
      ['page'],
      of => reply(200, of('page') > 1 ? {items: []} : {items: items(0), total: 9}),
      'TOTAL_MISSED',
    ],
    [
      'an empty page follows fewer pages than were announced',
      ['page'],
      of => reply(200, of('page') > 1 ? {items: []} : {items: items(0), totalPages: 3}),
      'TOTAL_MISSED',
    ],
    [
      'an empty page follows one that said there is more',
      ['page'],
      of => reply(200, of('page') > 1 ? {items: []} : {items: items(0), has_more: true}),
      'TOTAL_MISSED',
    ],
    [
      'the service announced more items',
      ['cursor'],
      () => reply(200, {data: items(0), total_count: 9, next_cursor: null}),
      'TOTAL_MISSED',
    ],
  ])('ends with 16 where %s', async (_, names, respond, reason) => {
    await importList(names)
    const {code, found, error} = await list(respond, '--all')
    expect({code, error}).toMatchObject({
      code: exitOf('LIST_INCOMPLETE'),
      error: {code: 'LIST_INCOMPLETE', data: {complete: false, reason, shown: found.length}},
    })
    expect(found.length).toBeGreaterThan(0)
    expect(shop().requested().length).toBeLessThanOrEqual(2)
  })

  it('ends with 16 where a limit is not reached', async () => {
    await importList(['limit'])
    expect(await list(() => reply(200, more), '--limit', '5')).toMatchObject({
      code: exitOf('LIST_INCOMPLETE'),
      found: ['k0', 'k1', 'k2'],
    })
  })

  it('stops where the service goes on after the number of items that it announced', async () => {
    await importList(['cursor'])
    const respond: Responder = of => {
      const at = or(of('cursor'), 0)
      return reply(200, {data: [{id: `${at}a`}, {id: `${at}b`}], total_count: 5, next_cursor: `c${at + 1}`})
    }
    const {code, found, error} = await list(respond, '--all')
    expect({code, items: found.length, data: error.data}).toMatchObject({
      code: exitOf('LIST_INCOMPLETE'),
      items: 6,
      data: {reason: 'TOTAL_PASSED'},
    })
  })

  it('stops after 1,000 pages of a service that always has an item', async () => {
    let asked = 0
    const fetch: FetchImportedPage = async () => ({
      status: 200,
      headers: {},
      body: [{id: ++asked}],
      differences: [],
      isForeign: false,
      attempts: 1,
      durationMs: 0,
      replayed: false,
    })
    const page = {
      name: 'page',
      in: 'query',
      required: false,
      schema: {},
      flag: 'page',
      style: 'form',
      explode: true,
    }
    const operation = {path: '/cards', parameters: [page as ImportedParameter], paging: {page: 'page'}}
    const here = new URL('http://localhost/cards')
    const {items: all} = await importedItems({operation, first: {}, here}, {all: true}, fetch)
    const failure = await (async () => {
      for await (const _ of all);
    })().catch(error => error)
    expect(failure).toMatchObject({code: 'LIST_INCOMPLETE', details: {data: {reason: 'MAX_PAGES'}}})
    expect({asked, hint: failure.hint}).toMatchObject({
      asked: 1000,
      hint: expect.stringContaining('--max-pages 10000'),
    })
  })

  it('ends with 8 where the same page comes again', async () => {
    await importList(['starting_after'])
    expect(await list(() => reply(200, more), '--all')).toMatchObject({code: 8, found: ['k0', 'k1', 'k2']})
  })
})

describe('a list that pages by names which nobody could guess', () => {
  const respond: Responder = from => {
    const at = or(from('at'), 0)
    const onward = isMore(at) ? `s${at + SIZE}` : null
    return reply(200, {data: items(at), meta: {onward, again: isMore(at)}})
  }
  const setPaging = (how: string) =>
    shop().home.run(['profiles', 'edit', 'shop', '--paging', `x:own/cards/list=${how}`])

  it.each([
    'cursor=at,next=/meta/onward',
    'offset=at,more=/meta/again',
    'cursor=at,next=/meta/onward,more=/meta/again',
  ])('is whole by %s', async how => {
    await importList(['at'])
    const silent = await list(respond, '--all')
    expect(silent.found).not.toEqual(ALL)
    expect(await setPaging(how)).toMatchObject({code: 0})
    expect(await list(respond, '--all')).toMatchObject({code: 0, found: ALL})
  })

  it('says what is missing where the profile points at nothing', async () => {
    await importList(['at'])
    await setPaging('cursor=at,next=/meta/else')
    const {found, code} = await list(
      from => reply(200, {data: items(or(from('at'), 0)), has_more: true}),
      '--all',
    )
    expect(found).not.toEqual(ALL)
    expect([8, 16]).toContain(code)
  })

  it.each(['cursor=at', 'next=meta', 'cursor=a,page=b,next=/c', 'way=x', 'cursor=a,cursor=b,next=/c', ''])(
    'refuses %j as a way',
    async how => {
      const {code, stderr} = await setPaging(how)
      expect({code, stderr}).toMatchObject({
        code: expect.any(Number),
        stderr: expect.stringMatching(/cursor=after|must be|must say|--paging/),
      })
      expect(code).not.toBe(0)
    },
  )
})

it.each([
  [
    'a list',
    '/groups/{ids}/cards',
    {type: 'array', items: {type: 'string'}},
    ['a,b'],
    'groups',
    '/groups/a,b/cards',
  ],
  [
    'a secret',
    '/sessions/{token}/cards',
    {type: 'string'},
    ['--token', 'env:TOKEN'],
    'sessions',
    '/sessions/s%203/cards',
  ],
] as const)('a list whose path ends in or holds %s is followed by its links', async (...given) => {
  const [, template, schema, args, tag, path] = given
  // The last word of one of them is the parameter itself.
  for (const [at, to] of [
    [template, path],
    [template.replace('/cards', ''), path.replace('/cards', '')],
  ] as const) {
    const name = /\{(\w+)\}/.exec(at)?.[1]
    const parameters = [
      {name, in: 'path', required: true, schema},
      {name: 'from', in: 'query', schema: {type: 'integer'}},
    ]
    const responses = {200: {description: '', ...json(ARRAY)}}
    await shop().importPaths({[at]: {get: {operationId: 'list', tags: [tag], parameters, responses}}})
    shop().answer = ({url}) => {
      const from = Number(new URL(url, 'http://x').searchParams.get('from') ?? 0)
      const link = isMore(from) ? {link: `<${url.split('?')[0]}?from=${from + SIZE}>; rel="next"`} : {}
      return reply(200, items(from), link)
    }
    const env = {TOKEN: 's 3'}
    const line = ['x', tag, 'list', ...args, '--all', '-o', 'json']
    const {code, stdout, stderr} = await shop().run(line, {env})
    expect(code, stderr).toBe(0)
    expect((JSON.parse(stdout) as {label: string}[]).map(({label}) => label)).toEqual(ALL)
    expect(shop().service.requests.at(-1)?.url).toBe(`/base${to}?from=6`)
  }
})
