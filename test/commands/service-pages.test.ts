// Lists of built-in commands at a service whose pages follow each other in another way than the contract's.

import {afterEach, beforeEach, expect, test} from 'vitest'
import {exitOf} from '../../src/errors/registry.ts'
import type {PlainRequest} from '../../src/sandbox/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const CARDS = Array.from({length: 7}, (_, at) => ({
  id: String(3001 + at),
  status: 'CARD_OK',
  accountId: '2001',
}))
const BATCHES = Array.from({length: 7}, (_, at) => ({id: String(88001 + at), status: 'COMPLETED'}))

let home: Home
let service: Service
/** Writes a page of the items from a place, in the manner of a service. */
let write: (items: readonly object[], from: number, to: number) => object
/** Which parameter has the place. */
let place: string
let asked: URLSearchParams[]

const SIZE = 3
const respond = ({method, url}: PlainRequest) => {
  const {pathname, searchParams} = new URL(url, 'http://x')
  if (method !== 'GET') return undefined
  asked.push(searchParams)
  const all = pathname.startsWith('/v1') || pathname.includes('a2a') ? BATCHES : CARDS
  const from = Number(searchParams.get(place) ?? 0)
  return reply(200, write(all.slice(from, from + SIZE), from + SIZE, all.length))
}

beforeEach(async () => {
  home = await openHome()
  asked = []
  place = 'after'
  write = (items, next, length) => ({data: items, next_cursor: next < length ? String(next) : null})
  service = await openService(respond)
  await home.json([
    'profiles',
    'add',
    'own',
    '--kind',
    'test',
    '--base-url',
    service.url,
    '--envelope',
    '/data',
  ])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const run = (...argv: string[]) => home.run([...argv, '-p', 'own'])
const edit = async (...flags: string[]) =>
  expect(await home.run(['profiles', 'edit', 'own', ...flags])).toMatchObject({code: 0})
const idsOf = (stdout: string) => (JSON.parse(stdout) as {id: string}[]).map(({id}) => id)
const LIST = ['cards', 'list', '--customer', '1001', '-o', 'json']
const all = CARDS.map(({id}) => id)

test.each([
  ['cards.listByCustomer.v4', LIST, all],
  ['a2a.list.v1', ['a2a', 'list', '-o', 'json'], BATCHES.map(({id}) => id)],
])('%s is whole with the paging of the profile', async (operation, list, ids) => {
  await edit('--paging', `${operation}=cursor=after,next=/next_cursor,size=limit`)
  const whole = await run(...list, '--all', '--page-size', '3')
  expect(whole, whole.stderr).toMatchObject({code: 0})
  expect(idsOf(whole.stdout)).toEqual(ids)
  expect(asked.map(query => [query.get('after'), query.get('limit'), query.get('size')])).toEqual([
    [null, '3', null],
    ['3', '3', null],
    ['6', '3', null],
  ])
  const some = await run(...list, '--limit', '4')
  expect(idsOf(some.stdout)).toEqual(ids.slice(0, 4))
  expect(some.stderr).toContain('There is more')
})

test('a link leads on too, and page numbers under another name', async () => {
  write = (items, next, length) => ({data: items, links: next < length ? {next: `?after=${next}`} : {}})
  await edit('--paging', 'cards.listByCustomer.v4=next=/links/next')
  expect(idsOf((await run(...LIST, '--all')).stdout)).toEqual(all)
  place = 'none'
  write = (_, __, length) => {
    const page = Number(asked.at(-1)?.get('p') ?? 1)
    return {data: CARDS.slice((page - 1) * SIZE, page * SIZE), more: page * SIZE < length}
  }
  await edit('--unset', 'service.paging', '--paging', 'cards.listByCustomer.v4=page=p,more=/more')
  expect(idsOf((await run(...LIST, '--all')).stdout)).toEqual(all)
})

test.each([
  ['cards', LIST, 'cards.listByCustomer.v4'],
  ['a2a', ['a2a', 'list', '-o', 'json'], 'a2a.list.v1'],
])('without it, the list of %s is never said to be whole', async (_, list, operation) => {
  const whole = await run(...list, '--all')
  expect(whole.code, whole.stderr).toBe(exitOf('LIST_INCOMPLETE'))
  expect(whole.stderr).toContain('says that there is more')
  expect(whole.stderr).toContain(`--paging ${operation}=`)
  expect(idsOf(whole.stdout)).toHaveLength(SIZE)
})

test('the last page says nothing of more, and a service that also takes page numbers is read to the end', async () => {
  place = 'after'
  write = items => ({data: items, next_cursor: null})
  expect(await run(...LIST, '--all')).toMatchObject({code: 0})
  place = 'none'
  write = (_, __, length) => {
    const page = Number(asked.at(-1)?.get('page') ?? 0)
    const next = (page + 1) * SIZE
    return {data: CARDS.slice(page * SIZE, next), next_cursor: next < length ? String(next) : null}
  }
  expect(idsOf((await run(...LIST, '--all', '--page-size', '3')).stdout)).toEqual(all)
})
