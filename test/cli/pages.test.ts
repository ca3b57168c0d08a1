import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {type FetchPage, type PageFlags, pagedItems} from '../../src/cli/pages.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {exitOf} from '../../src/errors/registry.ts'

const cards = operations['cards.listByCustomer.v4']
const batches = operations['a2a.list.v1']

const numbers = (count: number) => Array.from({length: count}, (_, at) => at)

async function read(operation: typeof cards | typeof batches, fetch: FetchPage, flags = {}) {
  const {items, hasMore} = pagedItems(operation, {all: true, ...flags}, fetch)
  const found: unknown[] = []
  for await (const item of items) found.push(item)
  return {found, more: hasMore()}
}

/** A service with its own idea of how long a page may be. */
const service =
  (all: readonly unknown[], most: number): FetchPage =>
  async ({page = 0, size = 30}) => {
    const length = Math.min(Number(size), most)
    return all.slice(Number(page) * length, (Number(page) + 1) * length)
  }

describe('all pages by number', () => {
  it('come whole whatever size the service sends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(130),
        fc.integer({min: 1, max: 50}),
        fc.option(fc.integer({min: 1, max: 50}), {nil: undefined}),
        async (count, most, size) => {
          const {found, more} = await read(cards, service(numbers(count), most), {'page-size': size})
          expect(found).toEqual(numbers(count))
          expect(more).toBe(false)
        },
      ),
    )
  })

  it('ends if a service without pages sends its short list again', async () => {
    expect((await read(cards, async () => [1, 2, 3])).found).toEqual([1, 2, 3])
  })

  it('come whole where a page in the middle is shorter, because the service filters pages', async () => {
    const pages = [numbers(30), [30, 31], numbers(60).slice(32)]
    expect((await read(cards, async ({page = 0}) => pages[Number(page)] ?? [])).found).toEqual(numbers(60))
  })

  it('end where the last page comes for every number after it', async () => {
    const pages = [numbers(60), numbers(100).slice(60)]
    expect((await read(cards, async ({page = 0}) => pages[Number(page)] ?? pages[1])).found).toEqual(
      numbers(100),
    )
  })

  it('are compared as the service wrote them: items that look alike once masked are different', async () => {
    const fetch: FetchPage = async ({page = 0}, {unmasked}) => {
      const isEnd = Number(page) === 2
      unmasked?.(isEnd ? [] : numbers(30).map(at => ({pan: `${page}-${at}`})))
      return isEnd ? [] : numbers(30).map(() => ({pan: '[masked]'}))
    }
    expect((await read(cards, fetch)).found.length).toBe(60)
  })

  it('end with an error where a full page comes again and again', async () => {
    const failure = await read(cards, async () => numbers(30)).catch(error => error)
    expect(failure).toMatchObject({code: 'ANSWER_INVALID', exit: 8})
    expect(failure.message).toContain('the same page twice')
  })
})

describe('all pages by cursor', () => {
  it.each([undefined, null, ''])('end at %j', async lastEvaluatedKey => {
    expect((await read(batches, async () => ({items: [1], lastEvaluatedKey}))).found).toEqual([1])
  })

  it.each([{id: '7'}, 'next'])('end with an error when %j comes twice', async lastEvaluatedKey => {
    let asked = 0
    const fetch = async () => {
      asked++
      return {items: [asked], lastEvaluatedKey}
    }
    const failure = await read(batches, fetch).catch(error => error)
    expect(failure).toMatchObject({code: 'ANSWER_INVALID'})
    expect(failure.message).toContain('the same cursor twice')
    expect(asked).toBe(2)
  })
})

describe('a list without an end', () => {
  const endless: FetchPage = async ({exclusiveStartKey = 0}) => ({
    items: [exclusiveStartKey],
    lastEvaluatedKey: {id: JSON.stringify(exclusiveStartKey)},
  })
  const cursors = (): FetchPage => {
    let asked = 0
    return async () => ({items: [asked], lastEvaluatedKey: String(++asked)})
  }

  it.each<[PageFlags, number]>([
    [{}, 1000],
    [{'max-pages': 3}, 3],
    [{'max-pages': 2000}, 2000],
  ])('is read to the number of pages that %j allows, and is not whole', async (flags, pages) => {
    const found: unknown[] = []
    const {items} = pagedItems(batches, {all: true, ...flags}, cursors())
    const failure = await (async () => {
      for await (const item of items) found.push(item)
    })().catch(error => error)
    expect(found.length).toBe(pages)
    expect(failure).toMatchObject({
      code: 'LIST_INCOMPLETE',
      exit: exitOf('LIST_INCOMPLETE'),
      details: {data: {complete: false, reason: 'MAX_PAGES'}},
    })
    expect(failure.hint).toContain('--max-pages')
  })

  it('has as many items as the limit, however many pages these take', async () => {
    const {items} = pagedItems(batches, {limit: 1500}, cursors())
    let found = 0
    for await (const _ of items) found++
    expect(found).toBe(1500)
  })

  it('is not read further than the first page if that is enough', async () => {
    const {items, hasMore} = pagedItems(batches, {'max-pages': 1}, endless)
    const found: unknown[] = []
    for await (const item of items) found.push(item)
    expect({found, more: hasMore()}).toEqual({found: [0], more: true})
  })
})

describe('the size of a page', () => {
  const sizesFor = async (flags: PageFlags, most = 100) => {
    const sizes: unknown[] = []
    const all = service(numbers(250), most)
    const fetch: FetchPage = async (query, options) => {
      sizes.push(query.size)
      return all(query, options)
    }
    const {items, hasMore} = pagedItems(cards, flags, fetch)
    const found: unknown[] = []
    for await (const item of items) found.push(item)
    return {sizes, found: found.length, more: hasMore()}
  }

  it('is the largest of the contract when all items are wanted', async () => {
    expect(await sizesFor({all: true})).toEqual({
      sizes: [100, 100, 100, 100],
      found: 250,
      more: false,
    })
  })

  it('covers a limit in one request, and shows whether there is more', async () => {
    expect(await sizesFor({limit: 50})).toEqual({sizes: [51], found: 50, more: true})
  })

  it.each([{limit: 30}, {limit: 5}, {}])('is left to the service for %j', async flags => {
    expect((await sizesFor(flags)).sizes).toEqual([undefined])
  })

  it('is the one that the user asks for', async () => {
    expect((await sizesFor({limit: 50, 'page-size': 40})).sizes).toEqual([40, 40])
  })

  it('stays the usual one from a numbered page on', async () => {
    expect((await sizesFor({all: true, page: 7})).sizes).toEqual([undefined, undefined, undefined])
  })

  it('may be less than requested: no item is left out', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({min: 1, max: 250}),
        fc.integer({min: 30, max: 100}),
        async (limit, most) => {
          expect((await sizesFor({limit}, most)).found).toBe(limit)
        },
      ),
    )
  })

  it('shows at any limit whether there is more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({min: 1, max: 250}), async limit => {
        expect((await sizesFor({limit})).more).toBe(limit < 250)
      }),
    )
  })
})
